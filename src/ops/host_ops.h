// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/op_def.h"

// Ops that are oneDNN's and not compiled here: what their schemas say, so that a graph that oneDNN
// refuses is refused with a sentence too (oneDNN v3 operation schemas). Where oneDNN lists types,
// those that only this library has, and its 64-bit ones, are accepted beside them.
namespace iotadnn::impl::host_ops {

extern const Signature kReorder;
extern const Signature kEnd;

}  // namespace iotadnn::impl::host_ops

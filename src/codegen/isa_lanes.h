// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace iotadnn::impl {

// What is special about an instruction set in computing with lanes: isa_avx2_lanes.h and
// isa_avx512_lanes.h.
template <class T>
class IsaLanes;

}  // namespace iotadnn::impl

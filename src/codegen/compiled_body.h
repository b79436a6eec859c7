// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/pointwise_frame.h"
#include "codegen/span_emitter.h"
#include "program/program.h"

namespace iotadnn::impl {

using BodyFunction = void (*)(PointwiseFrame*);

// What a run knows of one body.
struct CompiledBody {
  BodyFunction function = nullptr;     // null where spans are all there is
  BodyFunction nontemporal = nullptr;  // may be null
  bool has_parts = false;              // function() works on frames with a rest
  bool reads_column = false;           // a result depends on the column itself
  bool reads_row = false;              // or on the coordinate before it
  bool is_uniform = false;             // all elements of a row are one
  int64_t lanes = 1;                   // elements of a chunk
  std::vector<uint8_t> inputs;         // those that the body reads
  // One per output where all results are moved without arithmetic: what is copied or filled in.
  std::vector<Inst> spans;
};

// The code of a pointwise program.
struct CompiledProgram {
  std::vector<CompiledBody> bodies;  // as the program's
  CopyFunction copy = nullptr;       // where a body has spans
  FillFunction fill = nullptr;
  std::vector<uint8_t> tensor_bytes;  // of an element of each input and output
  uint32_t bodies_of_spans = 0;       // bit b: body b has some
  uint32_t row_constant_inputs = 0;
  bool nontemporal = false;
};

}  // namespace iotadnn::impl

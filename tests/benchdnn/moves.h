// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

// What a partition must move at the least, found from executions on different data
// (doc/performance.md): it is the work behind %limit% of graphs that no oracle knows.
namespace iotadnn::benchdnn {

// An input that ops read.
struct ProbedInput {
  const char* first = nullptr;   // its content in all executions but one,
  const char* second = nullptr;  // and in that one, another in each element
  size_t bytes = 0;
  size_t element_bytes = 1;
  const char* data = nullptr;  // the buffer that the measured executions read
};

// How an output's elements relate to those of an input.
enum class Relation {
  aligned,  // the same dims, strides and type: elements at the same offset belong together
  full,     // as many elements, elsewhere or of another type
  whole,    // fewer or more elements, broadcast or summed: any element may need all of them
};

struct ProbedOutput {
  const char* base = nullptr;  // written, out of place, while all inputs had their first content
  std::vector<const char*> varied;  // while one input, each in turn, had its second content
  size_t bytes = 0;
  size_t element_bytes = 1;
  char* data = nullptr;            // the buffer that the measured executions write
  std::vector<bool> owned;         // elements that are not stride gaps; empty: all
  std::vector<Relation> relation;  // to each input
};

enum class MoveKind : uint8_t {
  fill,    // one value everywhere
  made,    // independent of data, and not one value
  move,    // from the sources of a set to the output
  consume  // a source is read, nothing is written
};

// A run of whole 64-byte lines.
struct Move {
  uint32_t first_line = 0;
  uint32_t lines = 0;
  uint32_t detail = 0;  // fill: index into values; move, consume: index into source_sets
  uint16_t output = 0;
  MoveKind kind = MoveKind::fill;

  bool operator==(const Move& other) const {
    return first_line == other.first_line && lines == other.lines && detail == other.detail &&
           output == other.output && kind == other.kind;
  }
};

struct MoveSource {
  const char* data = nullptr;
  size_t bytes = 0;
  size_t line_bytes = 64;  // that belong to one line of the output
};

struct MoveList {
  std::vector<char*> outputs;
  std::vector<size_t> output_bytes;
  std::vector<uint64_t> values;  // 8-byte patterns
  std::vector<std::vector<MoveSource>> source_sets;
  std::vector<Move> moves;
};

// Line by line of each output. An element depends on the inputs whose other content changed it. It
// is
//   - made, when there is none: it follows from coordinates and constants;
//   - copied, when there is one, aligned, and the element is the input's at its place;
//   - computed otherwise.
// A line moves from the aligned and full inputs that it depends on, and is left out
// when it is copied as a whole from an input in the same buffer; a line that depends on none of
// them is filled or made. What an output before has read is not read again, `whole` inputs that
// anything depends on are consumed once, and a single made line beside filled ones counts as filled
// (the one of an identity's row). Bytes beyond the last whole line are left out.
MoveList moves_of(const std::vector<ProbedInput>& inputs, const std::vector<ProbedOutput>& outputs);

// The bytes that one line of a move reads and writes, and that all of them do.
double bytes_of_line(const MoveList& list, const Move& move);
double bytes_moved(const MoveList& list);

}  // namespace iotadnn::benchdnn

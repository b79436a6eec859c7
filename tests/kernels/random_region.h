// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "iotadnn/graph.hpp"

#include "support/numbers.h"
#include "support/random.h"

namespace iotadnn::test {

using Extents = std::vector<int64_t>;
using RegionAttr = std::variant<int64_t, float, bool, std::string, Extents>;

// A tensor of a random graph; its id is its position.
struct RegionValue {
  int type = 0;
  Extents dims;
  Extents strides;
  bool is_input = false;
  bool host_scalar = false;
  std::vector<uint64_t> bits;    // of an input: its elements in row-major order
  bool is_math = false;          // from a function with a stated error, moved at most
  uint32_t known_extents = 0;    // bit per dimension whose extent is known even where those are not
  bool known_in_graph = true;    // else the ops are added with the rank alone
  bool known_at_compile = true;  // else the partition is compiled with the rank alone
};

struct RegionOp {
  graph::op::kind kind = graph::op::kind::Wildcard;
  std::vector<size_t> inputs;
  size_t output = 0;
  std::map<graph::op::attr, RegionAttr> attrs;
};

struct RandomRegion {
  std::vector<RegionValue> values;
  std::vector<RegionOp> ops;          // each after those that it reads
  std::vector<size_t> extra_outputs;  // read by an op of the host, whatever else reads them
  bool fusion = true;                 // else policy debug
  bool strict = false;                // math mode strict_bits: the sign of a zero counts
  std::string strategy;               // of iotadnn_set_strategy()
  bool in_place = false;              // outputs take the buffers that get_inplace_ports() names
};

// Some ops around at least one that computes from coordinates. One graph of four holds functions
// with a stated error, whose results are only moved.
RandomRegion random_region(Random& random);

// What the generator is made of.
void choose_knowledge(Random& random, RandomRegion& region);  // what is known before execute
int64_t elements_of(const Extents& dims);  // saturated far above all that is used
Extents random_region_strides(Random& random, const Extents& dims);
// ONNX Range: the number of elements; -1 where it is refused or above `most`.
int64_t range_count(const Element& start, const Element& limit, const Element& delta, int64_t most);
std::vector<uint64_t> random_elements(Random& random, int type, int64_t count);
std::string name_of_kind(graph::op::kind kind);

// The graph as JSON, with the elements of small inputs.
std::string json_of(const RandomRegion& region);

}  // namespace iotadnn::test

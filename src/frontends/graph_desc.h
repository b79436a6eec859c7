// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "iotadnn/iotadnn_types.h"

// A graph as readers leave it: plain data that a program may edit (other shapes, types, attributes)
// before build_graph() hands it to the library. It knows the public headers only.
namespace iotadnn::frontends {

// What a reader or the builder refuses: one sentence that names the op, port or key.
class GraphError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Alternatives in the order of AttrType.
using AttrValue =
    std::variant<int64_t, std::vector<int64_t>, float, std::vector<float>, bool, std::string>;

// Content of a small tensor (a host scalar, a list of extents): integers stay exact.
using TensorValue = std::variant<std::vector<int64_t>, std::vector<double>>;

struct TensorDesc {
  size_t id = 0;
  iotadnn_data_type_t data_type = iotadnn_data_type_undef;
  std::optional<std::vector<int64_t>> dims;  // nullopt: unknown rank; unknown extents are INT64_MIN
  std::vector<int64_t> strides;              // in elements, or empty: dense row-major
  iotadnn_graph_layout_type_t layout = iotadnn_graph_layout_type_strided;
  iotadnn_graph_tensor_property_t property = iotadnn_graph_tensor_property_undef;
  std::optional<TensorValue> value;
};

struct OpDesc {
  size_t id = 0;
  std::string name;
  iotadnn_graph_op_kind_t kind = iotadnn_graph_op_wildcard;
  std::map<std::string, AttrValue> attrs;  // by JSON name
  std::vector<size_t> inputs;              // tensor ids, in port order
  std::vector<size_t> outputs;
};

struct GraphDesc {
  std::string version;
  std::string engine_kind;
  iotadnn_fpmath_mode_t fpmath_mode = iotadnn_fpmath_mode_strict;
  bool fpmath_apply_to_int = false;
  iotadnn_graph_math_mode_t math_mode = iotadnn_graph_math_mode_default;
  std::vector<size_t> input_ports;  // as the file lists them; the ops say what is true
  std::vector<size_t> output_ports;
  std::vector<OpDesc> ops;               // topological order
  std::map<size_t, TensorDesc> tensors;  // every id that an op names

  const OpDesc* producer_of(size_t tensor) const;  // null for graph inputs
  OpDesc* find_op(size_t op);                      // null for unknown ids
  bool is_consumed(size_t tensor) const;

  // Ids of tensors without a producer, each once, in the order in which ops first name them.
  std::vector<size_t> graph_inputs() const;
};

// Puts ops after the ops whose results they read, otherwise in their order. GraphError for a cycle
// and for a tensor that two ops produce.
void sort_topologically(GraphDesc& graph);

// "op 3 ('mask_row', GenIndex)", for messages.
std::string describe(const OpDesc& op);

// Row-major strides where an extent of 0 counts as 1; nullopt when they do not fit int64 or an
// extent is unknown.
std::optional<std::vector<int64_t>> dense_strides(const std::vector<int64_t>& dims);

// Elements from the first to one past the last that dims and strides reach, 0 for an empty tensor;
// nullopt when their bytes (8 an element) do not fit int64 or an extent or stride is unknown.
std::optional<int64_t> span_of(const std::vector<int64_t>& dims,
                               const std::vector<int64_t>& strides);

}  // namespace iotadnn::frontends

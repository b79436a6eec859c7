// SPDX-License-Identifier: Apache-2.0
#include "runtime/key_text.h"

#include <algorithm>
#include <type_traits>
#include <variant>

namespace iotadnn::impl {
namespace {

// What the graph knew of an edge must not be contradicted at compile.
Status check_against_graph(const std::string& port, const LogicalTensor& graph,
                           const LogicalTensor& given) {
  if (given.layout == LayoutType::opaque)
    return invalid_arguments(port + " has an opaque layout, which this library never hands out");
  if (graph.type != given.type)
    return invalid_data_type(port + " is " + std::string(name_of(given.type)) + " at compile and " +
                             std::string(name_of(graph.type)) + " in the graph");
  if (graph.rank == kUnknownRank || given.rank == kUnknownRank) return {};
  bool agrees = graph.rank == given.rank;
  for (int d = 0; agrees && d < graph.rank; ++d)
    agrees = graph.dims[d] == kUnknownDim || given.dims[d] == kUnknownDim ||
             graph.dims[d] == given.dims[d];
  if (agrees) return {};
  return invalid_shape(port + " has shape " + shape_text(given.dims, given.rank) +
                       " at compile and " + shape_text(graph.dims, graph.rank) + " in the graph");
}

// Both sides know the layout of a port: `any` and `undef` mean the dense one, which shape inference
// fills in.
LogicalTensor as_strided(LogicalTensor lt) {
  if (lt.layout == LayoutType::strided) return lt;
  lt.layout = LayoutType::strided;
  lt.strides.fill(kUnknownDim);
  if (is_known_shape(lt.dims, lt.rank)) {
    const auto dense = dense_strides(lt.dims, lt.rank);
    if (dense.ok()) lt.strides = *dense;
  }
  return lt;
}

}  // namespace

Result<LogicalTensor> bound_tensor(const std::string& port, const LogicalTensor& edge,
                                   const LogicalTensor& given) {
  const Status agrees = check_against_graph(port, edge, given);
  if (!agrees.ok()) return agrees;
  return as_strided(given);
}

int position_of(Span<const LogicalTensor> list, size_t id) {
  const auto found =
      std::find_if(list.begin(), list.end(), [id](const LogicalTensor& lt) { return lt.id == id; });
  return found == list.end() ? -1 : static_cast<int>(found - list.begin());
}

void append_to_key(std::string& key, int64_t value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_to_key(std::string& key, const LogicalTensor& lt) {
  append_to_key(key, static_cast<int64_t>(lt.id));
  append_to_key(key, static_cast<int64_t>(lt.type) * 8 + static_cast<int64_t>(lt.property));
  append_to_key(key, lt.rank);
  for (int d = 0; d < lt.rank; ++d) {
    append_to_key(key, lt.dims[d]);
    append_to_key(key, lt.strides[d]);
  }
}

void append_to_key(std::string& key, const AttrValue& value) {
  append_to_key(key, static_cast<int64_t>(value.index()));
  std::visit(
      [&key](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_arithmetic_v<T>) {
          key.append(reinterpret_cast<const char*>(&v), sizeof v);
        } else {
          append_to_key(key, static_cast<int64_t>(v.size()));
          if (!v.empty())
            key.append(reinterpret_cast<const char*>(v.data()), v.size() * sizeof v[0]);
        }
      },
      value);
}

}  // namespace iotadnn::impl

// SPDX-License-Identifier: Apache-2.0
#include "frontends/benchdnn_json.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <set>
#include <utility>

#include "frontends/json_fields.h"
#include "frontends/names.h"

namespace iotadnn::frontends {
namespace {

using nlohmann::json;

constexpr int64_t kUnknownDim = std::numeric_limits<int64_t>::min();

std::vector<size_t> read_ports(const json& root, const char* key) {
  std::vector<size_t> ports;
  const json* value = find_key(root, key);
  if (value == nullptr) return ports;
  const std::string where = std::string("key '") + key + "'";
  for (const json& id : as_array(*value, where))
    ports.push_back(as_id(id, where));
  return ports;
}

template <class T>
T read_name(const json& object, const char* key, const std::string& where, T otherwise,
            std::optional<T> (*from_name)(std::string_view)) {
  const json* value = find_key(object, key);
  if (value == nullptr) return otherwise;
  const std::string place = where + ", key '" + key + "'";
  const std::string name = as_string(*value, place);
  const std::optional<T> found = from_name(name);
  if (!found) throw GraphError(place + ": unknown value '" + name + "'");
  return *found;
}

// JSON has no number that is not finite: the library's dumps write those as strings.
double as_real(const json& value, const std::string& where) {
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (value.is_string())
    throw GraphError(where + ": expected a number, \"inf\", \"-inf\" or \"nan\", got " +
                     shown(value));
  return as_number(value, where);
}

float as_f32(const json& value, const std::string& where) {
  return static_cast<float>(as_real(value, where));
}

std::vector<float> as_f32_list(const json& value, const std::string& where) {
  std::vector<float> list;
  for (const json& entry : as_array(value, where))
    list.push_back(as_f32(entry, where));
  return list;
}

AttrValue read_attr_value(const json& value, AttrType type, const std::string& where) {
  switch (type) {
    case AttrType::s64:
      return as_s64(value, where);
    case AttrType::s64_vector:
      return as_s64_list(value, where);
    case AttrType::f32:
      return as_f32(value, where);
    case AttrType::f32_vector:
      return as_f32_list(value, where);
    case AttrType::boolean:
      return as_bool(value, where);
    case AttrType::string:
      return as_string(value, where);
  }
  throw GraphError(where + ": unknown attribute type");
}

void read_attrs(const json& attrs, const std::string& where, OpDesc& op) {
  for (const auto& [name, entry] : as_object(attrs, where + ", key 'attrs'").items()) {
    const std::string place = where + ", attribute '" + name + "'";
    if (attr_from_name(name) == nullptr) throw GraphError(place + ": unknown attribute");
    as_object(entry, place);
    const std::string type_text = as_string(require_key(entry, "type", place), place);
    const std::optional<AttrType> type = attr_type_from_name(type_text);
    if (!type) throw GraphError(place + ": unknown type '" + type_text + "'");
    op.attrs[name] = read_attr_value(require_key(entry, "value", place), *type, place);
  }
}

TensorValue read_tensor_value(const json& value, const std::string& where) {
  const json list = value.is_array() ? value : json::array({value});
  bool integers = true;
  for (const json& entry : list)
    integers = integers && entry.is_number_integer();
  if (integers) return as_s64_list(list, where);
  std::vector<double> reals;
  for (const json& entry : list)
    reals.push_back(as_real(entry, where));
  return reals;
}

std::vector<int64_t> read_extents(const json& value, const std::string& where) {
  std::vector<int64_t> extents = as_s64_list(value, where);
  if (extents.size() > size_t{kMaxRank})
    throw GraphError(where + ": rank " + std::to_string(extents.size()) +
                     " is above the limit of " + std::to_string(kMaxRank));
  for (const int64_t extent : extents)
    if (extent < 0 && extent != kUnknownDim)
      throw GraphError(where + ": " + std::to_string(extent) + " is negative (unknown is " +
                       std::to_string(kUnknownDim) + ")");
  return extents;
}

// The library's dumps tell an unknown rank from a scalar by "ndims": -1 beside an empty "shape".
std::optional<std::vector<int64_t>> read_shape(const json& entry, const std::string& where) {
  std::optional<std::vector<int64_t>> dims;
  if (const json* shape = find_key(entry, "shape"))
    dims = read_extents(*shape, where + ", key 'shape'");
  const json* ndims = find_key(entry, "ndims");
  if (ndims == nullptr) return dims;
  const std::string place = where + ", key 'ndims'";
  const int64_t rank = as_s64(*ndims, place);
  const auto extents = static_cast<int64_t>(dims ? dims->size() : 0);
  if (rank < -1 || rank > kMaxRank || extents != std::max<int64_t>(rank, 0))
    throw GraphError(place + ": " + std::to_string(rank) + " for a shape of " +
                     std::to_string(extents) + " extents, allowed: their number, or -1 beside an " +
                     "empty shape for an unknown rank");
  return rank == -1 ? std::nullopt : dims;
}

bool is_known(const std::vector<int64_t>& extents) {
  for (const int64_t extent : extents)
    if (extent == kUnknownDim) return false;
  return true;
}

// Shapes whose last byte int64 cannot count are refused here, once and for all.
void check_size(const TensorDesc& tensor, const std::string& where) {
  if (!tensor.dims || !is_known(*tensor.dims)) return;
  const std::optional<std::vector<int64_t>> dense = dense_strides(*tensor.dims);
  const bool fits = tensor.strides.empty() ? dense && span_of(*tensor.dims, *dense).has_value()
                                           : span_of(*tensor.dims, tensor.strides).has_value();
  if (!fits) throw GraphError(where + ": the shape has more bytes than 64 signed bits can count");
}

TensorDesc read_tensor(const json& entry, const std::string& port) {
  as_object(entry, port);
  TensorDesc tensor;
  tensor.id = as_id(require_key(entry, "id", port), port + ", key 'id'");
  const std::string where = port + ", tensor " + std::to_string(tensor.id);
  tensor.data_type =
      read_name(entry, "dtype", where, iotadnn_data_type_undef, &data_type_from_name);
  tensor.layout =
      read_name(entry, "layout_type", where, iotadnn_graph_layout_type_strided, &layout_from_name);
  tensor.property = read_name(entry, "property_type", where, iotadnn_graph_tensor_property_undef,
                              &property_from_name);
  tensor.dims = read_shape(entry, where);
  if (const json* stride = find_key(entry, "stride"))
    tensor.strides = read_extents(*stride, where + ", key 'stride'");
  // Dumps write a stub beside the layouts that have no strides.
  const bool strided = tensor.layout == iotadnn_graph_layout_type_strided;
  const bool fits = tensor.dims && tensor.strides.size() == tensor.dims->size();
  if (!tensor.dims || (!strided && !fits)) tensor.strides.clear();
  if (tensor.dims && !tensor.strides.empty() && tensor.strides.size() != tensor.dims->size())
    throw GraphError(where + ", key 'stride': " + std::to_string(tensor.strides.size()) +
                     " strides for a shape of rank " + std::to_string(tensor.dims->size()));
  if (!is_known(tensor.strides)) tensor.strides.clear();
  check_size(tensor, where);
  if (const json* value = find_key(entry, "value"))
    tensor.value = read_tensor_value(*value, where + ", key 'value'");
  return tensor;
}

// One id, one description: what two ports say of a tensor must agree. A value needs saying once.
void merge_tensor(GraphDesc& graph, TensorDesc tensor, const std::string& port) {
  const size_t id = tensor.id;
  const auto [at, fresh] = graph.tensors.emplace(id, tensor);
  if (fresh) return;
  TensorDesc& known = at->second;
  const bool same = known.data_type == tensor.data_type && known.dims == tensor.dims &&
                    known.property == tensor.property;
  if (!same)
    throw GraphError(port + ": tensor " + std::to_string(id) +
                     " has another type, shape or property than where the graph first names it");
  if (!known.value) known.value = std::move(tensor.value);
}

void read_tensors(const json& entry, const char* key, const std::string& where, GraphDesc& graph,
                  std::vector<size_t>& ids) {
  const json* list = find_key(entry, key);
  if (list == nullptr) return;
  const std::string side = std::string(key) == "inputs" ? ", input " : ", output ";
  for (const json& lt : as_array(*list, where + ", key '" + key + "'")) {
    const std::string port = where + side + std::to_string(ids.size());
    TensorDesc tensor = read_tensor(lt, port);
    ids.push_back(tensor.id);
    merge_tensor(graph, std::move(tensor), port);
  }
}

OpDesc read_op(const json& entry, const std::string& place, GraphDesc& graph) {
  as_object(entry, place);
  OpDesc op;
  op.id = as_id(require_key(entry, "id", place), place + ", key 'id'");
  if (const json* name = find_key(entry, "name"))
    op.name = as_string(*name, place + ", key 'name'");
  const std::string where = "op " + std::to_string(op.id) + " ('" + op.name + "')";
  const std::string kind = as_string(require_key(entry, "kind", where), where + ", key 'kind'");
  const auto known_kind = op_kind_from_name(kind);
  if (!known_kind) throw GraphError(where + ", key 'kind': unknown op kind '" + kind + "'");
  op.kind = *known_kind;
  if (const json* attrs = find_key(entry, "attrs")) read_attrs(*attrs, where, op);
  read_tensors(entry, "inputs", where, graph, op.inputs);
  read_tensors(entry, "outputs", where, graph, op.outputs);
  return op;
}

std::string read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) throw GraphError("cannot open file " + path);
  std::string text;
  char block[1 << 16];
  size_t got = 0;
  while ((got = std::fread(block, 1, sizeof block, file.get())) > 0 && text.size() <= kMaxJsonBytes)
    text.append(block, got);
  if (std::ferror(file.get()) != 0) throw GraphError("cannot read file " + path);
  return text;
}

}  // namespace

GraphDesc read_benchdnn_json(std::string_view text) {
  const json root = parse_json(text);
  as_object(root, "the file");
  GraphDesc graph;
  if (const json* version = find_key(root, "version"))
    graph.version = as_string(*version, "key 'version'");
  if (const json* engine = find_key(root, "engine_kind"))
    graph.engine_kind = as_string(*engine, "key 'engine_kind'");
  graph.fpmath_mode = read_name(root, "fpmath_mode", "the file", iotadnn_fpmath_mode_strict,
                                &fpmath_mode_from_name);
  if (const json* to_int = find_key(root, "fpmath_mode_apply_to_int"))
    graph.fpmath_apply_to_int = as_bool(*to_int, "key 'fpmath_mode_apply_to_int'");
  graph.math_mode = read_name(root, "math_mode", "the file", iotadnn_graph_math_mode_default,
                              &math_mode_from_name);
  graph.input_ports = read_ports(root, "input_ports");
  graph.output_ports = read_ports(root, "output_ports");
  const json& ops = as_array(require_key(root, "graph", "the file"), "key 'graph'");
  if (ops.empty()) throw GraphError("key 'graph': the graph has no op");
  std::set<size_t> ids;
  for (const json& entry : ops) {
    OpDesc op = read_op(entry, "entry " + std::to_string(ids.size()) + " of key 'graph'", graph);
    if (!ids.insert(op.id).second) throw GraphError(describe(op) + ": another op has the same id");
    graph.ops.push_back(std::move(op));
  }
  sort_topologically(graph);
  return graph;
}

GraphDesc read_benchdnn_json_file(const std::string& path) {
  return read_benchdnn_json(read_file(path));
}

}  // namespace iotadnn::frontends

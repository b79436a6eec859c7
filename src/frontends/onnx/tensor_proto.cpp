// SPDX-License-Identifier: Apache-2.0
#include "frontends/onnx/tensor_proto.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "frontends/model/elements.h"
#include "frontends/model/error.h"

namespace iotadnn::models {
namespace {

struct TypeRow {
  int32_t code;
  const char* name;
  DataType type;  // undef: not computed here
};

// TensorProto.DataType of onnx.proto, by number.
constexpr TypeRow kTypes[] = {
    {0, "UNDEFINED", iotadnn_data_type_undef},
    {1, "FLOAT", iotadnn_f32},
    {2, "UINT8", iotadnn_u8},
    {3, "INT8", iotadnn_s8},
    {4, "UINT16", iotadnn_u16},
    {5, "INT16", iotadnn_s16},
    {6, "INT32", iotadnn_s32},
    {7, "INT64", iotadnn_s64},
    {8, "STRING", iotadnn_data_type_undef},
    {9, "BOOL", iotadnn_boolean},
    {10, "FLOAT16", iotadnn_f16},
    {11, "DOUBLE", iotadnn_f64},
    {12, "UINT32", iotadnn_u32},
    {13, "UINT64", iotadnn_u64},
    {14, "COMPLEX64", iotadnn_data_type_undef},
    {15, "COMPLEX128", iotadnn_data_type_undef},
    {16, "BFLOAT16", iotadnn_bf16},
    {17, "FLOAT8E4M3FN", iotadnn_data_type_undef},
    {18, "FLOAT8E4M3FNUZ", iotadnn_data_type_undef},
    {19, "FLOAT8E5M2", iotadnn_data_type_undef},
    {20, "FLOAT8E5M2FNUZ", iotadnn_data_type_undef},
    {21, "UINT4", iotadnn_data_type_undef},
    {22, "INT4", iotadnn_data_type_undef},
    {23, "FLOAT4E2M1", iotadnn_data_type_undef},
};

// External data: where a tensor's bytes stand.
struct Place {
  std::string location;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
};

uint64_t as_bytes(const std::string& key, const std::string& text, const std::string& where) {
  char* end = nullptr;
  errno = 0;
  const unsigned long long value = std::strtoull(text.c_str(), &end, 10);
  if (text.empty() || text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0)
    throw ModelError(where + ": the external data have " + key + " '" + text +
                     "', allowed: a number of bytes");
  return value;
}

Place place_of(const pb::TensorProto& proto, const std::string& where) {
  Place place;
  for (const pb::StringStringEntryProto& entry : proto.external_data()) {
    if (entry.key() == "location") place.location = entry.value();
    if (entry.key() == "offset") place.offset = as_bytes("offset", entry.value(), where);
    if (entry.key() == "length") place.length = as_bytes("length", entry.value(), where);
  }
  return place;
}

[[noreturn]] void fail_count(const std::string& where, const Dims& dims, size_t given,
                             const char* unit) {
  throw ModelError(where + ": " + std::to_string(given) + " " + unit + " of data for shape " +
                   shape_text(dims));
}

template <class C, class Field>
void copy_field(const Field& field, const std::string& where, Tensor& tensor) {
  if (field.size() != tensor.count())
    fail_count(where, tensor.dims(), static_cast<size_t>(field.size()), "elements");
  const auto store = storer<C>(tensor.type());
  for (int i = 0; i < field.size(); ++i)
    store(tensor.data(), i, static_cast<C>(field.Get(i)));
}

// 16-bit floating types stand in int32_data by their bits.
void copy_bits(const pb::TensorProto& proto, const std::string& where, Tensor& tensor) {
  if (proto.int32_data_size() != tensor.count())
    fail_count(where, tensor.dims(), static_cast<size_t>(proto.int32_data_size()), "elements");
  for (int i = 0; i < proto.int32_data_size(); ++i) {
    const auto bits = static_cast<uint16_t>(proto.int32_data(i));
    std::memcpy(tensor.data() + static_cast<size_t>(i) * 2, &bits, 2);
  }
}

void read_fields(const pb::TensorProto& proto, const std::string& where, Tensor& tensor) {
  switch (tensor.type()) {
    case iotadnn_f32:
      return copy_field<double>(proto.float_data(), where, tensor);
    case iotadnn_f64:
      return copy_field<double>(proto.double_data(), where, tensor);
    case iotadnn_s64:
      return copy_field<int64_t>(proto.int64_data(), where, tensor);
    case iotadnn_u32:
    case iotadnn_u64:
      return copy_field<uint64_t>(proto.uint64_data(), where, tensor);
    case iotadnn_f16:
    case iotadnn_bf16:
      return copy_bits(proto, where, tensor);
    default:
      return copy_field<int64_t>(proto.int32_data(), where, tensor);
  }
}

size_t bytes_in_message(const pb::TensorProto& proto) {
  return proto.raw_data().size() + static_cast<size_t>(proto.float_data_size()) * 4 +
         static_cast<size_t>(proto.int32_data_size()) * 4 +
         static_cast<size_t>(proto.int64_data_size()) * 8 +
         static_cast<size_t>(proto.double_data_size()) * 8 +
         static_cast<size_t>(proto.uint64_data_size()) * 8;
}

}  // namespace

DataType data_type_from_onnx(int64_t code, const std::string& where) {
  for (const TypeRow& row : kTypes)
    if (row.code == code && row.type != iotadnn_data_type_undef) return row.type;
  std::string name = std::to_string(code);
  for (const TypeRow& row : kTypes)
    if (row.code == code) name = row.name;
  throw ModelError(where + ": unsupported type " + name +
                   " of ONNX, allowed: FLOAT, FLOAT16, BFLOAT16, DOUBLE, integers of 8 to 64 bits "
                   "and BOOL");
}

int32_t onnx_code_of(DataType type) {
  for (const TypeRow& row : kTypes)
    if (row.type == type) return row.code;
  return 0;
}

std::string OnnxData::path_of(const std::string& location, const std::string& where) const {
  namespace fs = std::filesystem;
  const fs::path relative = fs::path(location).lexically_normal();
  const auto refusal = [&] {
    return ModelError(where + ": external data at '" + location +
                      "', allowed: a file in the model's folder");
  };
  if (location.empty() || relative.is_absolute() || *relative.begin() == "..") throw refusal();
  if (folder_.empty())
    throw ModelError(where + ": external data at '" + location + "', but the model has no folder");
  // Symbolic links may lead out of it.
  std::error_code failed;
  const fs::path path = fs::weakly_canonical(fs::path(folder_) / relative, failed);
  const fs::path folder = fs::weakly_canonical(folder_, failed);
  if (failed || *path.lexically_relative(folder).begin() == "..") throw refusal();
  return path.string();
}

// Before memory is taken: the file must hold that much.
OnnxData::InFile OnnxData::find(const pb::TensorProto& proto, size_t bytes,
                                const std::string& where) {
  const Place place = place_of(proto, where);
  const std::string path = path_of(place.location, where);
  if (place.length && *place.length != bytes)
    throw ModelError(where + ": external data of " + std::to_string(*place.length) +
                     " bytes, its shape and type need " + std::to_string(bytes));
  std::error_code failed;
  const uint64_t size = std::filesystem::file_size(path, failed);
  if (failed) throw ModelError(where + ": external data: cannot read '" + path + "'");
  if (place.offset > size || bytes > size - place.offset)
    throw ModelError(where + ": external data of " + std::to_string(bytes) + " bytes at offset " +
                     std::to_string(place.offset) + " of '" + place.location + "', which has " +
                     std::to_string(size) + " bytes");
  if (files_.insert(path).second) there_is_ += size;
  return {path, place.offset};
}

void OnnxData::read_external(const InFile& from, const std::string& where, Tensor& tensor) {
  std::ifstream file(from.path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(from.offset));
  file.read(reinterpret_cast<char*>(tensor.data()), static_cast<std::streamsize>(tensor.bytes()));
  if (!file) throw ModelError(where + ": external data: cannot read '" + from.path + "'");
}

// Every byte of the files four times is more than any model reads, and a little one may be all that
// there is.
void OnnxData::check_total(size_t bytes, const std::string& where) {
  constexpr uint64_t kTimes = 4;
  constexpr uint64_t kAlways = uint64_t{16} << 20;
  read_ += bytes;
  if (read_ > kTimes * there_is_ + kAlways)
    throw ModelError(where + ": with it the constants have " + std::to_string(read_) +
                     " bytes, the model and its files " + std::to_string(there_is_));
}

Tensor OnnxData::read(const pb::TensorProto& proto, const std::string& where) {
  const DataType type = data_type_from_onnx(proto.data_type(), where);
  const Dims dims(proto.dims().begin(), proto.dims().end());
  if (proto.has_segment()) throw ModelError(where + ": tensors in segments are not supported");
  const bool is_external = proto.data_location() == pb::TensorProto::EXTERNAL;
  const size_t bytes = dense_bytes(type, dims, where);
  // Before memory is taken: a message of a few bytes must not ask for all of it.
  if (!is_external && proto.has_raw_data() && proto.raw_data().size() != bytes)
    fail_count(where, dims, proto.raw_data().size(), "bytes");
  if (!is_external && bytes_in_message(proto) < bytes)
    fail_count(where, dims, bytes_in_message(proto), "bytes");
  InFile external;
  if (is_external) external = find(proto, bytes, where);
  check_total(bytes, where);
  Tensor tensor(type, dims, where);
  if (is_external) {
    read_external(external, where, tensor);
  } else if (proto.has_raw_data()) {
    if (bytes > 0) std::memcpy(tensor.data(), proto.raw_data().data(), bytes);
  } else {
    read_fields(proto, where, tensor);
  }
  if (type == iotadnn_boolean) make_boolean(tensor);
  return tensor;
}

}  // namespace iotadnn::models

// SPDX-License-Identifier: Apache-2.0
// The format as numpy.lib.format documents it: magic, version, length of the header, the header (a
// dictionary as Python spells it), then the elements.
#include "frontends/files/npy.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "frontends/model/broadcast.h"
#include "frontends/model/elements.h"
#include "frontends/model/error.h"

namespace iotadnn::models {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

struct TypeRow {
  std::string_view descr;
  DataType type;
};

constexpr TypeRow kTypes[] = {
    {"<f4", iotadnn_f32}, {"<f8", iotadnn_f64}, {"<f2", iotadnn_f16}, {"|i1", iotadnn_s8},
    {"<i2", iotadnn_s16}, {"<i4", iotadnn_s32}, {"<i8", iotadnn_s64}, {"|u1", iotadnn_u8},
    {"<u2", iotadnn_u16}, {"<u4", iotadnn_u32}, {"<u8", iotadnn_u64}, {"|b1", iotadnn_boolean},
};

// The text behind "'key':" up to what ends it.
std::string_view field(std::string_view header, std::string_view key, const std::string& where) {
  const std::string quoted = "'" + std::string(key) + "':";
  const size_t at = header.find(quoted);
  if (at == std::string_view::npos)
    throw ModelError(where + ": the header has no '" + std::string(key) + "'");
  std::string_view rest = header.substr(at + quoted.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return rest;
}

DataType type_of(std::string_view header, const std::string& where) {
  const std::string_view text = field(header, "descr", where);
  for (const TypeRow& row : kTypes)
    if (text.substr(0, 5) == "'" + std::string(row.descr) + "'") return row.type;
  throw ModelError(where + ": elements " + std::string(text.substr(0, text.find(','))) +
                   ", allowed: f2, f4, f8, i1 to i8, u1 to u8 and b1, little-endian");
}

Dims shape_of(std::string_view header, const std::string& where) {
  std::string_view text = field(header, "shape", where);
  const size_t end = text.find(')');
  if (text.empty() || text[0] != '(' || end == std::string_view::npos)
    throw ModelError(where + ": the header's 'shape' is no tuple");
  text = text.substr(1, end - 1);
  Dims dims;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" ,"), text.size()));
    if (text.empty()) return dims;
    int64_t extent = 0;
    const auto [rest, failed] = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (failed != std::errc()) throw ModelError(where + ": the header's 'shape' is no tuple");
    dims.push_back(extent);
    text.remove_prefix(static_cast<size_t>(rest - text.data()));
  }
}

// Column-major elements in row-major order.
Tensor turned(const Tensor& given, const Dims& dims) {
  Tensor made(given.type(), dims);
  const Dims dense = strides_of(given.dims());
  Walk walk(dims);
  walk.add({dense.rbegin(), dense.rend()});
  const size_t width = made.count() == 0 ? 0 : made.bytes() / static_cast<size_t>(made.count());
  for (int64_t i = 0; i < made.count(); ++i, walk.next())
    std::memcpy(made.data() + static_cast<size_t>(i) * width,
                given.data() + static_cast<size_t>(walk.at(0)) * width, width);
  return made;
}

Tensor as_f32(const Tensor& tensor) {
  Tensor made(iotadnn_f32, tensor.dims());
  const auto load = loader<double>(tensor.type());
  const auto store = storer<double>(iotadnn_f32);
  for (int64_t i = 0; i < tensor.count(); ++i)
    store(made.data(), i, load(tensor.data(), i));
  return made;
}

}  // namespace

Tensor read_npy(std::string_view bytes, const std::string& where) {
  if (bytes.size() < 10 || bytes.substr(0, kMagic.size()) != kMagic)
    throw ModelError(where + ": this is no file of NumPy's array format");
  const auto byte = [&](size_t at) { return static_cast<size_t>(static_cast<uint8_t>(bytes[at])); };
  const size_t version = byte(6);
  const size_t start = version == 1 ? 10 : 12;
  if (version < 1 || version > 3 || bytes.size() < start)
    throw ModelError(where + ": format version " + std::to_string(version) + ", allowed: 1 to 3");
  size_t length = byte(8) | byte(9) << 8;
  if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
  if (bytes.size() - start < length) throw ModelError(where + ": the header ends early");
  const std::string_view header = bytes.substr(start, length);
  const std::string_view data = bytes.substr(start + length);
  const DataType type = type_of(header, where);
  const Dims dims = shape_of(header, where);
  const bool is_turned = field(header, "fortran_order", where).substr(0, 4) == "True";
  if (dense_bytes(type, dims, where) != data.size())
    throw ModelError(where + ": " + std::to_string(data.size()) + " bytes of data for shape " +
                     shape_text(dims));
  Tensor tensor(type, is_turned ? Dims(dims.rbegin(), dims.rend()) : dims, where);
  if (!data.empty()) std::memcpy(tensor.data(), data.data(), data.size());
  if (type == iotadnn_boolean) make_boolean(tensor);
  return is_turned ? turned(tensor, dims) : tensor;
}

std::string write_npy(const Tensor& tensor) {
  if (tensor.type() == iotadnn_bf16) return write_npy(as_f32(tensor));
  std::string header = "{'descr': '";
  for (const TypeRow& row : kTypes)
    if (row.type == tensor.type()) header += row.descr;
  header += "', 'fortran_order': False, 'shape': (";
  for (const int64_t extent : tensor.dims())
    header += std::to_string(extent) + ", ";
  header += "), }";
  constexpr size_t kAlignment = 64;  // of the first element
  const size_t fixed = kMagic.size() + 4;
  header.append(kAlignment - (fixed + header.size() + 1) % kAlignment, ' ');
  header += '\n';
  std::string bytes(kMagic);
  bytes +=
      {'\1', '\0', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(tensor.data()), tensor.bytes());
  return bytes;
}

}  // namespace iotadnn::models

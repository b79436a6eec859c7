// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace iotadnn::test {

// Writes OpenVINO IR as text and bytes, as the format's documentation describes it. Layers are
// numbered in the order in which they are made; ports run on through inputs and outputs. It checks
// nothing: tests of errors write what no one else would.
class IrWriter {
 public:
  struct Out {
    int layer;
    int port;
    std::string precision;
  };

  using Attrs = std::vector<std::pair<std::string, std::string>>;

  explicit IrWriter(int version = 11) : version_(version) {}

  // `shape` as the format spells it: "?,128", "..." or "" for a scalar.
  Out parameter(const std::string& name, const std::string& type, const std::string& shape);

  // Equal bytes are stored once.
  Out constant(const std::string& type, const std::vector<int64_t>& dims,
               const std::vector<unsigned char>& bytes);

  template <class T>
  Out constant(const std::string& type, const std::vector<int64_t>& dims,
               const std::vector<T>& values) {
    std::vector<unsigned char> bytes(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return constant(type, dims, bytes);
  }

  // Scalars, and lists of rank 1.
  Out i64(int64_t value) { return constant<int64_t>("i64", {}, {value}); }

  Out i32(int32_t value) { return constant<int32_t>("i32", {}, {value}); }

  Out f32(float value) { return constant<float>("f32", {}, {value}); }

  Out list(const std::vector<int64_t>& values) {
    return constant<int64_t>("i64", {static_cast<int64_t>(values.size())}, values);
  }

  // A layer of one output; `precision` as ports name it, "" leaves it out.
  Out layer(const std::string& type, const std::string& version, const std::vector<Out>& inputs,
            const Attrs& attrs, const std::string& precision, const std::string& name = "");

  void result(const Out& from, const std::string& name = "");

  // Tensor names of the last layer's output, as the format spells them: "a,b".
  void name_last(const std::string& names) { layers_.back().tensor_names = names; }

  [[nodiscard]] std::string xml() const;

  [[nodiscard]] const std::string& bin() const { return bin_; }

  // Layers are written in the opposite order.
  void turn_around() { turned_ = true; }

 private:
  struct Layer {
    std::string name, type, version;
    Attrs attrs;
    std::vector<Out> inputs;
    bool has_output = true;
    std::string precision;
    std::string tensor_names;
  };

  [[nodiscard]] std::string text_of(size_t index) const;
  Out add(Layer layer);

  int version_;
  bool turned_ = false;
  std::vector<Layer> layers_;
  std::string bin_;
  std::map<std::string, size_t> blobs_;  // their offsets
};

// Text as an attribute's value.
std::string xml_escaped(const std::string& text);

// "FP32" for "f32".
std::string ir_precision(const std::string& type);

}  // namespace iotadnn::test

// SPDX-License-Identifier: Apache-2.0
#include "tools/inputs.h"

#include <charconv>
#include <map>
#include <random>

#include "frontends/files/load.h"
#include "frontends/model/elements.h"
#include "tools/command.h"

namespace iotadnn::tools {
namespace {

using models::Dims;
using models::Model;
using models::Tensor;
using models::Value;

bool ends_with(const std::string& text, const std::string& ending) {
  return text.size() >= ending.size() &&
         text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

// "5x7"; "" is a scalar.
Dims parse_shape(const std::string& text, const std::string& where) {
  Dims dims;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    int64_t extent = 0;
    const auto [rest, failed] = std::from_chars(at, end, extent);
    const bool goes_on = rest != end && *rest == 'x' && rest + 1 != end;
    if (failed != std::errc() || extent < 0 || (rest != end && !goes_on))
      throw UsageError(where + ": '" + text +
                       "', allowed: a file.npy, a file.pb, or a shape like 5x7");
    dims.push_back(extent);
    at = goes_on ? rest + 1 : rest;
  }
  return dims;
}

Tensor random_tensor(models::DataType type, const Dims& dims, const std::string& where,
                     std::mt19937_64& random) {
  Tensor made(type, dims, where);
  const bool is_real = models::is_floating(type);
  const auto store = models::storer<double>(type);
  for (int64_t i = 0; i < made.count(); ++i) {
    const auto bits = static_cast<double>(random() >> 11) * 0x1p-53;
    const auto integer = static_cast<double>(random() >> (type == iotadnn_boolean ? 63 : 61));
    store(made.data(), i, is_real ? 2 * bits - 1 : integer);
  }
  return made;
}

// Files of NumPy have no bf16: f32 is taken for it.
Tensor as_type(const Tensor& given, models::DataType type) {
  if (given.type() != iotadnn_f32 || type != iotadnn_bf16) return given;
  Tensor made(type, given.dims());
  const auto load = models::loader<double>(iotadnn_f32);
  const auto store = models::storer<double>(type);
  for (int64_t i = 0; i < made.count(); ++i)
    store(made.data(), i, load(given.data(), i));
  return made;
}

class InputMaker {
 public:
  InputMaker(const Model& model, const InputOptions& options)
      : model_(model), options_(options), random_(options.seed) {
    for (const std::string& text : options.given) {
      // Names may hold '=': the longest name that the model has counts.
      size_t split = text.rfind('=');
      while (split != std::string::npos && split > 0 && !model.find_input(text.substr(0, split)))
        split = text.rfind('=', split - 1);
      if (split == std::string::npos || !model.find_input(text.substr(0, split)))
        throw UsageError("'" + text + "' names no input; the model has: " + names());
      given_[text.substr(0, split)] = text.substr(split + 1);
    }
  }

  // Files and shapes first: they say what symbols are.
  std::vector<Tensor> make() {
    std::vector<Tensor> made(model_.inputs.size());
    for (const bool first : {true, false})
      for (size_t i = 0; i < made.size(); ++i)
        if ((given_.count(value(i).name) != 0) == first) made[i] = make(value(i));
    return made;
  }

 private:
  const Value& value(size_t input) const { return model_.values[model_.inputs[input]]; }

  std::string names() const {
    std::string all;
    for (size_t i = 0; i < model_.inputs.size(); ++i)
      all += (i > 0 ? ", " : "") + models::printable(value(i).name);
    return all.empty() ? "none" : all;
  }

  Tensor make(const Value& value) {
    const std::string where = "input " + models::describe(value);
    const auto given = given_.find(value.name);
    Tensor made;
    if (given == given_.end()) {
      made = random_tensor(value.type, stated(value, where), where, random_);
    } else if (ends_with(given->second, ".npy") || ends_with(given->second, ".pb")) {
      made = as_type(models::load_tensor(given->second), value.type);
    } else {
      made = random_tensor(value.type, parse_shape(given->second, where), where, random_);
    }
    for (size_t d = 0; d < value.symbols.size() && d < made.dims().size(); ++d)
      if (!value.symbols[d].empty()) symbols_.emplace(value.symbols[d], made.dims()[d]);
    return made;
  }

  Dims stated(const Value& value, const std::string& where) const {
    if (!value.dims)
      throw UsageError(where + " has no shape in the file: give one, as in --input " + value.name +
                       "=5x7");
    Dims dims = *value.dims;
    for (size_t d = 0; d < dims.size(); ++d) {
      if (dims[d] != models::kUnknownDim) continue;
      const auto symbol = symbols_.find(value.symbols.empty() ? "" : value.symbols[d]);
      dims[d] = symbol != symbols_.end() ? symbol->second : options_.assumed;
      if (symbol == symbols_.end() && options_.assumed == 0)
        throw UsageError(where + " has shape " + models::shape_text(*value.dims) +
                         ": give one without '?', as in --input " + value.name + "=5x7");
    }
    return dims;
  }

  const Model& model_;
  const InputOptions& options_;
  std::mt19937_64 random_;
  std::map<std::string, std::string> given_;
  std::map<std::string, int64_t> symbols_;
};

}  // namespace

std::vector<Tensor> make_inputs(const Model& model, const InputOptions& options) {
  return InputMaker(model, options).make();
}

}  // namespace iotadnn::tools

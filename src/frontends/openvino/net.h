// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "frontends/model/tensor.h"

// What the .xml file of an OpenVINO IR says, before any op is looked at: layers, their ports, and
// which output feeds which input. Versions 10 and 11 differ in what is skipped here.
namespace iotadnn::models {

struct IrPort {
  int64_t id = 0;
  std::string precision;  // "FP32"; "" where the file leaves it out
  std::string name;       // the first tensor name; "" without
};

struct IrSource {
  size_t layer = 0;   // index into IrNet::layers
  size_t output = 0;  // of its outputs, in the file's order
};

struct IrLayer {
  int64_t id = 0;
  std::string name;
  std::string type;
  int64_t opset = 0;
  std::map<std::string, std::string> attrs;  // of <data>
  std::vector<IrPort> inputs;
  std::vector<IrPort> outputs;
  std::vector<IrSource> sources;  // one per input
};

struct IrNet {
  int64_t version = 0;
  std::string name;
  std::vector<IrLayer> layers;  // in the file's order
};

// "layer 3 'eye' (Eye)".
std::string describe(const IrLayer& layer);

// ModelError with one sentence for what is no IR, and for ids, ports and edges that do not fit.
IrNet parse_ir(std::string xml);

// The whole of a text as a number; false for anything else.
bool parse_integer(const std::string& text, int64_t& value);

}  // namespace iotadnn::models

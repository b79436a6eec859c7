// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "frontends/model/session.h"
#include "frontends/openvino/reader.h"
#include "support/ir_writer.h"
#include "support/isa_param.h"

// Runs IR files that tests write, on everything that can run them.
namespace iotadnn::models::test {

using iotadnn::test::IrWriter;

inline Model read_ir(const IrWriter& ir) {
  return read_openvino(ir.xml(), ir.bin());
}

template <class T>
Tensor tensor_of(DataType type, const Dims& dims, const std::vector<T>& values) {
  Tensor made(type, dims);
  EXPECT_EQ(made.bytes(), values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(made.data(), values.data(), made.bytes());
  return made;
}

inline Tensor f32_tensor(const Dims& dims, const std::vector<float>& values) {
  return tensor_of(iotadnn_f32, dims, values);
}

template <class T>
std::vector<T> values_of(const Tensor& tensor) {
  std::vector<T> values(tensor.bytes() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), tensor.data(), tensor.bytes());
  return values;
}

inline void expect_same(const Tensor& got, const Tensor& want, const std::string& how) {
  ASSERT_EQ(got.type(), want.type()) << how;
  ASSERT_EQ(got.dims(), want.dims()) << how;
  EXPECT_EQ(std::memcmp(got.data(), want.data(), want.bytes()), 0) << how << " differs in bits";
}

// The outputs of the interpreter; fused and unfused partitions must give the same bits on every ISA
// of this host.
inline std::vector<Tensor> run_model(const Model& model, const std::vector<Tensor>& inputs = {}) {
  PlanOptions reference;
  reference.reference = true;
  std::vector<Tensor> want = Session(model, reference).run(inputs);
  for (const iotadnn::test::NamedIsa& isa : iotadnn::test::host_named_isas()) {
    const iotadnn::test::ScopedMaxCpuIsa cap(isa.isa);
    for (const bool unfused : {false, true}) {
      PlanOptions options;
      options.unfused = unfused;
      const std::vector<Tensor> got = Session(model, options).run(inputs);
      for (size_t i = 0; i < want.size(); ++i)
        expect_same(got.at(i), want[i], std::string(isa.name) + (unfused ? ", unfused" : ""));
    }
  }
  return want;
}

inline std::vector<Tensor> run_ir(const IrWriter& ir, const std::vector<Tensor>& inputs = {}) {
  return run_model(read_ir(ir), inputs);
}

// The sentence with which reading, or else running, is refused; "" when it is not.
inline std::string refusal_of(const std::string& xml, const std::string& bin,
                              const std::vector<Tensor>& inputs = {}) {
  try {
    const Model model = read_openvino(xml, bin);
    Session(model).run(inputs);
  } catch (const frontends::GraphError& refused) {
    return refused.what();
  }
  return "";
}

inline std::string refusal_of(const IrWriter& ir, const std::vector<Tensor>& inputs = {}) {
  return refusal_of(ir.xml(), ir.bin(), inputs);
}

}  // namespace iotadnn::models::test

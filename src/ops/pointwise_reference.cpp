// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "ops/arguments.h"
#include "ops/broadcast.h"
#include "ops/expand_context.h"
#include "ops/op_table.h"
#include "ops/pointwise_ops.h"
#include "ops/strided_loop.h"
#include "program/evaluate.h"

namespace iotadnn::impl::pointwise_ops {
namespace {

constexpr int64_t kLanes = 256;

// Lanes of one value: elements of its type from the start, up to eight bytes each.
using Lanes = std::array<uint64_t, kLanes>;

// The instructions of an op, and where the inputs' elements lie. Loads, constants and coordinates
// use `imm` as a row program does (load: the position in `loads`).
class Recorder final : public ExpandContext {
 public:
  Recorder(const RefContext& ref, const LogicalTensor& out)
      : ExpandContext(*ref.op), ref_(ref), out_(out) {}

  struct Load {
    const TensorView* view;
    Dims strides;  // by dimension of the output
  };

  int rank() const override { return ref_.outputs[0].lt->rank; }

  DataType type_of(uint16_t value) const override { return insts[value].type; }

  uint16_t input(size_t port) override { return load(port, *ref_.inputs[port].lt); }

  uint16_t input_without(size_t port, int axis) override {
    // As if it had the dimension with extent 1.
    LogicalTensor spread = *ref_.inputs[port].lt;
    spread.strides = strides_of(spread);
    spread.layout = LayoutType::strided;
    std::copy_backward(spread.dims.begin() + axis, spread.dims.end() - 1, spread.dims.end());
    std::copy_backward(spread.strides.begin() + axis, spread.strides.end() - 1,
                       spread.strides.end());
    spread.dims[axis] = 1;
    ++spread.rank;
    return load(port, spread);
  }

  uint16_t scalar_input(size_t port, DataType type) override {
    return constant_bits(type, scalar_bits(ref_.inputs[port], type));
  }

  uint16_t parameter(DataType type, uint64_t bits) override { return constant_bits(type, bits); }

  uint16_t coord(int axis, DataType type) override {
    return push({Opcode::coord, static_cast<uint64_t>(axis), type});
  }

  uint16_t constant_bits(DataType type, uint64_t bits) override {
    return push({Opcode::constant, bits, type});
  }

  uint16_t emit(Opcode opcode, DataType type, uint16_t a, uint16_t b, uint16_t c) override {
    return push({opcode, 0, type, {a, b, c}});
  }

  std::vector<Inst> insts;
  std::vector<Load> loads;
  Status status;  // of the inputs' shapes

 private:
  uint16_t push(const Inst& inst) {
    insts.push_back(inst);
    return static_cast<uint16_t>(insts.size() - 1);
  }

  uint16_t load(size_t port, const LogicalTensor& t) {
    auto strides = broadcast_strides(input_text(op, port), t, out_);
    if (!strides.ok()) status = strides.status();
    loads.push_back({&ref_.inputs[port], strides.ok() ? *strides : Dims{}});
    return push({Opcode::load, loads.size() - 1, t.type});
  }

  const RefContext& ref_;
  const LogicalTensor& out_;
};

// Runs recorded instructions on up to kLanes elements of an output row at a time.
class Runner {
 public:
  Runner(const Recorder& recorder, const TensorView& out, const LogicalTensor& shape)
      : recorder_(recorder), out_(out), shape_(shape), values_(recorder.insts.size()) {}

  void run() {
    const int last = shape_.rank - 1;
    for_each_row(shape_, [&](int64_t offset, const Dims& row) {
      Dims coords = row;
      for (; coords[last] < shape_.dims[last]; coords[last] += kLanes) {
        const int64_t count = std::min(kLanes, shape_.dims[last] - coords[last]);
        for (size_t i = 0; i < values_.size(); ++i)
          compute(i, coords, count);
        scatter(offset + coords[last] * shape_.strides[last], count);
      }
    });
  }

 private:
  void compute(size_t i, const Dims& coords, int64_t count) {
    const Inst& inst = recorder_.insts[i];
    void* const result = values_[i].data();
    switch (inst.op) {
      case Opcode::constant:
        return repeat(result, inst.imm, bytes_of(inst.type), count);
      case Opcode::coord:
        return coordinates(result, inst, coords, count);
      case Opcode::load:
        return gather(result, inst, coords, count);
      default:
        break;
    }
    const void* const operands[3] = {values_[inst.args[0]].data(), values_[inst.args[1]].data(),
                                     values_[inst.args[2]].data()};
    const size_t typed = inst.op == Opcode::select ? 1 : 0;
    evaluate(inst.op, inst.type, recorder_.type_of(inst.args[typed]), result, operands, count);
  }

  static void repeat(void* result, uint64_t bits, int bytes, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      copy_element(result, i, &bits, 0, bytes);
  }

  void coordinates(void* result, const Inst& inst, const Dims& coords, int64_t count) const {
    std::array<int64_t, kLanes> at;
    const auto axis = static_cast<size_t>(inst.imm);
    const bool runs = static_cast<int>(axis) == shape_.rank - 1;
    for (int64_t i = 0; i < count; ++i)
      at[static_cast<size_t>(i)] = coords[axis] + (runs ? i : 0);
    const void* const operands[3] = {at.data(), nullptr, nullptr};
    evaluate(Opcode::convert, inst.type, DataType::s64, result, operands, count);
  }

  void gather(void* result, const Inst& inst, const Dims& coords, int64_t count) const {
    const Recorder::Load& load = recorder_.loads[inst.imm];
    const int64_t first = offset_of(coords, load.strides, shape_.rank);
    const int64_t step = load.strides[shape_.rank - 1];
    for (int64_t i = 0; i < count; ++i)
      copy_element(result, i, load.view->data, first + i * step, bytes_of(inst.type));
  }

  void scatter(int64_t offset, int64_t count) const {
    const Lanes& lanes = values_[recorder_.result];
    for (int64_t i = 0; i < count; ++i)
      copy_element(out_.data, offset + i * shape_.strides[shape_.rank - 1], lanes.data(), i,
                   bytes_of(shape_.type));
  }

  const Recorder& recorder_;
  const TensorView& out_;
  const LogicalTensor& shape_;
  std::vector<Lanes> values_;
};

}  // namespace

Status reference(const RefContext& ctx) {
  const TensorView& out = ctx.outputs[0];
  LogicalTensor shape = *out.lt;
  if (shape.rank == 0) {  // a row of one element
    shape.rank = 1;
    shape.dims[0] = 1;
    shape.strides[0] = 1;
  }
  Recorder recorder(ctx, shape);
  IOTADNN_TRY(find_op(ctx.op->kind)->expand(recorder));
  IOTADNN_TRY(recorder.status);
  Runner(recorder, out, shape).run();
  return {};
}

}  // namespace iotadnn::impl::pointwise_ops

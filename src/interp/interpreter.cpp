// SPDX-License-Identifier: Apache-2.0
#include "interp/interpreter.h"

#include <memory>
#include <new>
#include <string>
#include <unordered_map>

#include "ops/op_table.h"

namespace iotadnn::impl {
namespace {

class Interpreter {
 public:
  Interpreter(Span<const TensorView> inputs, Span<const TensorView> outputs) {
    for (const TensorView& view : inputs)
      values_.emplace(view.lt->id, view);
    for (const TensorView& view : outputs)
      values_.emplace(view.lt->id, view);
  }

  Status run(const Op& op) {
    const OpDef* def = find_op(op.kind);
    if (def == nullptr || def->reference == nullptr)
      return unimplemented(op_text(op) + " has no reference in this library");
    RefContext ctx;
    ctx.op = &op;
    for (size_t p = 0; p < op.inputs.size(); ++p) {
      const auto found = values_.find(op.inputs[p].id);
      if (found == values_.end())
        return invalid_arguments(input_text(op, p) + " is neither given nor computed before");
      ctx.inputs.push_back(found->second);
      IOTADNN_TRY(check_known(input_text(op, p), *found->second.lt));
      const bool reads_data = p < 32 && (def->data_inputs >> p & 1u) != 0;
      if (reads_data) IOTADNN_TRY(check_data(input_text(op, p), found->second));
    }
    for (size_t p = 0; p < op.outputs.size(); ++p) {
      const std::string port = output_text(op, p);
      auto found = values_.find(op.outputs[p].id);
      if (found == values_.end()) {
        IOTADNN_TRY(allocate(port, op.outputs[p]));
        found = values_.find(op.outputs[p].id);
      }
      const TensorView& view = found->second;
      IOTADNN_TRY(check_output(port, *view.lt));
      IOTADNN_TRY(check_data(port, view));
      ctx.outputs.push_back(view);
    }
    return def->reference(ctx);
  }

 private:
  static Status check_known(const std::string& port, const LogicalTensor& t) {
    if (is_fully_known(t)) return {};
    return invalid_arguments(port + " has shape " + shape_text(t.dims, t.rank) +
                             " or strides that are not fully known");
  }

  static Status check_output(const std::string& port, const LogicalTensor& t) {
    IOTADNN_TRY(check_known(port, t));
    if (t.layout == LayoutType::strided) return {};
    return invalid_arguments(port + " has layout " + std::string(name_of(t.layout)) +
                             ", allowed: strided");
  }

  // A null handle is legal for an empty tensor.
  static Status check_data(const std::string& port, const TensorView& view) {
    if (view.data != nullptr) return {};
    const auto count = num_elements(view.lt->dims, view.lt->rank);
    if (count.ok() && *count == 0) return {};
    return invalid_arguments(port + " has no data");
  }

  // A buffer for a value between the ops.
  Status allocate(const std::string& port, const LogicalTensor& t) {
    IOTADNN_TRY(check_output(port, t));
    const auto bytes = buffer_bytes(t);
    if (!bytes.ok()) return {bytes.status().code(), port + ": " + bytes.status().message()};
    buffers_.emplace_back(new (std::nothrow) unsigned char[*bytes]);
    if (buffers_.back() == nullptr)
      return out_of_memory(port + " needs " + std::to_string(*bytes) +
                           " bytes between two ops, which cannot be allocated");
    values_.emplace(t.id, TensorView{&t, buffers_.back().get()});
    return {};
  }

  std::unordered_map<size_t, TensorView> values_;
  std::vector<std::unique_ptr<unsigned char[]>> buffers_;
};

}  // namespace

Status interpret(Span<const Op> ops, Span<const TensorView> inputs,
                 Span<const TensorView> outputs) {
  Interpreter interpreter(inputs, outputs);
  for (const Op& op : ops)
    IOTADNN_TRY(interpreter.run(op));
  return {};
}

}  // namespace iotadnn::impl

// SPDX-License-Identifier: Apache-2.0
#include "frontends/openvino/table.h"

namespace iotadnn::models::ir_ops {

std::vector<size_t> gather(IrNode& n) {
  const int64_t axis = n.constant_integer(2, "the axis");
  const int64_t batch_dims = n.opset() >= 7 ? n.integer("batch_dims", 0) : 0;
  return {
      n.b.add(Op::gather, {n.input(0), n.index(1)}, {{"axis", axis}, {"batch_dims", batch_dims}})};
}

std::vector<size_t> concat(IrNode& n) {
  static_cast<void>(n.required("axis"));
  return {n.b.add(Op::concat, n.inputs(), {{"axis", n.integer("axis", 0)}})};
}

// Steps come before axes.
std::vector<size_t> slice(IrNode& n) {
  return {
      n.b.add(Op::slice, {n.input(0), n.index(1), n.index(2), n.optional_index(4), n.index(3)})};
}

// An axis that is not 1 stays. The attributes only say what is known of a rank before a run.
std::vector<size_t> squeeze(IrNode& n) {
  static_cast<void>(n.flag("allow_axis_skip", false));
  static_cast<void>(n.flag("pytorch_dynamic_rank", false));
  return {n.b.add(Op::squeeze, {n.input(0), n.optional_index(1)}, {{"skip", int64_t{1}}})};
}

std::vector<size_t> unsqueeze(IrNode& n) {
  return {n.b.add(Op::unsqueeze, {n.input(0), n.index(1)})};
}

std::vector<size_t> reshape(IrNode& n) {
  static_cast<void>(n.required("special_zero"));
  return {n.b.add(Op::reshape, {n.input(0), n.index(1)},
                  {{"allow_zero", int64_t{!n.flag("special_zero", false)}}})};
}

std::vector<size_t> broadcast(IrNode& n) {
  const std::string mode = n.text("mode", "numpy");
  const bool is_explicit = mode == "explicit" || mode == "none";  // two names of one value
  const bool is_both_ways = mode == "bidirectional" && n.opset() >= 3;
  if (!is_explicit && !is_both_ways && mode != "numpy")
    n.fail("attribute 'mode' is '" + mode + "', allowed: numpy, explicit, and bidirectional from " +
           "opset3 on");
  if (n.has(2) != is_explicit)
    n.fail("mode '" + mode + "' with " + std::to_string(n.inputs().size()) +
           " inputs: the third one, axes_mapping, goes with mode 'explicit'");
  return {n.b.add(Op::expand, {n.input(0), n.index(1), n.optional_index(2)},
                  {{"one_way", int64_t{!is_both_ways}}})};
}

std::vector<size_t> transpose(IrNode& n) {
  return {n.b.add(Op::transpose, {n.input(0), n.index(1)})};
}

}  // namespace iotadnn::models::ir_ops

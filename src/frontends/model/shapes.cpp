// SPDX-License-Identifier: Apache-2.0
// Ops that read shapes, and those that give the same elements another shape.
#include <algorithm>

#include "frontends/model/broadcast.h"
#include "frontends/model/elements.h"
#include "frontends/model/rows.h"

namespace iotadnn::models::rows {
namespace {

// The part of the dimensions that "start" and "end" of Shape name, clamped to the rank.
Dims shape_part(const ShapeContext& c) {
  const int64_t rank = c.rank(0);
  const auto clamp = [rank](int64_t at) {
    return std::clamp<int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  const int64_t start = clamp(c.node.integer("start"));
  const int64_t end = std::max(start, clamp(c.node.integer("end", rank)));
  const Dims& dims = c.dims(0);
  return {dims.begin() + start, dims.begin() + end};
}

}  // namespace

void infer_shape(ShapeContext& c) {
  c.out[0] = {static_cast<int64_t>(shape_part(c).size())};
}

void run_shape(RunContext& c) {
  const auto store = storer<int64_t>(c.out[0].type());
  int64_t at = 0;
  for (const int64_t extent : shape_part(c.shapes))
    store(c.out[0].data(), at++, extent);
}

void infer_size(ShapeContext& c) {
  c.out[0] = {};
}

void run_size(RunContext& c) {
  const auto count = element_count(c.shapes.dims(0));
  if (!count) c.fail("the size of " + shape_text(c.shapes.dims(0)) + " overflows 64 bits");
  storer<int64_t>(c.out[0].type())(c.out[0].data(), 0, *count);
}

void infer_reshape(ShapeContext& c) {
  const Dims& from = c.dims(0);
  Dims to = c.list(1);
  const bool allows_zero = c.node.flag("allow_zero");
  size_t open = to.size();
  for (size_t d = 0; d < to.size(); ++d) {
    if (to[d] == 0 && !allows_zero) {
      if (d >= from.size())
        c.fail("extent 0 of the new shape " + shape_text(to) + " names dimension " +
               std::to_string(d) + " of a source of rank " + std::to_string(from.size()));
      to[d] = from[d];
    } else if (to[d] == -1 && open == to.size()) {
      open = d;
      continue;
    }
    if (to[d] < 0)
      c.fail("the new shape has extent " + std::to_string(to[d]) + (to[d] == -1 ? " twice" : "") +
             ", allowed: 0 and more, and -1 once");
  }
  const auto count = element_count(from);
  if (open < to.size()) {
    Dims rest = to;
    rest[open] = 1;
    const auto others = element_count(rest);
    if (!others || !count || *others == 0 || *count % *others != 0)
      c.fail("no extent for -1 makes " + shape_text(to) + " of the source's shape " +
             shape_text(from));
    to[open] = *count / *others;
  }
  if (!count || element_count(to) != count)
    c.fail("a source of shape " + shape_text(from) + " cannot be given the shape " +
           shape_text(to));
  c.out[0] = to;
}

void infer_squeeze(ShapeContext& c) {
  const Dims& from = c.dims(0);
  const bool skip = c.node.flag("skip");
  std::vector<int64_t> axes;
  if (c.has(1)) axes = c.axes(c.list(1), c.rank(0));
  if (!c.has(1) || (skip && axes.empty())) {
    for (size_t d = 0; d < from.size(); ++d)
      if (from[d] == 1) axes.push_back(static_cast<int64_t>(d));
  }
  c.out[0].clear();
  for (size_t d = 0; d < from.size(); ++d) {
    const bool goes = std::find(axes.begin(), axes.end(), static_cast<int64_t>(d)) != axes.end();
    if (!goes || (skip && from[d] != 1)) {
      c.out[0].push_back(from[d]);
    } else if (from[d] != 1) {
      c.fail("axis " + std::to_string(d) + " of shape " + shape_text(from) +
             " is not 1, so it cannot go");
    }
  }
}

void infer_unsqueeze(ShapeContext& c) {
  const std::vector<int64_t> list = c.list(1);
  const int64_t rank = c.rank(0) + static_cast<int64_t>(list.size());
  std::vector<int64_t> axes = c.axes(list, rank);
  std::sort(axes.begin(), axes.end());
  c.out[0] = c.dims(0);
  for (const int64_t axis : axes)
    c.out[0].insert(c.out[0].begin() + axis, 1);
}

void infer_flatten(ShapeContext& c) {
  const int64_t rank = c.rank(0);
  const int64_t given = c.node.integer("axis", 1);
  const auto axis = static_cast<size_t>(given == rank ? rank : c.axis(given, rank));
  const Dims& from = c.dims(0);
  c.out[0] = {product(from, 0, axis), product(from, axis, from.size())};
}

std::string emit_reshape(EmitContext& c) {
  c.ports = {0};
  c.op.attrs.emplace("shape", c.shapes.out[0]);
  c.op.attrs.emplace("special_zero", false);
  return "";
}

}  // namespace iotadnn::models::rows

// SPDX-License-Identifier: Apache-2.0
// Ops that move elements without looking at them.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "frontends/model/broadcast.h"
#include "frontends/model/elements.h"
#include "frontends/model/rows.h"

namespace iotadnn::models::rows {
namespace {

size_t width_of(const Tensor& tensor) {
  return tensor.count() == 0 ? 0 : tensor.bytes() / static_cast<size_t>(tensor.count());
}

// out[index] = in[start + sum of index * strides]
void gather_strided(const Tensor& in, Tensor& out, const Dims& strides, int64_t start) {
  const size_t width = width_of(out);
  Walk walk(out.dims());
  walk.add(strides, start);
  for (int64_t i = 0; i < out.count(); ++i, walk.next())
    std::memcpy(out.data() + static_cast<size_t>(i) * width,
                in.data() + static_cast<size_t>(walk.at(0)) * width, width);
}

struct Cut {
  int64_t start;
  int64_t step;
  int64_t count;
};

// One axis of a slice, clamped as the specification of ONNX says.
Cut cut_of(int64_t extent, int64_t start, int64_t end, int64_t step) {
  const auto from_end = [extent](int64_t at) { return at < 0 ? at + extent : at; };
  if (step > 0) {
    start = std::clamp<int64_t>(from_end(start), 0, extent);
    end = std::clamp<int64_t>(from_end(end), 0, extent);
    return {start, step, end > start ? (end - start - 1) / step + 1 : 0};
  }
  start = std::clamp<int64_t>(from_end(start), extent > 0 ? 0 : -1, extent - 1);
  end = std::clamp<int64_t>(from_end(end), -1, extent - 1);
  // -(step + 1) + 1 without overflow: unsigned
  const uint64_t back = uint64_t{0} - static_cast<uint64_t>(step);
  if (end >= start) return {start, step, 0};
  return {start, step, static_cast<int64_t>(static_cast<uint64_t>(start - end - 1) / back) + 1};
}

std::vector<Cut> cuts_of(const ShapeContext& c) {
  const Dims& from = c.dims(0);
  const std::vector<int64_t> starts = c.list(1);
  const std::vector<int64_t> ends = c.list(2);
  std::vector<int64_t> axes(starts.size());
  std::iota(axes.begin(), axes.end(), 0);
  if (c.has(3)) axes = c.list(3);
  axes = c.axes(axes, c.rank(0));
  std::vector<int64_t> steps(starts.size(), 1);
  if (c.has(4)) steps = c.list(4);
  if (ends.size() != starts.size() || axes.size() != starts.size() || steps.size() != starts.size())
    c.fail(std::to_string(starts.size()) + " starts, " + std::to_string(ends.size()) + " ends, " +
           std::to_string(axes.size()) + " axes and " + std::to_string(steps.size()) +
           " steps: they must be as many");
  std::vector<Cut> cuts;
  for (const int64_t extent : from)
    cuts.push_back({0, 1, extent});
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto d = static_cast<size_t>(axes[i]);
    if (steps[i] == 0) c.fail("the step of axis " + std::to_string(axes[i]) + " is 0");
    cuts[d] = cut_of(from[d], starts[i], ends[i], steps[i]);
  }
  return cuts;
}

std::vector<int64_t> order_of(const ShapeContext& c) {
  std::vector<int64_t> order;
  if (c.has(1)) order = c.list(1);
  const int64_t rank = c.rank(0);
  if (order.empty())
    for (int64_t d = rank; d-- > 0;)
      order.push_back(d);
  if (static_cast<int64_t>(order.size()) != rank)
    c.fail("the order lists " + std::to_string(order.size()) + " dimensions of rank " +
           std::to_string(rank));
  return c.axes(order, rank);
}

// The source's shape where the third input of Expand puts its dimensions, 1 elsewhere.
Dims mapped_source(const ShapeContext& c) {
  if (!c.has(2)) return c.dims(0);
  const std::vector<int64_t> wanted = c.list(1);
  const std::vector<int64_t> places = c.list(2);
  if (places.size() != c.dims(0).size() || !std::is_sorted(places.begin(), places.end()))
    c.fail("the dimensions " + shape_text(places) + " of a source of rank " +
           std::to_string(c.rank(0)) + ", allowed: one for each of its own, in ascending order");
  Dims dims(wanted.size(), 1);
  for (size_t d = 0; d < places.size(); ++d) {
    if (places[d] < 0 || places[d] >= static_cast<int64_t>(dims.size()) ||
        (d > 0 && places[d] == places[d - 1]))
      c.fail("dimension " + std::to_string(places[d]) + " of shape " + shape_text(wanted) +
             " cannot be the source's dimension " + std::to_string(d));
    dims[static_cast<size_t>(places[d])] = c.dims(0)[d];
  }
  return dims;
}

size_t axis_attr(const ShapeContext& c) {
  return static_cast<size_t>(c.axis(c.node.integer("axis"), c.rank(0)));
}

// How many leading dimensions data and indices of a Gather share.
size_t gather_batch(const ShapeContext& c, size_t axis) {
  const int64_t given = c.node.integer("batch_dims");
  const int64_t batch = given < 0 ? given + c.rank(1) : given;
  if (batch < 0 || batch > c.rank(1) || batch > static_cast<int64_t>(axis))
    c.fail("batch_dims is " + std::to_string(given) + ", the axis " + std::to_string(axis) +
           " and the indices have rank " + std::to_string(c.rank(1)) +
           ": batch dimensions are the first ones of both");
  if (!std::equal(c.dims(1).begin(), c.dims(1).begin() + batch, c.dims(0).begin()))
    c.fail("data of shape " + shape_text(c.dims(0)) + " and indices of shape " +
           shape_text(c.dims(1)) + " differ in their first " + std::to_string(batch) +
           " dimensions");
  return static_cast<size_t>(batch);
}

std::vector<int64_t> split_lengths(const ShapeContext& c, size_t axis) {
  const int64_t extent = c.dims(0)[axis];
  const auto parts = static_cast<int64_t>(c.node.outputs.size());
  if (c.has(1)) {
    std::vector<int64_t> lengths = c.list(1);
    int64_t rest = extent;
    for (const int64_t length : lengths)
      if (length < 0 || __builtin_sub_overflow(rest, length, &rest)) rest = -1;
    if (static_cast<int64_t>(lengths.size()) != parts || rest != 0)
      c.fail("the lengths " + shape_text(lengths) + " do not cut extent " + std::to_string(extent) +
             " into " + std::to_string(parts) + " outputs");
    return lengths;
  }
  const int64_t length = extent / parts + (extent % parts != 0 ? 1 : 0);
  if (length * (parts - 1) > extent || (extent % parts != 0 && !c.node.flag("uneven")))
    c.fail("extent " + std::to_string(extent) + " cannot be split into " + std::to_string(parts) +
           " equal parts");
  std::vector<int64_t> lengths(static_cast<size_t>(parts), length);
  lengths.back() = extent - length * (parts - 1);
  return lengths;
}

}  // namespace

void infer_expand(ShapeContext& c) {
  const Dims wanted = c.list(1);
  for (const int64_t extent : wanted)
    if (extent < 0)
      c.fail("the shape is " + list_text(wanted) + ", allowed: extents of 0 and more");
  const auto common = broadcast(mapped_source(c), wanted);
  if (!common || (c.node.flag("one_way") && *common != wanted))
    c.fail("shape " + shape_text(c.dims(0)) + " does not broadcast to " + shape_text(wanted));
  c.out[0] = *common;
}

void run_expand(RunContext& c) {
  Tensor& out = c.out[0];
  const size_t width = width_of(out);
  Walk walk(out.dims());
  walk.add_broadcast(mapped_source(c.shapes));
  for (int64_t i = 0; i < out.count(); ++i, walk.next())
    std::memcpy(out.data() + static_cast<size_t>(i) * width,
                c.input(0).data() + static_cast<size_t>(walk.at(0)) * width, width);
}

void infer_transpose(ShapeContext& c) {
  c.out[0].clear();
  for (const int64_t d : order_of(c))
    c.out[0].push_back(c.dims(0)[static_cast<size_t>(d)]);
}

void run_transpose(RunContext& c) {
  const Dims dense = strides_of(c.input(0).dims());
  Dims strides;
  for (const int64_t d : order_of(c.shapes))
    strides.push_back(dense[static_cast<size_t>(d)]);
  gather_strided(c.input(0), c.out[0], strides, 0);
}

std::string emit_transpose(EmitContext& c) {
  c.ports = {0};
  c.op.attrs.emplace("order", order_of(c.shapes));
  return "";
}

void infer_concat(ShapeContext& c) {
  const size_t axis = axis_attr(c);
  c.out[0] = c.dims(0);
  for (size_t port = 1; port < c.in.size(); ++port) {
    Dims dims = c.dims(port);
    if (dims.size() == c.out[0].size()) std::swap(dims[axis], c.out[0][axis]);
    if (dims.size() != c.out[0].size() ||
        !std::equal(dims.begin(), dims.end(), c.out[0].begin(),
                    [&](const int64_t& x, int64_t y) { return x == y || &x == &dims[axis]; }))
      c.fail("input " + std::to_string(port) + " has shape " + shape_text(c.dims(port)) +
             ", input 0 " + shape_text(c.dims(0)) + "; only axis " + std::to_string(axis) +
             " may differ");
    if (__builtin_add_overflow(dims[axis], c.out[0][axis], &c.out[0][axis]))
      c.fail("axis " + std::to_string(axis) + " overflows 64 bits");
  }
}

void run_concat(RunContext& c) {
  Tensor& out = c.out[0];
  const size_t axis = axis_attr(c.shapes);
  const int64_t outer = product(out.dims(), 0, axis);
  const auto row = out.count() == 0 ? 0 : out.bytes() / static_cast<size_t>(outer);
  size_t start = 0;
  for (const Tensor* in : c.in) {
    if (in->count() == 0) continue;
    const size_t part = in->bytes() / static_cast<size_t>(outer);
    for (int64_t i = 0; i < outer; ++i)
      std::memcpy(out.data() + static_cast<size_t>(i) * row + start,
                  in->data() + static_cast<size_t>(i) * part, part);
    start += part;
  }
}

std::string emit_axis(EmitContext& c) {
  c.op.attrs.emplace("axis", c.node.integer("axis"));
  return "";
}

void infer_slice(ShapeContext& c) {
  c.out[0].clear();
  for (const Cut& cut : cuts_of(c))
    c.out[0].push_back(cut.count);
}

void run_slice(RunContext& c) {
  if (c.out[0].count() == 0) return;
  const std::vector<Cut> cuts = cuts_of(c.shapes);
  Dims strides = strides_of(c.input(0).dims());
  int64_t start = 0;
  for (size_t d = 0; d < cuts.size(); ++d) {
    start += cuts[d].start * strides[d];
    strides[d] = cuts[d].count == 1 ? 0 : strides[d] * cuts[d].step;
  }
  gather_strided(c.input(0), c.out[0], strides, start);
}

void infer_split(ShapeContext& c) {
  const size_t axis = axis_attr(c);
  const std::vector<int64_t> lengths = split_lengths(c, axis);
  for (size_t i = 0; i < lengths.size(); ++i) {
    c.out[i] = c.dims(0);
    c.out[i][axis] = lengths[i];
  }
}

void run_split(RunContext& c) {
  const size_t axis = axis_attr(c.shapes);
  const Dims strides = strides_of(c.input(0).dims());
  int64_t start = 0;
  for (Tensor& out : c.out) {
    gather_strided(c.input(0), out, strides, start * strides[axis]);
    start += out.dims()[axis];
  }
}

void infer_gather(ShapeContext& c) {
  const size_t axis = axis_attr(c);
  const size_t batch = gather_batch(c, axis);
  const Dims& data = c.dims(0);
  Dims dims(data.begin(), data.begin() + static_cast<int64_t>(axis));
  dims.insert(dims.end(), c.dims(1).begin() + static_cast<int64_t>(batch), c.dims(1).end());
  dims.insert(dims.end(), data.begin() + static_cast<int64_t>(axis) + 1, data.end());
  c.out[0] = dims;
}

void run_gather(RunContext& c) {
  const Tensor& data = c.input(0);
  const Tensor& indices = c.input(1);
  Tensor& out = c.out[0];
  if (out.count() == 0) return;
  const size_t axis = axis_attr(c.shapes);
  const size_t batch = gather_batch(c.shapes, axis);
  const int64_t extent = data.dims()[axis];
  const size_t slice =
      static_cast<size_t>(product(data.dims(), axis + 1, data.dims().size())) * width_of(out);
  const int64_t outer = product(data.dims(), batch, axis);
  const int64_t count = product(indices.dims(), batch, indices.dims().size());
  const auto load = loader<int64_t>(indices.type());
  std::byte* to = out.data();
  for (int64_t o = 0; o < product(data.dims(), 0, axis); ++o) {
    for (int64_t i = 0; i < count; ++i, to += slice) {
      const int64_t given = load(indices.data(), o / outer * count + i);
      const int64_t index = given < 0 ? given + extent : given;
      if (index < 0 || index >= extent) {
        std::memset(to, 0, slice);  // as doc/ops.md says
      } else {
        std::memcpy(to, data.data() + static_cast<size_t>(o * extent + index) * slice, slice);
      }
    }
  }
}

std::string emit_gather(EmitContext& c) {
  if (c.node.integer("batch_dims") != 0) return "the graph API's Gather has no batch dimensions";
  return emit_axis(c);
}

}  // namespace iotadnn::models::rows

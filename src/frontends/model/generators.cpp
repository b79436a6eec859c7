// SPDX-License-Identifier: Apache-2.0
// Ops that compute from coordinates.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "frontends/model/broadcast.h"
#include "frontends/model/elements.h"
#include "frontends/model/rows.h"

namespace iotadnn::models::rows {
namespace {

__extension__ using Wide = __int128;  // column - row - k for any k

// Ones where column - row == k, zeros elsewhere, over all matrices of `out`.
void write_eye(Tensor& out, int64_t k) {
  if (out.count() == 0) return;
  std::memset(out.data(), 0, out.bytes());
  const Dims& dims = out.dims();
  const int64_t rows = dims[dims.size() - 2];
  const int64_t columns = dims.back();
  const auto store = storer<uint64_t>(out.type());
  for (int64_t i = 0; i < out.count() / columns; ++i) {
    const Wide column = Wide{i % rows} + k;
    if (column >= 0 && column < columns)
      store(out.data(), i * columns + static_cast<int64_t>(column), 1);
  }
}

void set_attr(EmitContext& c, const char* name, frontends::AttrValue value) {
  c.op.attrs.emplace(name, std::move(value));
}

// A value of the graph API's f32 attribute that becomes exactly this element; nullopt without.
std::optional<float> as_f32_attr(const Tensor& tensor, int64_t index) {
  const double value = loader<double>(tensor.type())(tensor.data(), index);
  const auto attr = static_cast<float>(value);
  if (static_cast<double>(attr) != value) return std::nullopt;  // NaN, too: its payload may matter
  // Integers of 64 bits were rounded to double on the way: the element must come out again.
  Tensor back(tensor.type(), {1});
  storer<double>(tensor.type())(back.data(), 0, static_cast<double>(attr));
  const size_t width = back.bytes();
  const bool same =
      std::memcmp(back.data(), tensor.data() + static_cast<size_t>(index) * width, width) == 0;
  return same ? std::optional<float>(attr) : std::nullopt;
}

template <class C>
int64_t integer_range_count(const ShapeContext& c, const Tensor* const* in) {
  const auto load = loader<C>(in[0]->type());
  const Wide start = load(in[0]->data(), 0);
  const Wide limit = load(in[1]->data(), 0);
  const Wide step = load(in[2]->data(), 0);
  if (step == 0) c.fail("the step is 0");
  const Wide distance = limit - start;
  if ((distance > 0) != (step > 0) || distance == 0) return 0;
  const Wide count = (distance + step - (step > 0 ? 1 : -1)) / step;
  if (count > std::numeric_limits<int64_t>::max()) c.fail("more than 2^63 elements are asked for");
  return static_cast<int64_t>(count);
}

int64_t real_range_count(const ShapeContext& c, const Tensor* const* in) {
  const auto load = loader<double>(in[0]->type());
  const double start = load(in[0]->data(), 0);
  const double limit = load(in[1]->data(), 0);
  const double step = load(in[2]->data(), 0);
  if (step == 0) c.fail("the step is 0");
  const double count = std::ceil((limit - start) / step);
  if (std::isnan(count) || count >= 0x1p62)
    c.fail("start " + std::to_string(start) + ", limit " + std::to_string(limit) + " and step " +
           std::to_string(step) + " give no count of elements");
  return count > 0 ? static_cast<int64_t>(count) : 0;
}

// start + i * step, each rounded to the type.
template <class C>
void write_range(RunContext& c) {
  Tensor& out = c.out[0];
  const auto load = loader<C>(out.type());
  const auto store = storer<C>(out.type());
  Tensor scratch(out.type(), {1});
  const auto rounded = [&](C value) {
    store(scratch.data(), 0, value);
    return load(scratch.data(), 0);
  };
  const C start = load(c.input(0).data(), 0);
  const C step = load(c.input(2).data(), 0);
  if constexpr (std::is_same_v<C, double>) {
    for (int64_t i = 0; i < out.count(); ++i)
      store(out.data(), i, start + rounded(rounded(static_cast<double>(i)) * step));
  } else {
    for (int64_t i = 0; i < out.count(); ++i)
      store(out.data(), i,
            static_cast<C>(static_cast<uint64_t>(start) +
                           static_cast<uint64_t>(i) * static_cast<uint64_t>(step)));
  }
}

int64_t trilu_diagonal(const ShapeContext& c) {
  return c.has(1) ? c.scalar(1) : 0;
}

// The output, everywhere the one element.
void say_as_fill(EmitContext& c, const Tensor& value) {
  c.ports.clear();
  set_attr(c, "shape", c.shapes.out[0]);
  if (const auto attr = as_f32_attr(value, 0)) {
    set_attr(c, "value", *attr);
  } else {
    c.constant_ports.push_back(value);
  }
}

}  // namespace

void infer_eye(ShapeContext& c) {
  Dims dims;
  if (c.has(3)) {
    if (c.dims(3).size() != 1)
      c.fail("'batch_shape' input must be a 1D tensor, it has shape " + shape_text(c.dims(3)));
    dims = c.list(3);
  }
  const auto check = [&c](const std::string& name, int64_t extent) {
    if (extent < 0) c.fail(name + ": Value " + std::to_string(extent) + " not in range [0, 2^63)");
  };
  for (size_t d = 0; d < dims.size(); ++d)
    check("batch_shape[" + std::to_string(d) + "]", dims[d]);
  for (const size_t port : {0, 1}) {
    dims.push_back(c.scalar(port));
    check(port == 0 ? "num_rows" : "num_columns", dims.back());
  }
  static_cast<void>(c.scalar(2));
  c.out[0] = dims;
}

void run_eye(RunContext& c) {
  write_eye(c.out[0], c.shapes.scalar(2));
}

std::string emit_eye(EmitContext& c) {
  c.ports.clear();
  set_attr(c, "shape", c.shapes.out[0]);
  set_attr(c, "k", c.shapes.scalar(2));
  return "";
}

void infer_eye_like(ShapeContext& c) {
  if (c.rank(0) != 2)
    c.fail("the input has rank " + std::to_string(c.rank(0)) + ", allowed: rank 2 only");
  c.out[0] = c.dims(0);
}

void run_eye_like(RunContext& c) {
  write_eye(c.out[0], c.node.integer("k"));
}

std::string emit_eye_like(EmitContext& c) {
  set_attr(c, "k", c.node.integer("k"));
  return "";
}

void infer_first(ShapeContext& c) {
  c.out[0] = c.dims(0);
}

void infer_gen_index(ShapeContext& c) {
  static_cast<void>(c.axis(c.node.integer("axis"), c.rank(0)));
  c.out[0] = c.dims(0);
}

void run_gen_index(RunContext& c) {
  Tensor& out = c.out[0];
  const auto axis = static_cast<size_t>(c.shapes.axis(c.node.integer("axis"), c.shapes.rank(0)));
  const int64_t inner = product(out.dims(), axis + 1, out.dims().size());
  const auto store = storer<int64_t>(out.type());
  for (int64_t i = 0; i < out.count(); ++i)
    store(out.data(), i, i / inner % out.dims()[axis]);
}

void infer_range(ShapeContext& c) {
  const Tensor* in[3] = {};
  for (size_t port = 0; port < 3; ++port) {
    in[port] = &c.data(port);
    if (in[port]->count() != 1)
      c.fail("input " + std::to_string(port) + " has shape " + shape_text(in[port]->dims()) +
             ", allowed: one element");
  }
  switch (domain_of(in[0]->type())) {
    case Domain::real:
      c.out[0] = {real_range_count(c, in)};
      break;
    case Domain::integer:
      c.out[0] = {integer_range_count<int64_t>(c, in)};
      break;
    case Domain::natural:
      c.out[0] = {integer_range_count<uint64_t>(c, in)};
      break;
  }
}

void run_range(RunContext& c) {
  with_domain(c.out[0].type(), [&](auto zero) { return write_range<decltype(zero)>(c); });
}

void infer_fill(ShapeContext& c) {
  c.out[0] = c.list(0);
  for (const int64_t extent : c.out[0])
    if (extent < 0)
      c.fail("the shape is " + list_text(c.out[0]) + ", allowed: extents of 0 and more");
}

void run_fill(RunContext& c) {
  Tensor& out = c.out[0];
  const Tensor& value = *c.node.tensor("value");
  for (int64_t i = 0; i < out.count(); ++i)
    std::memcpy(out.data() + static_cast<size_t>(i) * value.bytes(), value.data(), value.bytes());
}

std::string emit_fill(EmitContext& c) {
  say_as_fill(c, *c.node.tensor("value"));
  return "";
}

std::string emit_expand(EmitContext& c) {
  const Tensor* value = c.shapes.known[0];
  if (value == nullptr || value->count() != 1) return "the graph API broadcasts only behind Fill";
  say_as_fill(c, value->reshaped({}));
  return "";
}

void infer_trilu(ShapeContext& c) {
  if (c.rank(0) < 2)
    c.fail("the input has rank " + std::to_string(c.rank(0)) + ", allowed: 2 and more");
  static_cast<void>(trilu_diagonal(c));
  c.out[0] = c.dims(0);
}

void run_trilu(RunContext& c) {
  Tensor& out = c.out[0];
  if (out.count() == 0) return;
  const int64_t k = trilu_diagonal(c.shapes);
  const bool upper = c.node.flag("upper");
  const int64_t columns = out.dims().back();
  const int64_t rows = out.dims()[out.dims().size() - 2];
  const size_t width = out.bytes() / static_cast<size_t>(out.count());
  std::memcpy(out.data(), c.input(0).data(), out.bytes());
  for (int64_t i = 0; i < out.count(); ++i) {
    const Wide column = i % columns;
    const Wide edge = Wide{i / columns % rows} + k;
    if (upper ? column < edge : column > edge)
      std::memset(out.data() + static_cast<size_t>(i) * width, 0, width);
  }
}

std::string emit_trilu(EmitContext& c) {
  c.ports = {0};
  set_attr(c, "k", trilu_diagonal(c.shapes));
  set_attr(c, "upper", c.node.flag("upper"));
  return "";
}

void infer_one_hot(ShapeContext& c) {
  const int64_t depth = c.scalar(1);
  if (depth < 0) c.fail("the depth is " + std::to_string(depth) + ", allowed: 0 and more");
  if (c.data(2).count() != 2 || c.rank(2) != 1)
    c.fail("the values have shape " + shape_text(c.dims(2)) + ", allowed: [2]");
  c.out[0] = c.dims(0);
  const int64_t axis = c.axis(c.node.integer("axis", -1), c.rank(0) + 1);
  c.out[0].insert(c.out[0].begin() + axis, depth);
}

void run_one_hot(RunContext& c) {
  Tensor& out = c.out[0];
  const Tensor& values = c.input(2);
  const size_t width = values.bytes() / 2;
  const auto axis =
      static_cast<size_t>(c.shapes.axis(c.node.integer("axis", -1), c.shapes.rank(0) + 1));
  const int64_t depth = out.dims()[axis];
  const int64_t inner = product(out.dims(), axis + 1, out.dims().size());
  const auto index = loader<int64_t>(c.input(0).type());
  for (int64_t i = 0; i < out.count(); ++i) {
    const int64_t outer = i / inner / depth;
    const bool on = index(c.input(0).data(), outer * inner + i % inner) == i / inner % depth;
    std::memcpy(out.data() + static_cast<size_t>(i) * width, values.data() + (on ? width : 0),
                width);
  }
}

std::string emit_one_hot(EmitContext& c) {
  c.ports = {0};
  const auto off = as_f32_attr(c.shapes.data(2), 0);
  const auto on = as_f32_attr(c.shapes.data(2), 1);
  if (!off || !on) return "its values are not exact as f32 attributes";
  set_attr(c, "depth", c.shapes.scalar(1));
  set_attr(c, "axis", c.node.integer("axis", -1));
  set_attr(c, "on_value", *on);
  set_attr(c, "off_value", *off);
  return "";
}

}  // namespace iotadnn::models::rows

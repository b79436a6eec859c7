// SPDX-License-Identifier: Apache-2.0
#include "kernels/random_region_sums.h"

#include <utility>

namespace iotadnn::test {
namespace {

using kind = graph::op::kind;
using attr = graph::op::attr;

bool is_matmul_type(int type) {
  return type != iotadnn_s8 && type != iotadnn_u8 && type != iotadnn_s32 && type != iotadnn_boolean;
}

}  // namespace

void RegionSums::sum() {
  if (r_.between(0, 2) == 0)
    product();
  else if (r_.coin())
    diagonal_sum();
  else
    gathered();
}

// An identity of the type, perhaps cast to it, and perhaps times something.
size_t RegionSums::identity(int wanted, int64_t rows, int64_t columns) {
  RegionAttrs attrs = {{attr::shape, Extents{rows, columns}}};
  if (r_.coin()) attrs[attr::k] = diagonal(rows, columns);
  const int made = r_.between(0, 3) == 0 ? random_type() : wanted;
  size_t v = cast(emit(kind::Eye, {}, made, {rows, columns}, std::move(attrs)), wanted);
  if (r_.between(0, 4) == 0) {
    const size_t scale = input(wanted, {});
    v = pointwise(kind::Multiply, {v, scale}, wanted, {});
  }
  return v;
}

size_t RegionSums::product() {
  int wanted = numeric_type();
  if (!is_matmul_type(wanted)) wanted = iotadnn_f32;
  const int64_t rows = extent();
  const int64_t inner = extent();
  const int64_t columns = extent();
  const bool left = r_.coin();  // whether the identity is the left operand
  const bool transposed[] = {r_.between(0, 3) == 0, r_.between(0, 3) == 0};
  Extents shapes[] = {{rows, inner}, {inner, columns}};
  for (int i = 0; i < 2; ++i)
    if (transposed[i]) std::swap(shapes[i][0], shapes[i][1]);
  Extents batch;
  if (r_.between(0, 2) == 0) batch = {r_.between(1, 3)};
  Extents tensor = batch;
  const Extents& own = shapes[left ? 1 : 0];
  tensor.insert(tensor.end(), own.begin(), own.end());
  const Extents& eye = shapes[left ? 0 : 1];
  const size_t a = input(wanted, tensor);
  const size_t b = identity(wanted, eye[0], eye[1]);
  std::vector<size_t> in = {a, b};
  if (left) std::swap(in[0], in[1]);
  const bool widens = is_floating(wanted) && wanted != iotadnn_f64 && r_.between(0, 2) == 0;
  const int out = widens ? int{iotadnn_f32} : wanted;
  Extents shape = batch;
  shape.push_back(rows);
  shape.push_back(columns);
  RegionAttrs attrs;
  if (transposed[0]) attrs[attr::transpose_a] = true;
  if (transposed[1]) attrs[attr::transpose_b] = true;
  return emit(kind::MatMul, in, out, shape, std::move(attrs));
}

// Along one axis of a matrix, or both.
size_t RegionSums::diagonal_sum() {
  const int wanted = numeric_type();
  const int64_t rows = extent();
  const int64_t columns = extent();
  Extents shape = {rows, columns};
  if (r_.between(0, 2) == 0) shape.insert(shape.begin(), r_.between(1, 3));
  const size_t a = input(wanted, shape);
  size_t picked;
  if (r_.between(0, 2) == 0) {
    const size_t zero = emit(kind::Fill, {}, wanted, {}, {{attr::shape, Extents{}}});
    const size_t where = cast(identity(iotadnn_u8, rows, columns), iotadnn_boolean);
    picked = pointwise(kind::Select, {where, a, zero}, wanted);
  } else {
    std::vector<size_t> in = {a, identity(wanted, rows, columns)};
    if (r_.coin()) std::swap(in[0], in[1]);
    picked = pointwise(kind::Multiply, in, wanted);
  }
  const auto rank = static_cast<int64_t>(shape.size());
  Extents axes = {r_.coin() ? rank - 1 : rank - 2};
  if (r_.between(0, 3) == 0) axes = {-1, rank - 2};
  const bool keep = r_.coin();
  Extents kept = shape;
  for (const int64_t axis : axes)
    kept[static_cast<size_t>(axis < 0 ? axis + rank : axis)] = keep ? 1 : -1;
  Extents out;
  for (const int64_t extent : kept)
    if (extent != -1) out.push_back(extent);
  return emit(kind::ReduceSum, {picked}, wanted, out,
              {{attr::axes, axes}, {attr::keep_dims, keep}});
}

size_t RegionSums::gathered() {
  const int wanted = random_type();
  const int64_t rows = extent();
  const int64_t columns = extent();
  const size_t eye = identity(is_boolean(wanted) ? int{iotadnn_s8} : wanted, rows, columns);
  const int64_t axis = r_.between(0, 1);
  const int64_t count = axis == 0 ? rows : columns;
  const Extents index_shape = r_.coin() ? Extents{r_.between(0, 7)} : Extents{2, r_.between(1, 4)};
  const int index_type = r_.coin() ? int{iotadnn_s32} : int{iotadnn_s64};
  const size_t index = input(index_type, index_shape);
  if (r_.between(0, 3) != 0)
    for (uint64_t& bits : made_.values[index].bits)
      bits = from_integer(index_type, r_.between(-count - 2, count + 2)).bits;
  Extents shape = {rows, columns};
  shape.erase(shape.begin() + axis);
  shape.insert(shape.begin() + axis, index_shape.begin(), index_shape.end());
  return emit(kind::Gather, {eye, index}, type(eye), shape,
              {{attr::axis, r_.coin() ? axis : axis - 2}});
}

}  // namespace iotadnn::test

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "base/float16.h"
#include "ops/arguments.h"
#include "ops/broadcast.h"
#include "ops/contraction_ops.h"
#include "ops/elements.h"
#include "ops/op_table.h"
#include "ops/strided_loop.h"

// MatMul in plain loops: products in f64, or modulo 2^64, each sum from +0 in the order of the
// inner dimension. Elements are converted once, since attention of a usual size has 10^9 products.
namespace iotadnn::impl::contraction_ops {
namespace {

constexpr size_t kA = 0;
constexpr size_t kB = 1;
constexpr size_t kBias = 2;

// Where an operand's elements are along the output's batch, its rows or columns, and the sum.
struct Walk {
  Dims batch{};
  int64_t outer = 0;
  int64_t inner = 0;
};

Walk walk_of(const LogicalTensor& t, const MatMulForm& form, int outer, int inner) {
  const Dims strides = strides_of(t);
  Walk walk;
  for (int d = 0; d + 2 < t.rank; ++d)
    walk.batch[form.batch_axis(d, t.rank)] = t.dims[d] == 1 ? 0 : strides[d];
  if (outer != MatMulForm::kNone) walk.outer = strides[outer];
  walk.inner = strides[inner];
  return walk;
}

// T is double or uint64_t.
template <class T>
class Product {
 public:
  Product(const RefContext& ctx, const MatMulForm& form, const Dims& by_bias)
      : ctx_(ctx),
        form_(form),
        by_a_(walk_of(*ctx.inputs[kA].lt, form, form.a_row, form.a_inner)),
        by_b_(walk_of(*ctx.inputs[kB].lt, form, form.b_column, form.b_inner)),
        by_bias_(by_bias),
        count_(ctx.inputs[kA].lt->dims[form.a_inner]),
        rows_(extent_of(form.out_row)),
        columns_(extent_of(form.out_column)) {}

  // Columns in blocks, so that what is converted of the second operand stays small.
  void run() {
    constexpr int64_t kBlock = 256;
    for_each_index(ctx_.outputs[0].lt->dims, form_.batch, [&](const Dims& coords) {
      for (int64_t column = 0; column < columns_; column += kBlock)
        block(coords, column, std::min(kBlock, columns_ - column));
    });
  }

 private:
  static constexpr DataType kWide = std::is_same_v<T, double> ? DataType::f64 : DataType::u64;

  int64_t extent_of(int dimension) const {
    return dimension == MatMulForm::kNone ? 1 : ctx_.outputs[0].lt->dims[dimension];
  }

  T load(size_t port, int64_t index) const {
    const TensorView& view = ctx_.inputs[port];
    return bit_cast<T>(element_as(kWide, view.lt->type, view.data, index));
  }

  void block(const Dims& coords, int64_t column, int64_t width) {
    const int64_t from_a = offset_of(coords, by_a_.batch, form_.batch);
    const int64_t from_b = offset_of(coords, by_b_.batch, form_.batch) + column * by_b_.outer;
    const auto size = static_cast<size_t>(width);
    right_.resize(static_cast<size_t>(count_) * size);
    for (int64_t j = 0; j < count_; ++j)
      for (int64_t n = 0; n < width; ++n)
        right_[static_cast<size_t>(j * width + n)] =
            load(kB, from_b + j * by_b_.inner + n * by_b_.outer);
    Dims at = coords;
    for (int64_t row = 0; row < rows_; ++row) {
      sums_.assign(size, T{0});
      for (int64_t j = 0; j < count_; ++j) {
        const T left = load(kA, from_a + row * by_a_.outer + j * by_a_.inner);
        const T* const right = right_.data() + j * width;
        for (size_t n = 0; n < size; ++n)
          sums_[n] += left * right[n];
      }
      if (form_.out_row != MatMulForm::kNone) at[form_.out_row] = row;
      store(at, column);
    }
  }

  void store(Dims at, int64_t column) {
    const TensorView& out = ctx_.outputs[0];
    const int rank = form_.rank();
    for (T sum : sums_) {
      if (form_.out_column != MatMulForm::kNone) at[form_.out_column] = column++;
      if (ctx_.inputs.size() > kBias) sum += load(kBias, offset_of(at, by_bias_, rank));
      store_as(out.lt->type, out.data, offset_of(at, out.lt->strides, rank), kWide,
               bit_cast<uint64_t>(sum));
    }
  }

  const RefContext& ctx_;
  const MatMulForm& form_;
  Walk by_a_;
  Walk by_b_;
  const Dims& by_bias_;
  int64_t count_;
  int64_t rows_;
  int64_t columns_;
  std::vector<T> right_;  // [inner][column] of a block
  std::vector<T> sums_;
};

}  // namespace

Status reference_matmul(const RefContext& ctx) {
  IOTADNN_TRY(claimable_matmul(*ctx.op));
  const LogicalTensor& a = *ctx.inputs[kA].lt;
  const LogicalTensor& b = *ctx.inputs[kB].lt;
  const LogicalTensor& out = *ctx.outputs[0].lt;
  ShapeContext shapes{ctx.op, {ctx.inputs[kA], ctx.inputs[kB]}, {out}};
  IOTADNN_TRY(infer_matmul(shapes));
  const LogicalTensor& expected = shapes.outputs[0];
  if (expected.rank != out.rank ||
      !std::equal(expected.dims.begin(), expected.dims.begin() + expected.rank, out.dims.begin()))
    return invalid_shape(output_text(*ctx.op, 0) + " is " + shape_words(out) + ", " +
                         input_text(*ctx.op, kA) + " is " + shape_words(a) + ", input 1 is " +
                         shape_words(b) + ", which give " + shape_words(expected));
  Dims by_bias{};
  if (ctx.inputs.size() > kBias) {
    const auto strides = broadcast_strides(input_text(*ctx.op, kBias), *ctx.inputs[kBias].lt, out);
    if (!strides.ok()) return strides.status();
    by_bias = *strides;
  }
  const MatMulForm form = matmul_form(*ctx.op, a.rank, b.rank);
  if (types::kFloating.has(a.type))
    Product<double>(ctx, form, by_bias).run();
  else
    Product<uint64_t>(ctx, form, by_bias).run();
  return {};
}

}  // namespace iotadnn::impl::contraction_ops

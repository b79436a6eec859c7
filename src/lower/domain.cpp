// SPDX-License-Identifier: Apache-2.0
#include "lower/domain.h"

#include <algorithm>

namespace iotadnn::impl {
namespace {

struct Dim {
  int8_t axis;
  int64_t extent;
  bool is_summed;
  std::vector<int64_t> strides;  // of each tensor
};

// Outermost first: extents of one, then by falling stride of the leading tensor; what is summed in
// the same way behind them.
std::vector<Dim> sorted_dims(AxisSet used, int rank, const Dims& dims,
                             const std::vector<Dims>& strides, size_t leading, int summed) {
  std::vector<Dim> sorted;
  for (int a = 0; a < rank; ++a) {
    const auto axis = static_cast<size_t>(a);
    const bool is_used = (used >> a & 1u) != 0;
    const bool is_summed = a >= rank - summed;
    const bool is_last = is_summed && a == rank - 1;  // of the sum, something has to be left
    if (dims[axis] == 1 && !is_used && !is_last) continue;
    Dim dim{is_used ? static_cast<int8_t>(a) : kMergedAxes, dims[axis], is_summed, {}};
    for (const Dims& tensor : strides)
      dim.strides.push_back(tensor[axis]);
    sorted.push_back(std::move(dim));
  }
  std::stable_sort(sorted.begin(), sorted.end(), [leading](const Dim& a, const Dim& b) {
    if (a.is_summed != b.is_summed) return b.is_summed;
    if ((a.extent == 1) != (b.extent == 1)) return a.extent == 1;
    return a.extent != 1 && a.strides[leading] > b.strides[leading];
  });
  return sorted;
}

// Whether the inner dimension goes on where the outer one is, in every tensor.
bool merges(const Dim& outer, const Dim& inner) {
  if (outer.axis != kMergedAxes || inner.axis != kMergedAxes) return false;
  if (outer.is_summed != inner.is_summed) return false;
  for (size_t t = 0; t < outer.strides.size(); ++t)
    if (outer.strides[t] != inner.strides[t] * inner.extent) return false;
  return true;
}

}  // namespace

PhysicalDomain physical_domain(const RowProgram& logical, const Dims& dims,
                               const std::vector<Dims>& strides, size_t leading, int summed) {
  std::vector<Dim> kept;
  for (Dim& dim : sorted_dims(used_axes(logical), logical.rank, dims, strides, leading, summed)) {
    if (!kept.empty() && merges(kept.back(), dim)) {
      kept.back().extent *= dim.extent;
      kept.back().strides = std::move(dim.strides);
    } else {
      kept.push_back(std::move(dim));
    }
  }
  if (kept.empty())  // one element, and a program that reads no coordinate
    kept.push_back({kMergedAxes, 1, false, std::vector<int64_t>(strides.size(), 1)});

  PhysicalDomain domain;
  domain.order.rank = static_cast<int>(kept.size());
  for (size_t d = 0; d < kept.size(); ++d) {
    domain.order.axes[d] = kept[d].axis;
    domain.extents[d] = kept[d].extent;
    domain.summed += kept[d].is_summed ? 1 : 0;
  }
  for (size_t t = 0; t < strides.size(); ++t)
    for (const Dim& dim : kept)
      domain.strides.push_back(dim.strides[t]);
  return domain;
}

}  // namespace iotadnn::impl

// SPDX-License-Identifier: Apache-2.0
#include "frontends/model/compare.h"

#include <cmath>
#include <sstream>

#include "frontends/model/elements.h"

namespace iotadnn::models {
namespace {

bool agree(double got, double want, Tolerance tolerance) {
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got);
  if (got == want) return true;
  if (std::isinf(got) || std::isinf(want)) return false;
  return std::fabs(got - want) <= tolerance.absolute + tolerance.relative * std::fabs(want);
}

std::string index_text(int64_t at, const Dims& dims) {
  Dims index(dims.size());
  for (size_t d = dims.size(); d-- > 0; at /= dims[d])
    index[d] = at % dims[d];
  return shape_text(index);
}

template <class C>
std::string first_difference(const Tensor& got, const Tensor& want, Tolerance tolerance) {
  const auto load = loader<C>(got.type());
  int64_t count = 0;
  int64_t first = 0;
  for (int64_t i = got.count(); i-- > 0;) {
    const C g = load(got.data(), i);
    const C w = load(want.data(), i);
    bool same = g == w;
    if constexpr (std::is_same_v<C, double>) same = agree(g, w, tolerance);
    if (same) continue;
    ++count;
    first = i;
  }
  if (count == 0) return "";
  std::ostringstream text;
  text.precision(9);
  text << count << " of " << got.count() << " elements differ, the first at "
       << index_text(first, got.dims()) << ": " << load(got.data(), first) << ", expected "
       << load(want.data(), first);
  return text.str();
}

}  // namespace

std::string difference(const Tensor& got, const Tensor& want, Tolerance tolerance) {
  if (got.type() != want.type())
    return "type " + type_text(got.type()) + ", expected " + type_text(want.type());
  if (got.dims() != want.dims())
    return "shape " + shape_text(got.dims()) + ", expected " + shape_text(want.dims());
  return with_domain(got.type(), [&](auto zero) {
    return first_difference<decltype(zero)>(got, want, tolerance);
  });
}

}  // namespace iotadnn::models

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "support/numbers.h"

// What each pointwise op gives for one element, written from the specifications (oneDNN Graph,
// ONNX) and the rules of doc/ops.md; shares no code with src/.
namespace iotadnn::test {

struct PointwiseAttrs {
  float beta = 0;
  float min = 0;
  float max = 0;
};

// The result. For a math function it is the exact one, rounded, and `exact` what was rounded.
struct PointwiseResult {
  Element element;
  bool is_math = false;
  bool either_zero = false;  // the sign of a zero is not defined
  long double exact = 0;
};

PointwiseResult pointwise_element(std::string_view op, const std::vector<Element>& inputs,
                                  int output_type, const PointwiseAttrs& attrs);

// Whether `got` is what `want` allows: the same bits, any NaN for a NaN, and a math function's
// result within max_ulp units in the last place.
bool allows(const PointwiseResult& want, const Element& got, long double max_ulp);

}  // namespace iotadnn::test

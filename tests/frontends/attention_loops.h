// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

// Attention as plain loops over [batch, heads, rows, columns] in double, with nothing of src/.
namespace iotadnn::test {

inline constexpr double kHidden = -std::numeric_limits<double>::infinity();

// Multiples of 1/64 in [-2, 2]: exact in every floating type, and no two alike nearby.
inline std::vector<double> sixty_fourths(int64_t count, int64_t seed) {
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<double>((i * 7919 + seed * 104729) % 257 - 128) / 64);
  return values;
}

struct AttentionCase {
  int64_t batch = 1, heads = 1, kv_heads = 1, queries = 1, keys = 1, size = 1, value_size = 1;
  std::vector<double> q, k, v;
  double scale = 1;
  double softcap = 0;
  // What is added to a score, or kHidden, which replaces it.
  std::function<double(int64_t batch, int64_t head, int64_t query, int64_t key)> mask =
      [](int64_t, int64_t, int64_t, int64_t) { return 0.0; };
  bool nothing_is_zero = true;  // a row of hidden scores gives zeros, else NaN

  // Q, K and V of the sizes, the scale of the specifications.
  void fill() {
    q = sixty_fourths(batch * heads * queries * size, 1);
    k = sixty_fourths(batch * kv_heads * keys * size, 2);
    v = sixty_fourths(batch * kv_heads * keys * value_size, 3);
    scale = 1 / std::sqrt(static_cast<double>(size));
  }
};

struct AttentionResult {
  // As qk_matmul_output_mode of ONNX counts them: scaled, capped, masked, softmax.
  std::vector<double> scores[4];
  std::vector<double> y;
};

inline AttentionResult attend(const AttentionCase& c) {
  AttentionResult r;
  const auto at = [](int64_t index) { return static_cast<size_t>(index); };
  for (int64_t b = 0; b < c.batch; ++b) {
    for (int64_t h = 0; h < c.heads; ++h) {
      const int64_t shared = b * c.kv_heads + h / (c.heads / c.kv_heads);
      for (int64_t i = 0; i < c.queries; ++i) {
        std::vector<double> row;
        double most = kHidden;
        for (int64_t j = 0; j < c.keys; ++j) {
          double sum = 0;
          for (int64_t d = 0; d < c.size; ++d)
            sum += c.q[at(((b * c.heads + h) * c.queries + i) * c.size + d)] *
                   c.k[at((shared * c.keys + j) * c.size + d)];
          sum *= c.scale;
          r.scores[0].push_back(sum);
          if (c.softcap > 0) sum = c.softcap * std::tanh(sum / c.softcap);
          r.scores[1].push_back(sum);
          const double bias = c.mask(b, h, i, j);
          row.push_back(bias == kHidden ? kHidden : sum + bias);
          r.scores[2].push_back(row.back());
          most = std::fmax(most, row.back());
        }
        double total = 0;
        for (double& one : row)
          total += one = most == kHidden ? 0 : std::exp(one - most);
        for (double& one : row)
          one = total == 0 && c.nothing_is_zero ? 0 : one / total;
        r.scores[3].insert(r.scores[3].end(), row.begin(), row.end());
        for (int64_t d = 0; d < c.value_size; ++d) {
          double sum = 0;
          for (int64_t j = 0; j < c.keys; ++j)
            sum += row[at(j)] * c.v[at((shared * c.keys + j) * c.value_size + d)];
          r.y.push_back(sum);
        }
      }
    }
  }
  return r;
}

// [batch, heads, rows, columns] as [batch, rows, heads * columns].
inline std::vector<double> side_by_side(const std::vector<double>& values, int64_t batch,
                                        int64_t heads, int64_t rows, int64_t columns) {
  std::vector<double> turned;
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t h = 0; h < heads; ++h)
        for (int64_t column = 0; column < columns; ++column)
          turned.push_back(
              values[static_cast<size_t>(((b * heads + h) * rows + row) * columns + column)]);
  return turned;
}

// Rows [first, last) of each head.
inline std::vector<double> rows_of(const std::vector<double>& values, int64_t rows, int64_t columns,
                                   int64_t first, int64_t last) {
  std::vector<double> part;
  for (size_t i = 0; i < values.size(); ++i) {
    const int64_t row = static_cast<int64_t>(i) / columns % rows;
    if (first <= row && row < last) part.push_back(values[i]);
  }
  return part;
}

}  // namespace iotadnn::test

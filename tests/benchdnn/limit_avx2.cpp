// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "benchdnn/limit_stores.h"

#define IOTADNN_TARGET __attribute__((target("avx2")))
#define IOTADNN_VEC_CONSTRAINT "x"

namespace iotadnn::benchdnn {

namespace {

using Vec = __m256i;

IOTADNN_TARGET inline Vec load(const void* p) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(p));
}

IOTADNN_TARGET inline void store(void* p, Vec v) {
  _mm256_store_si256(static_cast<__m256i*>(p), v);
}

IOTADNN_TARGET inline void stream(void* p, Vec v) {
  _mm256_stream_si256(static_cast<__m256i*>(p), v);
}

IOTADNN_TARGET inline Vec broadcast(uint64_t value) {
  return _mm256_set1_epi64x(static_cast<int64_t>(value));
}

IOTADNN_TARGET inline Vec splat_word(uint32_t value) {
  return _mm256_set1_epi32(static_cast<int>(value));
}

IOTADNN_TARGET inline Vec add_words(Vec a, Vec b) {
  return _mm256_add_epi32(a, b);
}

#include "benchdnn/limit_vector_stores.inc"

}  // namespace

const VectorStores kAvx2Stores = kStores;

}  // namespace iotadnn::benchdnn

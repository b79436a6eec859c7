// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "benchdnn/limit_stores.h"

#define IOTADNN_TARGET __attribute__((target("sse2")))
#define IOTADNN_VEC_CONSTRAINT "x"

namespace iotadnn::benchdnn {

namespace {

using Vec = __m128i;

IOTADNN_TARGET inline Vec load(const void* p) {
  return _mm_loadu_si128(static_cast<const __m128i*>(p));
}

IOTADNN_TARGET inline void store(void* p, Vec v) {
  _mm_store_si128(static_cast<__m128i*>(p), v);
}

IOTADNN_TARGET inline void stream(void* p, Vec v) {
  _mm_stream_si128(static_cast<__m128i*>(p), v);
}

IOTADNN_TARGET inline Vec broadcast(uint64_t value) {
  return _mm_set1_epi64x(static_cast<int64_t>(value));
}

IOTADNN_TARGET inline Vec splat_word(uint32_t value) {
  return _mm_set1_epi32(static_cast<int>(value));
}

IOTADNN_TARGET inline Vec add_words(Vec a, Vec b) {
  return _mm_add_epi32(a, b);
}

#include "benchdnn/limit_vector_stores.inc"

}  // namespace

const VectorStores kSse2Stores = kStores;

}  // namespace iotadnn::benchdnn

// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "benchdnn/limit_stores.h"

#define IOTADNN_TARGET __attribute__((target("avx512f")))
#define IOTADNN_VEC_CONSTRAINT "v"

namespace iotadnn::benchdnn {

namespace {

using Vec = __m512i;

IOTADNN_TARGET inline Vec load(const void* p) {
  return _mm512_loadu_si512(static_cast<const void*>(p));
}

IOTADNN_TARGET inline void store(void* p, Vec v) {
  _mm512_store_si512(static_cast<void*>(p), v);
}

IOTADNN_TARGET inline void stream(void* p, Vec v) {
  _mm512_stream_si512(static_cast<Vec*>(p), v);
}

IOTADNN_TARGET inline Vec broadcast(uint64_t value) {
  return _mm512_set1_epi64(static_cast<int64_t>(value));
}

IOTADNN_TARGET inline Vec splat_word(uint32_t value) {
  return _mm512_set1_epi32(static_cast<int>(value));
}

IOTADNN_TARGET inline Vec add_words(Vec a, Vec b) {
  return _mm512_add_epi32(a, b);
}

#include "benchdnn/limit_vector_stores.inc"

}  // namespace

const VectorStores kAvx512Stores = kStores;

}  // namespace iotadnn::benchdnn

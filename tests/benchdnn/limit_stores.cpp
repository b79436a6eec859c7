// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/limit_stores.h"

#include <algorithm>
#include <cstring>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace iotadnn::benchdnn {

namespace {

// Templates of `rep movs`: half of a first-level cache, and what stays in a second-level one.
constexpr size_t kShortTemplate = size_t{16} << 10;
constexpr size_t kLongTemplate = size_t{128} << 10;

// The words 1, 2, 3, ..., on a page boundary.
const char* ramp_template() {
  struct alignas(4096) Template {
    uint32_t words[kLongTemplate / sizeof(uint32_t)];

    Template() {
      uint32_t next = 1;
      for (uint32_t& word : words)
        word = next++;
    }
  };

  static const Template instance;
  return reinterpret_cast<const char*>(instance.words);
}

void rep_movs(char* dst, const char* src, size_t bytes) {
  asm volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(bytes) : : "memory");
}

void rep_stosb(const Piece& piece) {
  char* dst = piece.dst;
  size_t count = piece.bytes;
  asm volatile("rep stosb" : "+D"(dst), "+c"(count) : "a"(piece.value) : "memory");
}

void library_memset(const Piece& piece) {
  std::memset(piece.dst, static_cast<int>(piece.value & 0xff), piece.bytes);
}

template <size_t period>
void movs_template(const Piece& piece) {
  const char* const source = ramp_template();
  size_t phase = (piece.first_word - 1) * sizeof(uint32_t) % period;
  for (size_t done = 0; done < piece.bytes;) {
    const size_t run = std::min(piece.bytes - done, period - phase);
    rep_movs(piece.dst + done, source + phase, run);
    done += run;
    phase = 0;
  }
}

bool one_byte_repeated(uint64_t value) {
  return value == (value & 0xff) * 0x0101010101010101u;
}

// `request`, its buffer cut into the bytes before the first line boundary, lines, and the rest.
struct Layout {
  explicit Layout(const LimitRequest& request)
      : dst(static_cast<char*>(request.buffer)), bytes(static_cast<size_t>(request.bytes)) {
    const size_t to_boundary = (0 - reinterpret_cast<uintptr_t>(dst)) % kLineBytes;
    head = std::min(bytes, to_boundary);
    lines = (bytes - head) / kLineBytes;
  }

  char* dst;
  size_t bytes;
  size_t head;
  size_t lines;
};

// Lines [first, last) of the buffer.
Piece piece_of(const LimitRequest& request, const Layout& layout, size_t first, size_t last) {
  const size_t offset = layout.head + first * kLineBytes;
  Piece piece;
  piece.dst = layout.dst + offset;
  piece.bytes = (last - first) * kLineBytes;
  const unsigned turn = 8 * static_cast<unsigned>(layout.head % sizeof(uint64_t));
  piece.value = request.value >> turn | request.value << ((64 - turn) % 64);
  piece.first_word = static_cast<uint32_t>(1 + first * (kLineBytes / sizeof(uint32_t)));
  if (request.source != nullptr) piece.source = static_cast<const char*>(request.source) + offset;
  return piece;
}

// Bytes [begin, end) of the buffer, fewer than a line: what vectors leave over.
void fill_edge(const LimitRequest& request, const Layout& layout, const Store& store, size_t begin,
               size_t end) {
  for (size_t i = begin; i < end; ++i) {
    switch (request.content) {
      case Content::constant:
        layout.dst[i] = static_cast<char>(request.value >> (8 * (i % sizeof(uint64_t))));
        break;
      case Content::ramp: {
        const size_t at = i - layout.head;
        const size_t word = (store.period == 0 ? at : at % store.period) / sizeof(uint32_t) + 1;
        layout.dst[i] =
            i < layout.head ? char{1} : static_cast<char>(word >> (8 * (at % sizeof(uint32_t))));
        break;
      }
      case Content::copy:
        layout.dst[i] = static_cast<const char*>(request.source)[i];
        break;
    }
  }
}

// The share of thread `thread` of `threads`; the first one also fills the edges.
void fill_share(const LimitRequest& request, const Layout& layout, const Store& store,
                size_t thread, size_t threads) {
  const size_t first = layout.lines * thread / threads;
  const size_t last = layout.lines * (thread + 1) / threads;
  if (first < last) store.fill(piece_of(request, layout, first, last));
  if (store.nontemporal) store_fence();
  if (thread != 0) return;
  const size_t tail = layout.head + layout.lines * kLineBytes;
  if (layout.head != 0) fill_edge(request, layout, store, 0, layout.head);
  if (tail != layout.bytes) fill_edge(request, layout, store, tail, layout.bytes);
}

}  // namespace

void push_out_of_caches(const char* bytes, size_t size) {
  for (size_t i = 0; i < size; i += kLineBytes)
    __builtin_ia32_clflush(bytes + i);
  __builtin_ia32_mfence();
}

void store_fence() {
  __builtin_ia32_sfence();
}

void rep_stosq(const Piece& piece) {
  char* dst = piece.dst;
  size_t count = piece.bytes / sizeof(uint64_t);
  asm volatile("rep stosq" : "+D"(dst), "+c"(count) : "a"(piece.value) : "memory");
}

void rep_movs_copy(const Piece& piece) {
  rep_movs(piece.dst, piece.source, piece.bytes);
}

const VectorStores& vector_stores(iotadnn_cpu_isa_t isa) {
  const bool portable = isa == iotadnn_cpu_isa_portable || isa == iotadnn_cpu_isa_reference;
  if (portable || __builtin_cpu_supports("avx2") == 0) return kSse2Stores;
  if (isa == iotadnn_cpu_isa_avx2 || __builtin_cpu_supports("avx512f") == 0) return kAvx2Stores;
  return kAvx512Stores;
}

std::vector<Store> stores_for(Content content, uint64_t value, iotadnn_cpu_isa_t isa) {
  const VectorStores& vectors = vector_stores(isa);
  std::vector<Store> stores;
  switch (content) {
    case Content::constant:
      stores = {{"nontemporal", vectors.constant_nontemporal, true},
                {"plain", vectors.constant},
                {"stosq", rep_stosq}};
      if (one_byte_repeated(value)) {
        stores.push_back({"memset", library_memset});
        stores.push_back({"stosb", rep_stosb});
      }
      break;
    case Content::ramp:
      stores = {{"nontemporal", vectors.ramp_nontemporal, true},
                {"plain", vectors.ramp},
                {"movs 16K", movs_template<kShortTemplate>, false, kShortTemplate},
                {"movs 128K", movs_template<kLongTemplate>, false, kLongTemplate}};
      break;
    case Content::copy:
      stores = {{"plain", vectors.copy},
                {"nontemporal", vectors.copy_nontemporal, true},
                {"movs", rep_movs_copy}};
      break;
  }
  return stores;
}

void run_team(int threads, const std::function<void(size_t, size_t)>& share) {
#ifdef _OPENMP
  if (threads > 1) {
#pragma omp parallel num_threads(threads)
    share(static_cast<size_t>(omp_get_thread_num()), static_cast<size_t>(omp_get_num_threads()));
    return;
  }
#else
  static_cast<void>(threads);
#endif
  share(0, 1);
}

void fill_once(const LimitRequest& request, const Store& store, int threads) {
  const Layout layout(request);
  run_team(threads,
           [&](size_t thread, size_t team) { fill_share(request, layout, store, thread, team); });
}

void wake_team(int threads) {
#ifdef _OPENMP
  if (threads > 1) {
#pragma omp parallel num_threads(threads)
    asm volatile("" : : : "memory");
  }
#else
  static_cast<void>(threads);
#endif
}

}  // namespace iotadnn::benchdnn

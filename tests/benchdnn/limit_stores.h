// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "iotadnn/iotadnn_types.h"

#include "benchdnn/limit.h"

// The ways of storing that the limit is the best of.
namespace iotadnn::benchdnn {

inline constexpr size_t kLineBytes = 64;

// A run of whole lines, as one thread stores it.
struct Piece {
  char* dst = nullptr;           // on a line boundary
  size_t bytes = 0;              // whole lines
  uint64_t value = 0;            // constant
  uint32_t first_word = 1;       // ramp: the 4-byte word at dst; the next ones count on from it
  const char* source = nullptr;  // copy: what belongs at dst
};

inline constexpr size_t kMostGathered = 8;

// Whole lines, each from `step` bytes of every source: they are all read, and the line becomes the
// first 64 of the first source, or anything where that has fewer.
struct Gather {
  char* dst = nullptr;  // on a line boundary
  size_t lines = 0;
  size_t sources = 0;
  const char* source[kMostGathered] = {};
  size_t step[kMostGathered] = {};  // a multiple of 8
};

struct Store {
  const char* name = "";
  void (*fill)(const Piece& piece) = nullptr;
  bool nontemporal = false;  // weakly ordered: the thread that ran it has to fence
  // Ramp: the words start again from 1 after so many bytes, as from a template; 0 for never.
  size_t period = 0;
};

// The candidates for a content; `value` matters for constant content only (memset knows bytes).
// An ISA above what the processor has counts as the best that it has. Non-temporal stores come
// first: they drop the buffer from the caches, and the others bring it back.
std::vector<Store> stores_for(Content content, uint64_t value, iotadnn_cpu_isa_t isa);

// Stores the content of `request` once with its first `threads` threads. Word i of a ramp, counted
// from the first line boundary in the buffer, is 1 + i (modulo the period of the store); the bytes
// before that boundary are 1.
void fill_once(const LimitRequest& request, const Store& store, int threads);

// Calls share(thread, size of the team) on each thread of a team of that size.
void run_team(int threads, const std::function<void(size_t thread, size_t team)>& share);

// Has the OpenMP team of this size ready, so that the next region does not create it.
void wake_team(int threads);

// One per ISA: the same loops over vectors of another width.
struct VectorStores {
  void (*constant)(const Piece&);
  void (*constant_nontemporal)(const Piece&);
  void (*ramp)(const Piece&);
  void (*ramp_nontemporal)(const Piece&);
  void (*copy)(const Piece&);
  void (*copy_nontemporal)(const Piece&);
  void (*gather)(const Gather&);
  void (*gather_nontemporal)(const Gather&);
  // These read `source` and write nothing.
  void (*consume)(const Piece&);
  void (*consume_streams)(const Piece&);  // from four places in turn
};

// The widest that the ISA and the processor have.
const VectorStores& vector_stores(iotadnn_cpu_isa_t isa);

// Drops the lines of a buffer from all caches.
void push_out_of_caches(const char* bytes, size_t size);

void store_fence();
void rep_stosq(const Piece& piece);
void rep_movs_copy(const Piece& piece);

extern const VectorStores kSse2Stores;
extern const VectorStores kAvx2Stores;
extern const VectorStores kAvx512Stores;

}  // namespace iotadnn::benchdnn

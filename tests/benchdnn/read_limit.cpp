// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/read_limit.h"

#include <cstring>
#include <functional>
#include <memory>
#include <utility>

#include "benchdnn/limit_stores.h"
#include "benchdnn/tensor_memory.h"

namespace iotadnn::benchdnn {
namespace {

using Buffers = std::vector<TensorMemory>;

Buffers buffers_of(const std::vector<size_t>& sizes) {
  Buffers buffers;
  for (const size_t bytes : sizes) {
    buffers.emplace_back(bytes);
    // Pages that nobody wrote are all the same one, which the caches hold.
    std::memset(buffers.back().data(), 1, bytes);
  }
  return buffers;
}

void read_share(const Buffers& buffers, void (*consume)(const Piece&), size_t thread, size_t team) {
  for (const TensorMemory& buffer : buffers) {
    const size_t lines = buffer.bytes() / kLineBytes;
    const size_t first = lines * thread / team;
    Piece piece;
    piece.source = static_cast<const char*>(buffer.data()) + first * kLineBytes;
    piece.bytes = (lines * (thread + 1) / team - first) * kLineBytes;
    consume(piece);
  }
}

}  // namespace

LimitMeter read_meter(const std::vector<size_t>& sizes, iotadnn_cpu_isa_t isa, int threads,
                      bool cold) {
  const auto buffers = std::make_shared<const Buffers>(buffers_of(sizes));
  const VectorStores& vectors = vector_stores(isa);
  const auto way = [&buffers](const char* name, void (*consume)(const Piece&)) {
    return Way{name, [buffers, consume](int team_size) {
                 run_team(team_size, [&](size_t thread, size_t team) {
                   read_share(*buffers, consume, thread, team);
                 });
               }};
  };
  std::function<void()> prepare;
  if (cold)
    prepare = [buffers] {
      for (const TensorMemory& buffer : *buffers)
        push_out_of_caches(static_cast<const char*>(buffer.data()), buffer.bytes());
    };
  return {{way("loads", vectors.consume), way("loads of 4 streams", vectors.consume_streams)},
          threads,
          std::move(prepare)};
}

}  // namespace iotadnn::benchdnn

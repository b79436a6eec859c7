// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/move_ways.h"

#include <algorithm>
#include <map>
#include <string>

#include "benchdnn/limit_stores.h"

namespace iotadnn::benchdnn {
namespace {

// The loops of a way.
struct MoveStores {
  void (*fill)(const Piece&) = nullptr;
  void (*made)(const Piece&) = nullptr;
  void (*copy)(const Piece&) = nullptr;
  void (*gather)(const Gather&) = nullptr;
  void (*consume)(const Piece&) = nullptr;
  bool nontemporal = false;  // some of them
};

// A place in a list: so many lines of move `move` are done.
struct Cut {
  size_t move = 0;
  uint32_t line = 0;
};

// threads + 1 places between which about the same number of bytes is moved.
std::vector<Cut> cuts_of(const MoveList& list, int threads) {
  const double share = bytes_moved(list) / threads;
  std::vector<Cut> cuts(1);
  double done = 0;
  for (size_t m = 0; m < list.moves.size(); ++m) {
    const double line = bytes_of_line(list, list.moves[m]);
    const double end = done + line * list.moves[m].lines;
    while (static_cast<int>(cuts.size()) < threads &&
           end >= share * static_cast<double>(cuts.size())) {
      const double lines = (share * static_cast<double>(cuts.size()) - done) / line;
      cuts.push_back({m, std::min(static_cast<uint32_t>(lines), list.moves[m].lines)});
    }
    done = end;
  }
  cuts.resize(static_cast<size_t>(threads), {list.moves.size(), 0});
  cuts.push_back({list.moves.size(), 0});
  return cuts;
}

void run_gather(const MoveStores& stores, const std::vector<MoveSource>& sources, Piece piece,
                size_t first_line) {
  Gather gather;
  gather.dst = piece.dst;
  gather.lines = piece.bytes / kLineBytes;
  for (const MoveSource& source : sources) {
    if (gather.sources == kMostGathered) break;
    gather.source[gather.sources] = source.data + first_line * source.line_bytes;
    gather.step[gather.sources] = source.line_bytes;
    ++gather.sources;
  }
  stores.gather(gather);
}

// Reads and writes a line that stays where it is: a word of it is enough, as for a diagonal.
void touch(char* line) {
  auto* const word = reinterpret_cast<volatile uint64_t*>(line);
  *word = *word;
}

// Lines [begin, end) of a move.
void run_move(const MoveList& list, const MoveStores& stores, const Move& move, uint32_t begin,
              uint32_t end) {
  const size_t first = size_t{move.first_line} + begin;
  Piece piece;
  piece.bytes = size_t{end - begin} * kLineBytes;
  if (move.kind != MoveKind::consume) piece.dst = list.outputs[move.output] + first * kLineBytes;
  switch (move.kind) {
    case MoveKind::fill:
      piece.value = list.values[move.detail];
      return stores.fill(piece);
    case MoveKind::made:
      return stores.made(piece);
    case MoveKind::move: {
      const std::vector<MoveSource>& sources = list.source_sets[move.detail];
      if (sources.size() > 1 || sources[0].line_bytes != kLineBytes)
        return run_gather(stores, sources, piece, first);
      piece.source = sources[0].data + first * kLineBytes;
      if (piece.source == piece.dst && piece.bytes == kLineBytes) return touch(piece.dst);
      return stores.copy(piece);
    }
    case MoveKind::consume:
      piece.source = list.source_sets[move.detail][0].data + first * kLineBytes;
      return stores.consume(piece);
  }
}

// A line that is read between long runs of stores (the edge of a mask's row, a diagonal) would be
// waited for: stores behind a load that misses the caches soon fill their buffer.
void prefetch(const MoveList& list, size_t number) {
  constexpr uint32_t kShort = 2;
  if (number >= list.moves.size()) return;
  const Move& move = list.moves[number];
  if (move.kind != MoveKind::move || move.lines > kShort) return;
  for (const MoveSource& source : list.source_sets[move.detail])
    __builtin_prefetch(source.data + size_t{move.first_line} * source.line_bytes);
}

void run_share(const MoveList& list, const MoveStores& stores, const Cut& from, const Cut& to) {
  constexpr size_t kAhead = 8;
  for (size_t m = from.move; m <= to.move && m < list.moves.size(); ++m) {
    prefetch(list, m + kAhead);
    const uint32_t begin = m == from.move ? from.line : 0;
    const uint32_t end = m == to.move ? to.line : list.moves[m].lines;
    if (begin < end) run_move(list, stores, list.moves[m], begin, end);
  }
}

bool has(const MoveList& list, std::initializer_list<MoveKind> kinds) {
  return std::any_of(list.moves.begin(), list.moves.end(), [&kinds](const Move& move) {
    return std::find(kinds.begin(), kinds.end(), move.kind) != kinds.end();
  });
}

Way way_of(const std::shared_ptr<const MoveList>& list, std::string name, MoveStores stores) {
  auto cuts = std::make_shared<std::map<int, std::vector<Cut>>>();
  return {std::move(name), [list, stores, cuts](int threads) {
            std::vector<Cut>& shares = (*cuts)[threads];
            if (shares.empty()) shares = cuts_of(*list, threads);
            run_team(threads, [&](size_t thread, size_t team) {
              // A smaller team than asked for takes several shares each.
              for (size_t i = thread; i + 1 < shares.size(); i += team)
                run_share(*list, stores, shares[i], shares[i + 1]);
              if (stores.nontemporal) store_fence();
            });
          }};
}

}  // namespace

std::vector<Way> ways_of(const std::shared_ptr<const MoveList>& list, iotadnn_cpu_isa_t isa) {
  const VectorStores& vectors = vector_stores(isa);
  const bool moves = has(*list, {MoveKind::move});
  const bool fills = has(*list, {MoveKind::fill, MoveKind::made});
  std::vector<Way> ways;
  // Non-temporal stores first: they drop the buffer from the caches, and the others bring it back.
  for (const bool nontemporal_move : {true, false}) {
    for (const bool nontemporal_fill : {true, false}) {
      if (nontemporal_move != nontemporal_fill && !(moves && fills)) continue;
      MoveStores stores;
      stores.fill = nontemporal_fill ? vectors.constant_nontemporal : vectors.constant;
      stores.made = nontemporal_fill ? vectors.ramp_nontemporal : vectors.ramp;
      stores.copy = nontemporal_move ? vectors.copy_nontemporal : vectors.copy;
      stores.gather = nontemporal_move ? vectors.gather_nontemporal : vectors.gather;
      stores.consume = vectors.consume;
      stores.nontemporal = nontemporal_move || nontemporal_fill;
      const std::string move_name = nontemporal_move ? "nontemporal" : "plain";
      const std::string fill_name = nontemporal_fill ? "nontemporal" : "plain";
      ways.push_back(
          way_of(list, move_name == fill_name ? move_name : move_name + "+" + fill_name, stores));
    }
  }
  const MoveStores rep{rep_stosq,      vectors.ramp,    rep_movs_copy,
                       vectors.gather, vectors.consume, false};
  ways.push_back(way_of(list, "rep", rep));
  return ways;
}

}  // namespace iotadnn::benchdnn

// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/moves.h"

#include <cstring>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "benchdnn/limit_stores.h"
#include "benchdnn/move_ways.h"
#include "benchdnn/tensor_memory.h"

namespace iotadnn::benchdnn {
namespace {

using testing::ElementsAre;

constexpr size_t kWords = 16;  // f32 elements of a line
constexpr uint32_t kMask = 0xff800000;

// An input of 32-bit elements with its two contents, which differ everywhere.
struct Input {
  explicit Input(size_t elements, uint32_t seed) : first(elements), second(elements) {
    for (size_t i = 0; i < elements; ++i) {
      first[i] = seed + static_cast<uint32_t>(i);
      second[i] = ~first[i];
    }
  }

  ProbedInput probed() const {
    ProbedInput input;
    input.first = reinterpret_cast<const char*>(first.data());
    input.second = reinterpret_cast<const char*>(second.data());
    input.bytes = 4 * first.size();
    input.element_bytes = 4;
    input.data = input.first;
    return input;
  }

  std::vector<uint32_t> first;
  std::vector<uint32_t> second;
};

// What executions wrote for so many inputs.
struct Output {
  explicit Output(size_t elements, size_t inputs = 1)
      : base(elements), varied(inputs, std::vector<uint32_t>(elements)), data(4 * elements) {}

  void make(uint32_t value, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      base[i] = value;
      for (auto& other : varied)
        other[i] = value;
    }
  }

  void copy(const Input& input, size_t number, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      make(input.first[i], i, i + 1);
      varied[number][i] = input.second[i];
    }
  }

  // Depends on inputs `first` to `last`.
  void compute(size_t begin, size_t end, size_t first = 0, size_t last = 0) {
    for (size_t i = begin; i < end; ++i) {
      make(7 * static_cast<uint32_t>(i) + 0x70000000, i, i + 1);
      for (size_t input = first; input <= last; ++input)
        varied[input][i] = 5 * static_cast<uint32_t>(i) + 0x60000000;
    }
  }

  ProbedOutput probed(const std::vector<Relation>& relation) {
    ProbedOutput output;
    output.base = reinterpret_cast<const char*>(base.data());
    for (const auto& other : varied)
      output.varied.push_back(reinterpret_cast<const char*>(other.data()));
    output.bytes = 4 * base.size();
    output.element_bytes = 4;
    output.data = data.data();
    output.relation = relation;
    return output;
  }

  std::vector<uint32_t> base;
  std::vector<std::vector<uint32_t>> varied;
  std::vector<char> data;
};

Move move_of(MoveKind kind, uint32_t first_line, uint32_t lines, uint32_t detail = 0,
             uint16_t output = 0) {
  Move move;
  move.first_line = first_line;
  move.lines = lines;
  move.detail = detail;
  move.output = output;
  move.kind = kind;
  return move;
}

// Half of a row is kept, and the line at the edge has both.
struct CausalRow {
  CausalRow() : score(8 * kWords, 100), out(8 * kWords) {
    out.copy(score, 0, 0, 40);
    out.make(kMask, 40, 8 * kWords);
  }

  Input score;
  Output out;
};

TEST(Moves, MaskOutOfPlaceCopiesAndFills) {
  CausalRow row;
  const MoveList list = moves_of({row.score.probed()}, {row.out.probed({Relation::aligned})});
  EXPECT_THAT(list.moves,
              ElementsAre(move_of(MoveKind::move, 0, 3), move_of(MoveKind::fill, 3, 5)));
  EXPECT_THAT(list.values, ElementsAre(0xff800000ff800000u));
  ASSERT_EQ(list.source_sets.size(), 1u);
  EXPECT_EQ(list.source_sets[0].at(0).line_bytes, 64u);
  EXPECT_EQ(bytes_moved(list), 3 * 128 + 5 * 64);
}

TEST(Moves, MaskInPlaceLeavesTheKeptPart) {
  CausalRow row;
  ProbedInput score = row.score.probed();
  score.data = row.out.data.data();
  const MoveList list = moves_of({score}, {row.out.probed({Relation::aligned})});
  EXPECT_THAT(list.moves,
              ElementsAre(move_of(MoveKind::move, 2, 1), move_of(MoveKind::fill, 3, 5)));
}

TEST(Moves, DiagonalInPlaceIsOneLine) {
  Input a(8 * kWords, 1);
  Output out(8 * kWords);
  out.copy(a, 0, 0, 8 * kWords);
  out.compute(70, 71);
  ProbedInput in_place = a.probed();
  in_place.data = out.data.data();
  EXPECT_THAT(moves_of({in_place}, {out.probed({Relation::aligned})}).moves,
              ElementsAre(move_of(MoveKind::move, 4, 1)));
  EXPECT_THAT(moves_of({a.probed()}, {out.probed({Relation::aligned})}).moves,
              ElementsAre(move_of(MoveKind::move, 0, 8)))
      << "out of place it is a copy";
}

TEST(Moves, OneOfAnIdentityCountsAsFilled) {
  Output out(8 * kWords, 0);
  out.make(3, 37, 38);
  EXPECT_THAT(moves_of({}, {out.probed({})}).moves, ElementsAre(move_of(MoveKind::fill, 0, 8)));
}

TEST(Moves, ContentThatChangesIsMade) {
  Output out(4 * kWords, 0);
  for (uint32_t i = 0; i < 4 * kWords; ++i)
    out.make(i, i, i + 1);
  EXPECT_THAT(moves_of({}, {out.probed({})}).moves, ElementsAre(move_of(MoveKind::made, 0, 4)));
}

TEST(Moves, LinesReadTheInputsThatTheyDependOn) {
  const Input a(4 * kWords, 1);
  const Input b(4 * kWords, 1000);
  const Input slope(kWords, 5000);
  Output out(4 * kWords, 3);
  out.compute(0, 2 * kWords, 0, 2);
  out.compute(2 * kWords, 3 * kWords, 1, 1);
  out.compute(3 * kWords, 4 * kWords, 2, 2);  // on the small one
  const MoveList list =
      moves_of({a.probed(), b.probed(), slope.probed()},
               {out.probed({Relation::aligned, Relation::full, Relation::whole})});
  EXPECT_THAT(list.moves,
              ElementsAre(move_of(MoveKind::move, 0, 2, 0), move_of(MoveKind::move, 2, 1, 1),
                          move_of(MoveKind::made, 3, 1), move_of(MoveKind::consume, 0, 1, 2)));
  EXPECT_EQ(list.source_sets[0].size(), 2u);
  EXPECT_EQ(list.source_sets[1].at(0).data, b.probed().data);
  EXPECT_EQ(bytes_moved(list), 2 * (64 + 64 + 64) + 2 * 64 + 64 + 64);
}

// exp(masked - stats): zeros whose sources are not the scores.
TEST(Moves, OneValueThatDependsOnASmallInputIsFilled) {
  const Input stats(kWords, 1);
  Output out(4 * kWords);
  out.make(0, 0, 4 * kWords);
  for (size_t i = 0; i < 4 * kWords; ++i)
    out.varied[0][i] = 0x7fc00000;
  EXPECT_THAT(moves_of({stats.probed()}, {out.probed({Relation::whole})}).moves,
              ElementsAre(move_of(MoveKind::fill, 0, 4), move_of(MoveKind::consume, 0, 1, 0)));
}

TEST(Moves, TypesOfOtherWidthsHaveTheirBytes) {
  const Input wide(4 * kWords, 1);  // 4 lines of f32 become 2 of a 16-bit type
  Output narrow(2 * kWords);
  narrow.compute(0, 2 * kWords);
  ProbedOutput output = narrow.probed({Relation::full});
  output.element_bytes = 2;
  const MoveList list = moves_of({wide.probed()}, {output});
  EXPECT_THAT(list.moves, ElementsAre(move_of(MoveKind::move, 0, 2)));
  EXPECT_EQ(list.source_sets[0].at(0).line_bytes, 128u);
}

TEST(Moves, AnInputIsReadOnceForTwoOutputs) {
  const Input a(2 * kWords, 1);
  Output copied(2 * kWords);
  copied.copy(a, 0, 0, 2 * kWords);
  Output computed(2 * kWords);
  computed.compute(0, 2 * kWords);
  const MoveList list = moves_of(
      {a.probed()}, {copied.probed({Relation::aligned}), computed.probed({Relation::aligned})});
  EXPECT_THAT(list.moves, ElementsAre(move_of(MoveKind::move, 0, 2, 0, 0),
                                      move_of(MoveKind::made, 0, 2, 0, 1)));
}

TEST(Moves, GapsAreNotMoved) {
  Output out(4 * kWords, 0);
  ProbedOutput output = out.probed({});
  output.owned.assign(4 * kWords, true);
  for (size_t i = kWords; i < 3 * kWords; ++i)
    output.owned[i] = false;
  EXPECT_THAT(moves_of({}, {output}).moves,
              ElementsAre(move_of(MoveKind::fill, 0, 1), move_of(MoveKind::fill, 3, 1)));
}

// Every way on every ISA, on one thread and on three, writes what the list says and nothing else.
TEST(MoveWays, WriteWhatTheyClaim) {
  constexpr size_t kLines = 40;
  TensorMemory source(kLines * 128);
  for (size_t i = 0; i < source.bytes(); ++i)
    static_cast<char*>(source.data())[i] = static_cast<char>(i * 7 + i / 251);
  const auto* const from = static_cast<const char*>(source.data());
  TensorMemory out(kLines * 64);
  auto* const to = static_cast<char*>(out.data());
  const auto list = std::make_shared<MoveList>();
  list->outputs = {to};
  list->output_bytes = {out.bytes()};
  list->values = {0x0123456789abcdef};
  list->source_sets = {{{from, kLines * 64, 64}},
                       {{from, kLines * 128, 128}},
                       {{from + 64, kLines * 64, 64}, {from, kLines * 64, 64}},
                       {{from, kLines * 64, 64}, {from, kLines * 16, 16}, {from, kLines * 8, 8}},
                       {{from, kLines * 32, 32}}};
  list->moves = {move_of(MoveKind::move, 0, 7, 0),  move_of(MoveKind::fill, 7, 5),
                 move_of(MoveKind::move, 12, 3, 1), move_of(MoveKind::move, 17, 6, 2),
                 move_of(MoveKind::move, 23, 4, 3), move_of(MoveKind::made, 30, 2),
                 move_of(MoveKind::move, 33, 2, 4), move_of(MoveKind::consume, 0, 9, 0)};
  for (const auto isa : {iotadnn_cpu_isa_portable, iotadnn_cpu_isa_avx2, iotadnn_cpu_isa_default}) {
    const std::vector<Way> ways = ways_of(list, isa);
    EXPECT_EQ(ways.size(), 5u);
    for (const Way& way : ways) {
      for (const int threads : {1, 3}) {
        SCOPED_TRACE(way.name + " on threads: " + std::to_string(threads));
        out.fill_canaries();
        const std::vector<char> before(to, to + out.bytes());
        way.run(threads);
        const auto line_is = [&](size_t line, const char* expected) {
          return std::memcmp(to + line * 64, expected, 64) == 0;
        };
        std::vector<char> value(64);
        for (size_t i = 0; i < 64; i += 8)
          std::memcpy(value.data() + i, list->values.data(), 8);
        for (size_t i = 0; i < 7; ++i)
          EXPECT_TRUE(line_is(i, from + i * 64)) << i;
        for (size_t i = 7; i < 12; ++i)
          EXPECT_TRUE(line_is(i, value.data())) << i;
        for (size_t i = 12; i < 15; ++i)
          EXPECT_TRUE(line_is(i, from + i * 128)) << i;
        for (size_t i = 17; i < 23; ++i)
          EXPECT_TRUE(line_is(i, from + 64 + i * 64)) << i;
        for (size_t i = 23; i < 27; ++i)
          EXPECT_TRUE(line_is(i, from + i * 64)) << i;
        for (const size_t i : {15u, 16u, 27u, 28u, 29u, 32u, 35u, 36u, 37u, 38u, 39u})
          EXPECT_TRUE(line_is(i, before.data() + i * 64)) << i << " is of no move";
        for (const size_t i : {30u, 31u, 33u, 34u})
          EXPECT_FALSE(line_is(i, before.data() + i * 64)) << i << " was not written";
      }
    }
  }
}

TEST(MoveWays, LinesInPlaceStayAsTheyAre) {
  TensorMemory memory(8 * 64);
  memory.fill_canaries();
  auto* const data = static_cast<char*>(memory.data());
  const auto list = std::make_shared<MoveList>();
  list->outputs = {data};
  list->source_sets = {{{data, memory.bytes(), 64}}};
  list->moves = {move_of(MoveKind::move, 0, 1), move_of(MoveKind::move, 3, 4)};
  for (const Way& way : ways_of(list, iotadnn_cpu_isa_default)) {
    way.run(2);
    EXPECT_EQ(memory.damage(nullptr), "") << way.name;
  }
}

TEST(MoveWays, OnlyWhatDiffersIsACandidate) {
  const auto list = std::make_shared<MoveList>();
  std::vector<char> out(128);
  list->outputs = {out.data()};
  list->values = {0};
  list->moves = {move_of(MoveKind::fill, 0, 1)};
  std::vector<std::string> names;
  for (const Way& way : ways_of(list, iotadnn_cpu_isa_default))
    names.push_back(way.name);
  EXPECT_THAT(names, ElementsAre("nontemporal", "plain", "rep"));
}

}  // namespace
}  // namespace iotadnn::benchdnn

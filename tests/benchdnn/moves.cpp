// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/moves.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "benchdnn/limit_stores.h"

namespace iotadnn::benchdnn {
namespace {

constexpr size_t kMostInputs = 32;  // bits of a set
constexpr size_t kMostValues = 4096;

uint64_t element_at(const char* data, size_t offset, size_t bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, data + offset, bytes);
  return bits;
}

uint64_t repeated(uint64_t bits, size_t bytes) {
  uint64_t pattern = bits;
  for (size_t filled = bytes; filled < sizeof pattern; filled *= 2)
    pattern |= pattern << (8 * filled);
  return pattern;
}

// What the elements of a line are; bit i of a set is input i.
struct LineContent {
  bool any = false;  // not only gaps
  bool only_copies = true;
  uint32_t depends = 0;
  bool one_value = true;  // in the base execution
  uint64_t value = 0;
};

class Builder {
 public:
  Builder(const std::vector<ProbedInput>& inputs, const std::vector<ProbedOutput>& outputs)
      : inputs_(inputs), outputs_(outputs), already_read_(inputs.size()) {
    for (size_t i = 0; i < inputs.size(); ++i)
      already_read_[i].resize(inputs[i].bytes / kLineBytes + 1, false);
  }

  MoveList build() {
    for (size_t o = 0; o < outputs_.size(); ++o) {
      list_.outputs.push_back(outputs_[o].data);
      list_.output_bytes.push_back(outputs_[o].bytes);
      const size_t begin = list_.moves.size();
      for (size_t line = 0; line < outputs_[o].bytes / kLineBytes; ++line)
        add_line(o, line);
      join_single_lines(begin);
      mark_read(o, begin);
    }
    consume_whole_inputs();
    return std::move(list_);
  }

 private:
  static bool same_line(const char* a, const char* b) { return std::memcmp(a, b, kLineBytes) == 0; }

  // Nearly all lines are wholly copied or wholly made, which comparisons of lines tell.
  bool is_simple(const ProbedOutput& output, size_t line, LineContent& content) const {
    const size_t at = line * kLineBytes;
    const char* const base = output.base + at;
    for (size_t i = 0; i < inputs_.size() && i < kMostInputs; ++i)
      if (!same_line(base, output.varied[i] + at)) content.depends |= uint32_t{1} << i;
    content.any = true;
    if (content.depends == 0) {
      content.only_copies = false;
      content.value = element_at(base, 0, output.element_bytes);
      content.one_value =
          std::memcmp(base, base + output.element_bytes, kLineBytes - output.element_bytes) == 0;
      return true;
    }
    for (size_t i = 0; i < inputs_.size() && i < kMostInputs; ++i) {
      if (content.depends != uint32_t{1} << i || output.relation[i] != Relation::aligned) continue;
      return same_line(base, inputs_[i].first + at) &&
             same_line(output.varied[i] + at, inputs_[i].second + at);
    }
    return false;
  }

  LineContent content_of(const ProbedOutput& output, size_t line) const {
    LineContent content;
    if (output.owned.empty() && is_simple(output, line, content)) return content;
    content = LineContent();
    const size_t bytes = output.element_bytes;
    for (size_t at = line * kLineBytes; at < (line + 1) * kLineBytes; at += bytes) {
      if (!output.owned.empty() && !output.owned[at / bytes]) continue;
      const uint64_t value = element_at(output.base, at, bytes);
      const uint32_t depends = dependence(output, at, value);
      content.one_value = content.one_value && (!content.any || content.value == value);
      content.value = value;
      content.any = true;
      content.depends |= depends;
      content.only_copies = content.only_copies && is_copy(output, at, value, depends);
    }
    return content;
  }

  uint32_t dependence(const ProbedOutput& output, size_t at, uint64_t value) const {
    uint32_t set = 0;
    for (size_t i = 0; i < inputs_.size() && i < kMostInputs; ++i)
      if (element_at(output.varied[i], at, output.element_bytes) != value) set |= uint32_t{1} << i;
    return set;
  }

  // Whether the element is that of the one input that it depends on.
  bool is_copy(const ProbedOutput& output, size_t at, uint64_t value, uint32_t depends) const {
    for (size_t i = 0; i < inputs_.size() && i < kMostInputs; ++i) {
      if (depends != uint32_t{1} << i || output.relation[i] != Relation::aligned) continue;
      return element_at(inputs_[i].first, at, output.element_bytes) == value &&
             element_at(inputs_[i].second, at, output.element_bytes) ==
                 element_at(output.varied[i], at, output.element_bytes);
    }
    return false;
  }

  static uint32_t whole_inputs(const ProbedOutput& output) {
    uint32_t set = 0;
    for (size_t i = 0; i < output.relation.size() && i < kMostInputs; ++i)
      if (output.relation[i] == Relation::whole) set |= uint32_t{1} << i;
    return set;
  }

  size_t line_bytes(const ProbedOutput& output, size_t input) const {
    return kLineBytes * inputs_[input].element_bytes / output.element_bytes;
  }

  // The set without inputs that an output before has read there, or that end before.
  uint32_t still_to_read(const ProbedOutput& output, size_t line, uint32_t set) const {
    for (size_t i = 0; i < inputs_.size() && i < kMostInputs; ++i) {
      const size_t begin = line * line_bytes(output, i);
      const size_t end = begin + line_bytes(output, i);
      if (end > inputs_[i].bytes || already_read_[i][begin / kLineBytes])
        set &= ~(uint32_t{1} << i);
    }
    return set;
  }

  void add_line(size_t o, size_t line) {
    const ProbedOutput& output = outputs_[o];
    const LineContent content = content_of(output, line);
    if (!content.any) return;
    const uint32_t whole = whole_inputs(output);
    consumed_ |= content.depends & whole;
    const uint32_t set = content.depends & ~whole;
    if (content.only_copies && in_place(output, set)) return;
    const uint32_t sources = still_to_read(output, line, set);
    if (sources != 0) {
      add(o, line, MoveKind::move, set_index(output, sources));
    } else if (set == 0 && content.one_value && list_.values.size() < kMostValues) {
      add(o, line, MoveKind::fill, value_index(repeated(content.value, output.element_bytes)));
    } else {
      add(o, line, MoveKind::made, 0);
    }
  }

  bool in_place(const ProbedOutput& output, uint32_t set) const {
    for (size_t i = 0; i < inputs_.size() && i < kMostInputs; ++i)
      if (set == uint32_t{1} << i) return inputs_[i].data == output.data;
    return false;
  }

  void add(size_t o, size_t line, MoveKind kind, uint32_t detail) {
    Move next;
    next.first_line = static_cast<uint32_t>(line);
    next.lines = 1;
    next.detail = detail;
    next.output = static_cast<uint16_t>(o);
    next.kind = kind;
    if (!list_.moves.empty() && extends(list_.moves.back(), next)) {
      ++list_.moves.back().lines;
    } else {
      list_.moves.push_back(next);
    }
  }

  static bool extends(const Move& last, const Move& next) {
    return touches(last, next) && last.kind == next.kind && last.detail == next.detail;
  }

  static bool touches(const Move& last, const Move& next) {
    return last.output == next.output && last.first_line + last.lines == next.first_line;
  }

  // From `begin` on: a made line beside filled ones becomes one of them.
  void join_single_lines(size_t begin) {
    std::vector<Move>& moves = list_.moves;
    for (size_t i = begin; i < moves.size(); ++i) {
      if (moves[i].kind != MoveKind::made || moves[i].lines != 1) continue;
      const bool before =
          i > begin && moves[i - 1].kind == MoveKind::fill && touches(moves[i - 1], moves[i]);
      const bool after = i + 1 < moves.size() && moves[i + 1].kind == MoveKind::fill &&
                         touches(moves[i], moves[i + 1]);
      if (!before && !after) continue;
      moves[i].kind = MoveKind::fill;
      moves[i].detail = moves[before ? i - 1 : i + 1].detail;
    }
    size_t kept = begin;
    for (size_t i = begin; i < moves.size(); ++i) {
      if (kept > begin && extends(moves[kept - 1], moves[i])) {
        moves[kept - 1].lines += moves[i].lines;
      } else {
        moves[kept++] = moves[i];
      }
    }
    moves.resize(kept);
  }

  void mark_read(size_t o, size_t begin) {
    for (size_t m = begin; m < list_.moves.size(); ++m) {
      const Move& move = list_.moves[m];
      if (move.kind != MoveKind::move) continue;
      for (size_t i = 0; i < inputs_.size() && i < kMostInputs; ++i) {
        if ((sets_[move.detail] >> i & 1) == 0) continue;
        const size_t step = line_bytes(outputs_[o], i);
        const size_t end = (move.first_line + move.lines) * step;
        for (size_t at = move.first_line * step; at < end; at += kLineBytes)
          already_read_[i][at / kLineBytes] = true;
      }
    }
  }

  void consume_whole_inputs() {
    for (size_t i = 0; i < inputs_.size() && i < kMostInputs; ++i) {
      if ((consumed_ >> i & 1) == 0 || inputs_[i].bytes < kLineBytes) continue;
      list_.source_sets.push_back({{inputs_[i].data, inputs_[i].bytes, kLineBytes}});
      sets_.push_back(0);
      Move move;
      move.lines = static_cast<uint32_t>(inputs_[i].bytes / kLineBytes);
      move.detail = static_cast<uint32_t>(list_.source_sets.size() - 1);
      move.kind = MoveKind::consume;
      list_.moves.push_back(move);
    }
  }

  uint32_t value_index(uint64_t pattern) {
    const auto [found, added] =
        value_indices_.emplace(pattern, static_cast<uint32_t>(list_.values.size()));
    if (added) list_.values.push_back(pattern);
    return found->second;
  }

  uint32_t set_index(const ProbedOutput& output, uint32_t set) {
    const auto key = std::make_pair(set, output.element_bytes);
    const auto [found, added] =
        set_indices_.emplace(key, static_cast<uint32_t>(list_.source_sets.size()));
    if (added) {
      std::vector<MoveSource> sources;
      for (size_t i = 0; i < inputs_.size() && i < kMostInputs; ++i)
        if ((set >> i & 1) != 0)
          sources.push_back({inputs_[i].data, inputs_[i].bytes, line_bytes(output, i)});
      // In place the line is stored as it was read: the buffer keeps its numbers.
      std::stable_partition(sources.begin(), sources.end(), [&output](const MoveSource& source) {
        return source.data == output.data;
      });
      list_.source_sets.push_back(std::move(sources));
      sets_.push_back(set);
    }
    return found->second;
  }

  const std::vector<ProbedInput>& inputs_;
  const std::vector<ProbedOutput>& outputs_;
  std::vector<std::vector<bool>> already_read_;
  uint32_t consumed_ = 0;
  MoveList list_;
  std::vector<uint32_t> sets_;  // of the source sets: which inputs
  std::map<uint64_t, uint32_t> value_indices_;
  std::map<std::pair<uint32_t, size_t>, uint32_t> set_indices_;
};

}  // namespace

MoveList moves_of(const std::vector<ProbedInput>& inputs,
                  const std::vector<ProbedOutput>& outputs) {
  return Builder(inputs, outputs).build();
}

double bytes_of_line(const MoveList& list, const Move& move) {
  double bytes = move.kind == MoveKind::consume ? 0 : kLineBytes;
  if (move.kind == MoveKind::move || move.kind == MoveKind::consume)
    for (const MoveSource& source : list.source_sets[move.detail])
      bytes += static_cast<double>(source.line_bytes);
  return bytes;
}

double bytes_moved(const MoveList& list) {
  double bytes = 0;
  for (const Move& move : list.moves)
    bytes += bytes_of_line(list, move) * move.lines;
  return bytes;
}

}  // namespace iotadnn::benchdnn

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "frontends/model/model.h"

// What the readers' tables are made of.
namespace iotadnn::models {

inline constexpr size_t kMany = SIZE_MAX;

// An op of a format, whose nodes are read as a Node.
template <class Node>
struct ReadRow {
  const char* name;
  int64_t since;  // the first opset that has the op
  size_t min_inputs;
  size_t max_inputs;
  std::vector<size_t> (*read)(Node&);  // returns the outputs

  [[nodiscard]] bool takes(size_t inputs) const {
    return min_inputs <= inputs && inputs <= max_inputs;
  }

  // "2 to 3", "1 to any number"
  [[nodiscard]] std::string allowed_inputs() const {
    return std::to_string(min_inputs) + " to " +
           (max_inputs == kMany ? "any number" : std::to_string(max_inputs));
  }
};

// Null for an op that is not in the table.
template <class Node, size_t N>
const ReadRow<Node>* find_row(const ReadRow<Node> (&rows)[N], const std::string& name) {
  for (const ReadRow<Node>& row : rows)
    if (name == row.name) return &row;
  return nullptr;
}

// An op of models with all inputs and no attributes.
template <Op op, class Node>
std::vector<size_t> plain(Node& n) {
  return {n.b.add(op, n.inputs())};
}

}  // namespace iotadnn::models

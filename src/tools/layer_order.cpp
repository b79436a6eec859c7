// SPDX-License-Identifier: Apache-2.0
#include "tools/layer_order.h"

#include <algorithm>
#include <limits>

namespace iotadnn::tools {
namespace {

constexpr size_t kMaxPoints = 20000;  // of links, in a graph
constexpr int kOrderSweeps = 8;
constexpr int kPlaceSweeps = 15;  // the last one goes down
constexpr double kGap = 22;       // between neighbours of a layer

double separation(const LayeredVertex& left, const LayeredVertex& right) {
  return left.width / 2 + kGap + right.width / 2;
}

// The mean of `value` over the neighbours, or `otherwise` without any.
template <class Value>
double mean(const std::vector<size_t>& neighbours, const Value& value, double otherwise) {
  if (neighbours.empty()) return otherwise;
  double sum = 0;
  for (const size_t n : neighbours)
    sum += value(n);
  return sum / static_cast<double>(neighbours.size());
}

// What stays near each other in the end: places that least squares give for wished ones, when
// neighbours keep their order and distance (pool adjacent violators).
class Spread {
 public:
  void add(double wish, double weight) {
    blocks_.push_back({wish * weight, weight, 1});
    while (blocks_.size() > 1 && blocks_[blocks_.size() - 2].mean() >= blocks_.back().mean()) {
      const Block last = blocks_.back();
      blocks_.pop_back();
      blocks_.back().sum += last.sum;
      blocks_.back().weight += last.weight;
      blocks_.back().count += last.count;
    }
  }

  // Calls set(i, place) for each wish in order.
  template <class Set>
  void give(const Set& set) const {
    size_t i = 0;
    for (const Block& block : blocks_)
      for (size_t k = 0; k < block.count; ++k)
        set(i++, block.mean());
  }

 private:
  struct Block {
    double sum;  // of wishes by weight
    double weight;
    size_t count;

    [[nodiscard]] double mean() const { return sum / weight; }
  };

  std::vector<Block> blocks_;
};

// Whether the vertex only follows the one that reads it, as constants do.
bool is_follower(const LayeredVertex& vertex) {
  return vertex.above.empty() && vertex.below.size() == 1;
}

// The vertices above that say where one stands.
std::vector<size_t> leading(const LayeredGraph& graph, const LayeredVertex& vertex) {
  std::vector<size_t> leads;
  for (const size_t v : vertex.above)
    if (!is_follower(graph.vertices[v])) leads.push_back(v);
  return leads.empty() ? vertex.above : leads;
}

void place_layer(LayeredGraph& graph, const std::vector<size_t>& layer, bool from_above,
                 bool from_below) {
  const auto x_of = [&](size_t v) { return graph.vertices[v].x; };
  Spread spread;
  std::vector<double> offsets;
  double offset = 0;
  for (size_t i = 0; i < layer.size(); ++i) {
    const LayeredVertex& vertex = graph.vertices[layer[i]];
    if (i > 0) offset += separation(graph.vertices[layer[i - 1]], vertex);
    offsets.push_back(offset);
    double wish = vertex.x;
    const bool has_above = from_above && !vertex.above.empty();
    const bool has_below = from_below && !vertex.below.empty();
    if (has_above && has_below)
      wish = (mean(leading(graph, vertex), x_of, wish) + mean(vertex.below, x_of, wish)) / 2;
    else if (has_above || has_below)
      wish = mean(has_above ? leading(graph, vertex) : vertex.below, x_of, wish);
    constexpr double kLight = 0.02;
    spread.add(wish - offset, is_follower(vertex) ? kLight : 1);
  }
  spread.give([&](size_t i, double place) { graph.vertices[layer[i]].x = place + offsets[i]; });
}

}  // namespace

void LayeredGraph::add_vertex(size_t layer, double width, double height) {
  if (layers.size() <= layer) layers.resize(layer + 1);
  layers[layer].push_back(vertices.size());
  LayeredVertex vertex;
  vertex.layer = layer;
  vertex.width = width;
  vertex.height = height;
  vertices.push_back(vertex);
}

void LayeredGraph::add_link(size_t from, size_t to) {
  between.emplace_back();
  const size_t first = vertices[from].layer + 1;
  const size_t last = vertices[to].layer;
  if (points + (last - first) > kMaxPoints) return;
  points += last - first;
  size_t above = from;
  for (size_t layer = first; layer <= last; ++layer) {
    const size_t below = layer == last ? to : vertices.size();
    if (layer != last) {
      add_vertex(layer, 0, 0);
      between.back().push_back(below);
    }
    vertices[above].below.push_back(below);
    vertices[below].above.push_back(above);
    above = below;
  }
}

void order_layers(LayeredGraph& graph) {
  std::vector<double> place(graph.vertices.size());
  const auto number = [&](const std::vector<size_t>& layer) {
    for (size_t i = 0; i < layer.size(); ++i)
      place[layer[i]] = static_cast<double>(i);
  };
  for (const auto& layer : graph.layers)
    number(layer);
  const auto sort = [&](std::vector<size_t>& layer, bool down) {
    std::vector<std::pair<double, size_t>> keys;
    for (const size_t v : layer) {
      const LayeredVertex& vertex = graph.vertices[v];
      const auto place_of = [&](size_t n) { return place[n]; };
      keys.emplace_back(mean(down ? vertex.above : vertex.below, place_of, place[v]), v);
    }
    std::stable_sort(keys.begin(), keys.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 0; i < layer.size(); ++i)
      layer[i] = keys[i].second;
    number(layer);
  };
  for (int sweep = 0; sweep < kOrderSweeps; ++sweep) {
    const bool down = sweep % 2 == 0;
    for (size_t i = 0; i < graph.layers.size(); ++i)
      sort(graph.layers[down ? i : graph.layers.size() - 1 - i], down);
  }
}

void place_columns(LayeredGraph& graph) {
  for (const auto& layer : graph.layers)
    place_layer(graph, layer, false, false);
  for (int sweep = 0; sweep < kPlaceSweeps; ++sweep) {
    const bool both = sweep + 5 >= kPlaceSweeps;
    const bool down = sweep % 2 == 0;
    for (size_t i = 0; i < graph.layers.size(); ++i)
      place_layer(graph, graph.layers[down ? i : graph.layers.size() - 1 - i], both || down,
                  both || !down);
  }
  double left = std::numeric_limits<double>::max();
  for (const LayeredVertex& vertex : graph.vertices)
    left = std::min(left, vertex.x - vertex.width / 2);
  for (LayeredVertex& vertex : graph.vertices)
    vertex.x -= left;
}

}  // namespace iotadnn::tools

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace iotadnn::tools {

// A box, or a point of a link where it passes a layer.
struct LayeredVertex {
  size_t layer = 0;
  double width = 0;
  double height = 0;
  double x = 0;  // the center
  double y = 0;
  std::vector<size_t> above;  // vertices of adjacent layers that links lead from and to
  std::vector<size_t> below;
};

// A connected graph whose vertices have layers.
struct LayeredGraph {
  std::vector<LayeredVertex> vertices;
  std::vector<std::vector<size_t>> layers;   // vertices from left to right
  std::vector<std::vector<size_t>> between;  // of each link: the points that it passes, from above
  size_t points = 0;                         // of all links

  void add_vertex(size_t layer, double width, double height);

  // From a vertex to one further below. Where it passes layers it gets a point in each, so that
  // boxes make room, unless there are too many points already.
  void add_link(size_t from, size_t to);
};

// Permutes layers so that links cross little: vertices go to the middle of their neighbours, some
// sweeps down and up.
void order_layers(LayeredGraph& graph);

// x of all vertices, from 0 on: in their order, not overlapping, near the middle of their
// neighbours.
void place_columns(LayeredGraph& graph);

}  // namespace iotadnn::tools

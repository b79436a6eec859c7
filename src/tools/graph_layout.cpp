// SPDX-License-Identifier: Apache-2.0
#include "tools/graph_layout.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "tools/layer_order.h"

namespace iotadnn::tools {
namespace {

constexpr double kLayerGap = 46;      // between boxes of adjacent layers
constexpr double kComponentGap = 40;  // between parts that nothing connects
constexpr double kPageRatio = 1.4;    // width to height that such parts are packed to

// The layer of each box: below all that it reads; what reads nothing stands right above its first
// reader.
std::vector<size_t> layers_of(size_t boxes, const std::vector<Link>& links) {
  std::vector<Link> sorted = links;
  std::sort(sorted.begin(), sorted.end(),
            [](const Link& a, const Link& b) { return a.from < b.from; });
  std::vector<size_t> layer(boxes, 0);
  std::vector<bool> reads(boxes, false);
  for (const Link& link : sorted) {
    layer[link.to] = std::max(layer[link.to], layer[link.from] + 1);
    reads[link.to] = true;
  }
  std::vector<size_t> first_reader(boxes, SIZE_MAX);
  for (const Link& link : links)
    first_reader[link.from] = std::min(first_reader[link.from], layer[link.to]);
  for (size_t b = 0; b < boxes; ++b)
    if (!reads[b] && first_reader[b] != SIZE_MAX) layer[b] = first_reader[b] - 1;
  return layer;
}

// Sets of boxes that links connect.
class Components {
 public:
  explicit Components(size_t boxes) : parent_(boxes) {
    std::iota(parent_.begin(), parent_.end(), size_t{0});
  }

  size_t find(size_t box) {
    while (parent_[box] != box)
      box = parent_[box] = parent_[parent_[box]];
    return box;
  }

  void join(size_t a, size_t b) {
    const size_t x = find(a);
    const size_t y = find(b);
    parent_[std::max(x, y)] = std::min(x, y);
  }

 private:
  std::vector<size_t> parent_;
};

struct Component {
  std::vector<size_t> boxes;
  std::vector<size_t> links;
  Point corner;
  double width = 0;
  double height = 0;
};

std::vector<Component> components_of(size_t boxes, const std::vector<Link>& links) {
  Components sets(boxes);
  for (const Link& link : links)
    sets.join(link.from, link.to);
  std::vector<Component> components;
  std::vector<size_t> number(boxes, SIZE_MAX);
  for (size_t b = 0; b < boxes; ++b) {
    size_t& own = number[sets.find(b)];
    if (own == SIZE_MAX) {
      own = components.size();
      components.emplace_back();
    }
    components[own].boxes.push_back(b);
  }
  for (size_t l = 0; l < links.size(); ++l)
    components[number[sets.find(links[l].from)]].links.push_back(l);
  return components;
}

class Drawing {
 public:
  Drawing(const std::vector<BoxSize>& boxes, const std::vector<Link>& links)
      : boxes_(boxes), links_(links), layer_(layers_of(boxes.size(), links)) {
    layout_.centers.resize(boxes.size());
    layout_.routes.resize(links.size());
    position_.resize(boxes.size());
  }

  GraphLayout draw() {
    std::vector<Component> components = components_of(boxes_.size(), links_);
    for (Component& component : components)
      place(component);
    pack(components);
    for (const Component& component : components)
      move(component);
    return std::move(layout_);
  }

 private:
  // A component with its upper left corner at 0, 0.
  void place(Component& component) {
    LayeredGraph graph = layered(component);
    order_layers(graph);
    place_columns(graph);
    double top = 0;
    for (const std::vector<size_t>& layer : graph.layers) {
      double height = 0;
      for (const size_t v : layer)
        height = std::max(height, graph.vertices[v].height);
      for (const size_t v : layer) {
        graph.vertices[v].y = top + height / 2;
        if (graph.vertices[v].height == 0) graph.vertices[v].height = height;  // a link passes
      }
      top += height + kLayerGap;
    }
    component.height = top - kLayerGap;
    for (size_t i = 0; i < component.boxes.size(); ++i)
      layout_.centers[component.boxes[i]] = {graph.vertices[i].x, graph.vertices[i].y};
    for (const LayeredVertex& vertex : graph.vertices)
      component.width = std::max(component.width, vertex.x + vertex.width / 2);
    for (size_t i = 0; i < component.links.size(); ++i)
      route(component.links[i], graph, i);
  }

  LayeredGraph layered(const Component& component) {
    size_t first = SIZE_MAX;
    for (const size_t b : component.boxes)
      first = std::min(first, layer_[b]);
    LayeredGraph graph;
    for (const size_t b : component.boxes) {
      position_[b] = graph.vertices.size();
      graph.add_vertex(layer_[b] - first, boxes_[b].width, boxes_[b].height);
    }
    for (const size_t l : component.links)
      graph.add_link(position_[links_[l].from], position_[links_[l].to]);
    return graph;
  }

  void route(size_t link, const LayeredGraph& graph, size_t number) {
    const auto [from, to] = links_[link];
    std::vector<Point>& points = layout_.routes[link];
    const Point& start = layout_.centers[from];
    const Point& end = layout_.centers[to];
    points.push_back({start.x, start.y + boxes_[from].height / 2});
    for (const size_t v : graph.between[number]) {  // straight past the boxes of a layer
      const LayeredVertex& passed = graph.vertices[v];
      points.push_back({passed.x, passed.y - passed.height / 2});
      points.push_back({passed.x, passed.y + passed.height / 2});
    }
    points.push_back({end.x, end.y - boxes_[to].height / 2});
  }

  // Components on shelves, in their order.
  void pack(std::vector<Component>& components) {
    double widest = 0;
    double area = 0;
    for (const Component& c : components) {
      widest = std::max(widest, c.width);
      area += (c.width + kComponentGap) * (c.height + kComponentGap);
    }
    const double limit = std::max(widest, std::sqrt(area * kPageRatio));
    Point at;
    double shelf = 0;
    for (Component& c : components) {
      if (at.x > 0 && at.x + c.width > limit) {
        at = {0, at.y + shelf + kComponentGap};
        shelf = 0;
      }
      c.corner = at;
      shelf = std::max(shelf, c.height);
      layout_.width = std::max(layout_.width, at.x + c.width);
      layout_.height = at.y + shelf;
      at.x += c.width + kComponentGap;
    }
  }

  void move(const Component& component) {
    const auto add = [&](Point& point) {
      point.x += component.corner.x;
      point.y += component.corner.y;
    };
    for (const size_t b : component.boxes)
      add(layout_.centers[b]);
    for (const size_t l : component.links)
      for (Point& point : layout_.routes[l])
        add(point);
  }

  const std::vector<BoxSize>& boxes_;
  const std::vector<Link>& links_;
  std::vector<size_t> layer_;
  std::vector<size_t> position_;  // of each box in its component
  GraphLayout layout_;
};

}  // namespace

GraphLayout layered_layout(const std::vector<BoxSize>& boxes, const std::vector<Link>& links) {
  return Drawing(boxes, links).draw();
}

}  // namespace iotadnn::tools

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

// Where the boxes of a directed acyclic graph stand when it is drawn from top to bottom: in layers,
// edges leading down, crossings few (Sugiyama, Tagawa, Toda, "Methods for visual understanding of
// hierarchical system structures", 1981). Parts that nothing connects stand beside each other.
namespace iotadnn::tools {

struct BoxSize {
  double width = 0;
  double height = 0;
};

struct Link {
  size_t from = 0;
  size_t to = 0;  // more than `from`
};

struct Point {
  double x = 0;
  double y = 0;
};

struct GraphLayout {
  std::vector<Point> centers;  // of the boxes
  std::vector<std::vector<Point>>
      routes;  // of the links: from the lower edge of a box to the upper
               // edge of another, through points between other boxes
  double width = 0;
  double height = 0;
};

// Time and memory are within a constant of what there is to draw times its logarithm: links over
// many layers go straight once there are too many of them.
GraphLayout layered_layout(const std::vector<BoxSize>& boxes, const std::vector<Link>& links);

}  // namespace iotadnn::tools

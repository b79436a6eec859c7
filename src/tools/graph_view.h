// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "frontends/model/plan.h"
#include "tools/fate.h"
#include "tools/graph_layout.h"

namespace iotadnn::tools {

// A box of the drawing.
struct ViewBox {
  enum class Role { input, constant, output, node };
  Role role = Role::node;
  Fate fate;             // of a node
  std::string title;     // the kind of a node, the name of a port
  std::string subtitle;  // type and shape
  std::vector<std::pair<std::string, std::string>> details;  // what there is to say, with headings
};

// A model as boxes and links between them: inputs, constants that are read, nodes, outputs.
struct GraphView {
  std::vector<ViewBox> boxes;
  std::vector<Link> links;
  size_t nodes_left_out = 0;  // the last of the model's
  size_t links_left_out = 0;
};

// At most so many nodes, with what they read, and a bounded number of links.
GraphView view_of(const models::Model& model, const models::Plan& plan, size_t most_nodes);

}  // namespace iotadnn::tools

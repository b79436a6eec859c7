// SPDX-License-Identifier: Apache-2.0
#include "tools/html_graph.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tools/html_text.h"

namespace iotadnn::tools {
namespace {

constexpr size_t kMostLabel = 24;    // characters of a label
constexpr size_t kMostDetail = 240;  // and of one detail
constexpr double kSubtitleScale = 0.82;
constexpr double kPadding = 34;
constexpr double kLeastWidth = 76;
constexpr double kNodeHeight = 44;
constexpr double kPortHeight = 38;

// With one decimal, and none where that is 0.
std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  std::string shown(text);
  if (shown.size() > 2 && shown.compare(shown.size() - 2, 2, ".0") == 0)
    shown.resize(shown.size() - 2);
  return shown;
}

BoxSize size_of(const ViewBox& box) {
  const double label = std::max(text_width(box.title, kMostLabel),
                                text_width(box.subtitle, kMostLabel) * kSubtitleScale);
  return {std::max(kLeastWidth, std::ceil(label) + kPadding),
          box.role == ViewBox::Role::node ? kNodeHeight : kPortHeight};
}

const char* class_of(const ViewBox& box) {
  switch (box.role) {
    case ViewBox::Role::input:
    case ViewBox::Role::output:
      return "v port";
    case ViewBox::Role::constant:
      return "v constant";
    case ViewBox::Role::node:
      break;
  }
  switch (box.fate.kind) {
    case Fate::Kind::claimed:
      return "v claimed";
    case Fate::Kind::interpreted:
      return "v interpreted";
    case Fate::Kind::folded:
    case Fate::Kind::unused:
      break;
  }
  return "v gone";
}

// A curve that leaves and reaches its points vertically.
std::string path_of(const std::vector<Point>& points) {
  std::string path = "M" + number(points[0].x) + " " + number(points[0].y);
  for (size_t i = 1; i < points.size(); ++i) {
    if (points[i - 1].x == points[i].x) {
      path += "V" + number(points[i].y);
      continue;
    }
    const std::string middle = number((points[i - 1].y + points[i].y) / 2);
    path += "C" + number(points[i - 1].x) + " " + middle + " " + number(points[i].x) + " " +
            middle + " " + number(points[i].x) + " " + number(points[i].y);
  }
  return path;
}

std::string details_of(const ViewBox& box) {
  std::string text;
  for (const auto& [heading, detail] : box.details) {
    std::string line = heading + ": " + detail;
    std::replace(line.begin(), line.end(), '\n', ' ');
    text += (text.empty() ? "" : "\n") + html_text(line, kMostDetail);
  }
  return text;
}

std::string label(const char* attributes, double y, const std::string& text) {
  return "<text" + std::string(attributes) + " y=\"" + number(y) + "\">" +
         html_text(text, kMostLabel) + "</text>";
}

std::string group_of(size_t index, const ViewBox& box, const BoxSize& size, const Point& center,
                     const std::map<size_t, int>& hues) {
  const std::string width = number(size.width);
  const std::string left = number(-size.width / 2);
  const bool is_claimed = box.role == ViewBox::Role::node && box.fate.kind == Fate::Kind::claimed;
  std::string text = "<g class=\"" + std::string(class_of(box)) + "\" id=\"v" +
                     std::to_string(index) + "\" tabindex=\"" + (index == 0 ? "0" : "-1") +
                     "\" role=\"img\" transform=\"translate(" + number(center.x) + " " +
                     number(center.y) + ")\"";
  if (is_claimed)
    text += " data-p=\"" + std::to_string(box.fate.step) +
            "\" style=\"--h:" + std::to_string(hues.at(box.fate.step)) + "\"";
  text += "><title>" + details_of(box) + "</title><rect x=\"" + left + "\" y=\"" +
          number(-size.height / 2) + "\" width=\"" + width + "\" height=\"" + number(size.height) +
          "\" rx=\"" + (box.role == ViewBox::Role::node ? "7" : number(size.height / 2)) + "\"/>";
  text += label("", box.subtitle.empty() ? 4 : -2, box.title);
  if (!box.subtitle.empty()) text += label(" class=\"s\"", 13, box.subtitle);
  if (is_claimed)
    text += "<text class=\"b\" x=\"" + number(size.width / 2 - 6) + "\" y=\"" +
            number(-size.height / 2 + 13) + "\">" + std::to_string(box.fate.step) + "</text>";
  return text + "</g>\n";
}

}  // namespace

std::map<size_t, int> partition_hues(const models::Plan& plan) {
  constexpr double kFirst = 212;
  constexpr double kGoldenAngle = 137.508;
  std::map<size_t, int> hues;
  for (size_t s = 0; s < plan.steps.size(); ++s)
    if (plan.steps[s].is_compiled)
      hues[s] = static_cast<int>(
          std::fmod(kFirst + kGoldenAngle * static_cast<double>(hues.size()), 360));
  return hues;
}

std::string svg_of(const GraphView& view, const std::map<size_t, int>& hues) {
  if (view.boxes.empty()) return "";
  constexpr double kMargin = 4;  // of the strokes
  std::vector<BoxSize> sizes;
  for (const ViewBox& box : view.boxes)
    sizes.push_back(size_of(box));
  const GraphLayout layout = layered_layout(sizes, view.links);
  const std::string width = number(layout.width + 2 * kMargin);
  const std::string height = number(layout.height + 2 * kMargin);
  const std::string corner = number(-kMargin);
  std::string svg = "<svg class=\"graph\" width=\"" + width + "\" height=\"" + height +
                    "\" viewBox=\"" + corner + " " + corner + " " + width + " " + height + "\">\n";
  for (size_t l = 0; l < view.links.size(); ++l)
    svg += "<path class=\"e\" data-a=\"" + std::to_string(view.links[l].from) + "\" data-b=\"" +
           std::to_string(view.links[l].to) + "\" d=\"" + path_of(layout.routes[l]) + "\"/>\n";
  for (size_t b = 0; b < view.boxes.size(); ++b)
    svg += group_of(b, view.boxes[b], sizes[b], layout.centers[b], hues);
  return svg + "</svg>\n";
}

}  // namespace iotadnn::tools

// SPDX-License-Identifier: Apache-2.0
// What pages are made of: text of strangers, and where the boxes of a graph stand.
#include <chrono>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/random.h"
#include "tools/graph_layout.h"
#include "tools/html_text.h"

namespace iotadnn::tools {
namespace {

const std::string kReplacement = "\xef\xbf\xbd";

TEST(HtmlText, EscapesMarkup) {
  EXPECT_EQ(html_text("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&#39;");
  EXPECT_EQ(html_text("two\nlines"), "two\nlines");
  EXPECT_EQ(html_text(""), "");
}

TEST(HtmlText, ReplacesWhatIsNoText) {
  EXPECT_EQ(html_text(std::string("a\0b\x1b", 4)), "a" + kReplacement + "b" + kReplacement);
  EXPECT_EQ(html_text("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"),
            "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(html_text("\xc3"), kReplacement) << "cut off";
  EXPECT_EQ(html_text("\xc0\xbc"), kReplacement + kReplacement) << "'<', too long";
  EXPECT_EQ(html_text("\xed\xa0\x80"), kReplacement) << "surrogate";
  EXPECT_EQ(html_text("\xe2\x80\xae"), kReplacement) << "turns the direction of writing";
  EXPECT_EQ(html_text("\xff<"), kReplacement + "&lt;");
}

TEST(HtmlText, CutsBetweenCharacters) {
  EXPECT_EQ(html_text("\xc3\xa4<\xc3\xa4", 2), "\xc3\xa4&lt;\xe2\x80\xa6");
  EXPECT_EQ(html_text("abc", 3), "abc");
  EXPECT_LT(text_width("abc", 24), text_width("abcd", 24));
  EXPECT_EQ(text_width(std::string(1000, 'a'), 24), text_width(std::string(25, 'a'), 24));
}

// Boxes do not overlap, links lead down, and all of it is within the drawing.
void check(const std::vector<BoxSize>& boxes, const std::vector<Link>& links) {
  const GraphLayout layout = layered_layout(boxes, links);
  ASSERT_EQ(layout.centers.size(), boxes.size());
  ASSERT_EQ(layout.routes.size(), links.size());
  constexpr double kSlack = 1e-6;
  for (size_t a = 0; a < boxes.size(); ++a) {
    const Point& p = layout.centers[a];
    EXPECT_GE(p.x - boxes[a].width / 2, -kSlack);
    EXPECT_GE(p.y - boxes[a].height / 2, -kSlack);
    EXPECT_LE(p.x + boxes[a].width / 2, layout.width + kSlack);
    EXPECT_LE(p.y + boxes[a].height / 2, layout.height + kSlack);
    for (size_t b = 0; b < a; ++b) {
      const Point& q = layout.centers[b];
      EXPECT_TRUE(std::abs(p.x - q.x) + kSlack >= (boxes[a].width + boxes[b].width) / 2 ||
                  std::abs(p.y - q.y) + kSlack >= (boxes[a].height + boxes[b].height) / 2)
          << a << " and " << b << " overlap";
    }
  }
  for (size_t l = 0; l < links.size(); ++l) {
    const std::vector<Point>& route = layout.routes[l];
    ASSERT_GE(route.size(), 2u);
    EXPECT_EQ(route.front().x, layout.centers[links[l].from].x);
    EXPECT_EQ(route.back().x, layout.centers[links[l].to].x);
    for (size_t i = 1; i < route.size(); ++i)
      EXPECT_GT(route[i].y, route[i - 1].y);
  }
}

TEST(GraphLayout, SmallGraphs) {
  check({}, {});
  check({{80, 40}}, {});
  check({{80, 40}, {20, 10}, {300, 44}}, {});
  check({{80, 40}, {80, 40}, {80, 40}}, {{0, 1}, {1, 2}, {0, 2}, {0, 2}});
}

TEST(GraphLayout, AChainIsStraight) {
  const GraphLayout layout = layered_layout({{80, 40}, {60, 40}, {90, 40}}, {{0, 1}, {1, 2}});
  EXPECT_NEAR(layout.centers[0].x, layout.centers[1].x, 1e-9);
  EXPECT_NEAR(layout.centers[1].x, layout.centers[2].x, 1e-9);
}

// 0 and 1 are read crosswise by 3 and 2: boxes change places, no link crosses another.
TEST(GraphLayout, CrossingsAreUndone) {
  const std::vector<BoxSize> boxes(5, {80, 40});
  const GraphLayout layout = layered_layout(boxes, {{0, 3}, {1, 2}, {2, 4}, {3, 4}});
  EXPECT_EQ(layout.centers[0].x < layout.centers[1].x, layout.centers[3].x < layout.centers[2].x);
}

// What only a late box reads stands right above it.
TEST(GraphLayout, SourcesStandNearTheirReaders) {
  const std::vector<BoxSize> boxes(5, {80, 40});
  const GraphLayout layout = layered_layout(boxes, {{0, 2}, {2, 3}, {3, 4}, {1, 4}});
  EXPECT_EQ(layout.centers[1].y, layout.centers[3].y);
}

TEST(GraphLayout, RandomGraphs) {
  test::Random random;
  for (int round = 0; round < 60; ++round) {
    std::vector<BoxSize> boxes(static_cast<size_t>(random.between(1, 40)));
    for (BoxSize& box : boxes)
      box = {static_cast<double>(random.between(20, 220)),
             static_cast<double>(random.between(10, 70))};
    std::vector<Link> links;
    for (int64_t l = random.between(0, 80); l > 0 && boxes.size() > 1; --l) {
      const auto to =
          static_cast<size_t>(random.between(1, static_cast<int64_t>(boxes.size()) - 1));
      links.push_back({static_cast<size_t>(random.between(0, static_cast<int64_t>(to) - 1)), to});
    }
    check(boxes, links);
  }
}

// A box that all of a long chain reads: as many links over thousands of layers.
TEST(GraphLayout, LargeGraphsAreNoBurden) {
  constexpr size_t kBoxes = 8000;
  std::vector<Link> links;
  for (size_t b = 1; b < kBoxes; ++b) {
    links.push_back({b - 1, b});
    links.push_back({0, b});
  }
  const auto start = std::chrono::steady_clock::now();
  const GraphLayout layout = layered_layout(std::vector<BoxSize>(kBoxes, {80, 40}), links);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
  size_t points = 0;
  for (const auto& route : layout.routes)
    points += route.size();
  EXPECT_LT(points, 100000u);
}

}  // namespace
}  // namespace iotadnn::tools

// SPDX-License-Identifier: Apache-2.0
#include "tools/html_page.h"

#include <algorithm>

#include "tools/fate.h"
#include "tools/html_assets.h"
#include "tools/html_graph.h"
#include "tools/html_text.h"

namespace iotadnn::tools {
namespace {

constexpr size_t kMostNodes = 6000;
constexpr size_t kMostPartitions = 1000;
constexpr size_t kMostLegend = 100;          // partitions in the legend
constexpr size_t kMostTextBytes = 4u << 20;  // of programs and listings together
constexpr size_t kMostTitle = 200;

// What a page of any model is allowed to load: nothing.
constexpr const char* kHead =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";

std::string count(size_t number, const char* what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

class Page {
 public:
  Page(const std::string& title, const models::Model& model, const models::Plan& plan,
       const std::vector<PartitionText>& partitions)
      : title_(html_text(title, kMostTitle)),
        model_(model),
        partitions_(partitions),
        hues_(partition_hues(plan)),
        fates_(fates_of(model, plan)),
        view_(view_of(model, plan, kMostNodes)) {}

  std::string write() {
    out_ = kHead;
    out_ += "<title>" + title_ + " - iotadnn</title>\n<style>";
    out_ += kHtmlStyle;
    out_ += "</style>\n</head>\n<body>\n";
    add_header();
    out_ += "<main>\n";
    add_legend();
    add_graph();
    add_partitions();
    out_ += "</main>\n<script>";
    out_ += kHtmlScript;
    out_ += "</script>\n</body>\n</html>\n";
    return std::move(out_);
  }

 private:
  [[nodiscard]] size_t nodes_of(Fate::Kind kind) const {
    return static_cast<size_t>(std::count_if(
        fates_.begin(), fates_.end(), [kind](const Fate& fate) { return fate.kind == kind; }));
  }

  void add_header() {
    out_ += "<header>\n<h1>" + title_ + "</h1>\n<p class=\"soft\">" + html_text(model_.format) +
            " &middot; " + count(model_.nodes.size(), "node") + " &middot; " +
            count(partitions_.size(), "compiled partition") + " with " +
            count(nodes_of(Fate::Kind::claimed), "node") + " &middot; " +
            count(nodes_of(Fate::Kind::interpreted), "node") + " interpreted</p>\n";
    if (view_.nodes_left_out + view_.links_left_out > 0)
      out_ += "<p class=\"note\">The model is too large to be drawn as a whole: " +
              count(view_.nodes_left_out, "node") + " at its end and " +
              count(view_.links_left_out, "edge") + " are not shown.</p>\n";
    out_ += "</header>\n";
  }

  void add_legend_item(const char* name, const std::string& text) {
    out_ +=
        "<li class=\"" + std::string(name) + "\"><span class=\"swatch\"></span>" + text + "</li>\n";
  }

  void add_legend() {
    out_ += "<ul class=\"legend\">\n";
    const size_t shown = std::min(partitions_.size(), kMostLegend);
    for (size_t i = 0; i < shown; ++i) {
      const PartitionText& text = partitions_[i];
      out_ +=
          "<li class=\"claimed\" role=\"button\" tabindex=\"0\" aria-pressed=\"false\" "
          "data-p=\"" +
          std::to_string(text.step) + "\" style=\"--h:" + std::to_string(hues_.at(text.step)) +
          "\"><span class=\"swatch\"></span>partition " + std::to_string(text.step) + "</li>\n";
    }
    if (shown < partitions_.size())
      out_ += "<li>and " + count(partitions_.size() - shown, "more partition") + "</li>\n";
    if (const size_t nodes = nodes_of(Fate::Kind::interpreted))
      add_legend_item("interpreted", count(nodes, "node") + " interpreted");
    if (const size_t nodes = nodes_of(Fate::Kind::folded))
      add_legend_item("gone", count(nodes, "node") + " folded");
    if (const size_t nodes = nodes_of(Fate::Kind::unused))
      add_legend_item("gone", count(nodes, "node") + " left out");
    add_legend_item("port", "inputs and outputs");
    add_legend_item("constant", "constants");
    out_ += "</ul>\n";
  }

  void add_graph() {
    const std::string svg = svg_of(view_, hues_);
    if (svg.empty()) {
      out_ += "<p>The model has neither nodes nor inputs nor outputs.</p>\n";
      return;
    }
    out_ +=
        "<div class=\"view\">\n<section class=\"card\" aria-label=\"graph\">\n"
        "<div class=\"tools\"><input id=\"find\" type=\"search\" placeholder=\"find a node\" "
        "aria-label=\"find a node\"><span id=\"found\" class=\"soft\" role=\"status\"></span>"
        "<button data-zoom=\"out\" aria-label=\"smaller\">&minus;</button>"
        "<button data-zoom=\"in\" aria-label=\"larger\">+</button>"
        "<button data-zoom=\"one\">1:1</button><button data-zoom=\"fit\">fit</button></div>\n"
        "<div class=\"canvas\">" +
        svg +
        "</div>\n</section>\n"
        "<aside class=\"card details\" aria-live=\"polite\"><h2>Details</h2>"
        "<div id=\"details\"><p class=\"soft\">Point at a box, or go from box to box with Tab "
        "and the arrow keys: up and down follow the edges.</p></div></aside>\n</div>\n";
  }

  void add_partitions() {
    out_ += "<h2>Compiled partitions</h2>\n";
    if (partitions_.empty()) out_ += "<p>None: every node that is left is interpreted.</p>\n";
    const size_t shown = std::min(partitions_.size(), kMostPartitions);
    for (size_t i = 0; i < shown; ++i)
      add_partition(partitions_[i]);
    if (shown < partitions_.size())
      out_ += "<p>" + count(partitions_.size() - shown, "more partition") + " not shown.</p>\n";
  }

  void add_partition(const PartitionText& text) {
    out_ += "<details class=\"card partition\" data-p=\"" + std::to_string(text.step) +
            "\"><summary><span class=\"swatch claimed\" style=\"--h:" +
            std::to_string(hues_.at(text.step)) + "\"></span><b>partition " +
            std::to_string(text.step) + "</b><span class=\"kinds\">" + html_text(text.kinds, 400) +
            "</span><span class=\"runner soft\">" + html_text(text.runner) + "</span></summary>\n" +
            "<h3>row program</h3>\n";
    add_text(text.program);
    for (const KernelText& kernel : text.kernels) {
      out_ += "<h3>" + html_text(kernel.heading) + "</h3>\n";
      if (kernel.first_step == text.step)
        add_text(kernel.listing);
      else
        out_ += "<pre>the code of partition " + std::to_string(kernel.first_step) + "</pre>\n";
    }
    if (!text.no_kernel.empty()) out_ += "<h3>" + html_text(text.no_kernel) + "</h3>\n";
    out_ += "</details>\n";
  }

  void add_text(const std::string& text) {
    if (text_bytes_ + text.size() > kMostTextBytes) {
      out_ += "<pre>not shown: the page would become too large</pre>\n";
      return;
    }
    text_bytes_ += text.size();
    out_ += "<pre>" + html_text(text) + "</pre>\n";
  }

  const std::string title_;
  const models::Model& model_;
  const std::vector<PartitionText>& partitions_;
  const std::map<size_t, int> hues_;
  const std::vector<Fate> fates_;
  const GraphView view_;
  std::string out_;
  size_t text_bytes_ = 0;
};

}  // namespace

std::string html_page(const std::string& title, const models::Model& model,
                      const models::Plan& plan, const std::vector<PartitionText>& partitions) {
  return Page(title, model, plan, partitions).write();
}

}  // namespace iotadnn::tools

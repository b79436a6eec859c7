// SPDX-License-Identifier: Apache-2.0
#include "tools/partition_text.h"

#include <map>

#include "tools/listing.h"
#include "tools/report.h"

namespace iotadnn::tools {
namespace {

std::string why_no_kernel(const std::string& runner) {
  if (runner == "reference" || runner == "portable")
    return "no machine code: the " + runner + (runner == "portable" ? " interpreter" : "") +
           " runs";
  return "no machine code yet: nothing is to be written, or shapes are known only when it runs";
}

}  // namespace

std::vector<PartitionText> partition_texts(const models::Model& model, const models::Plan& plan,
                                           bool with_listings) {
  std::vector<PartitionText> texts;
  Disassembler disassembler;
  std::map<const uint8_t*, size_t> first_steps;
  for (size_t s = 0; s < plan.steps.size(); ++s) {
    const models::Step& step = plan.steps[s];
    if (!step.is_compiled) continue;
    PartitionText text;
    text.step = s;
    text.runner = runner_of(step);
    text.kinds = kinds_of(model, step);
    text.program = step.compiled.get_program_text();
    if (with_listings) {
      for (const iotadnn_graph_kernel_t& kernel : step.compiled.get_kernels())
        text.kernels.push_back({heading_of(kernel), disassembler.listing(kernel),
                                first_steps.try_emplace(kernel.code, s).first->second});
      if (text.kernels.empty()) text.no_kernel = why_no_kernel(text.runner);
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace iotadnn::tools

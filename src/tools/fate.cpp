// SPDX-License-Identifier: Apache-2.0
#include "tools/fate.h"

namespace iotadnn::tools {

std::vector<Fate> fates_of(const models::Model& model, const models::Plan& plan) {
  std::vector<Fate> fates(model.nodes.size());
  for (const size_t n : plan.folded)
    fates[n].kind = Fate::Kind::folded;
  for (size_t s = 0; s < plan.steps.size(); ++s)
    for (const size_t n : plan.steps[s].nodes)
      fates[n] = {plan.steps[s].is_compiled ? Fate::Kind::claimed : Fate::Kind::interpreted, s,
                  plan.steps[s].reason};
  return fates;
}

std::string text_of(const Fate& fate) {
  switch (fate.kind) {
    case Fate::Kind::claimed:
      return "claimed: partition " + std::to_string(fate.step);
    case Fate::Kind::interpreted:
      return "interpreted: " + fate.reason;
    case Fate::Kind::folded:
      return "folded: its result follows from shapes and constants";
    case Fate::Kind::unused:
      break;
  }
  return "left out: nothing reads its data";
}

}  // namespace iotadnn::tools

// SPDX-License-Identifier: Apache-2.0
#include "frontends/model/order.h"

#include <algorithm>
#include <set>

namespace iotadnn::models {
namespace {

// From what waits for ever to what it waits for, as often as there are nodes: that is in a cycle.
size_t walk_into_cycle(const std::vector<std::vector<size_t>>& sources,
                       const std::vector<size_t>& missing, size_t from) {
  for (size_t steps = 0; steps < sources.size(); ++steps)
    from = *std::find_if(sources[from].begin(), sources[from].end(),
                         [&](size_t source) { return missing[source] > 0; });
  return from;
}

}  // namespace

Order sources_first(const std::vector<std::vector<size_t>>& sources) {
  std::vector<size_t> missing(sources.size(), 0);
  std::vector<std::vector<size_t>> readers(sources.size());
  std::set<size_t> ready;
  for (size_t i = 0; i < sources.size(); ++i) {
    for (const size_t source : sources[i])
      readers[source].push_back(i);
    missing[i] = sources[i].size();
    if (missing[i] == 0) ready.insert(i);
  }
  Order found;
  while (!ready.empty()) {
    const size_t next = *ready.begin();
    ready.erase(ready.begin());
    found.order.push_back(next);
    for (const size_t reader : readers[next])
      if (--missing[reader] == 0) ready.insert(reader);
  }
  const auto stuck =
      std::find_if(missing.begin(), missing.end(), [](size_t count) { return count > 0; });
  if (stuck != missing.end())
    found.in_cycle =
        walk_into_cycle(sources, missing, static_cast<size_t>(stuck - missing.begin()));
  return found;
}

}  // namespace iotadnn::models

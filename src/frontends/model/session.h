// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frontends/model/plan.h"

namespace iotadnn::models {

// Runs a model any number of times, with any sizes that its inputs allow. Plans of the last sizes
// are kept. One thread at a time.
class Session {
 public:
  explicit Session(const Model& model, PlanOptions options = {});  // the model must outlive it

  // The plan for these inputs, made if none is kept; valid until the next call.
  const Plan& plan_for(const std::vector<Tensor>& inputs);

  // Outputs in the model's order. ModelError, and iotadnn::error for what the library refuses.
  std::vector<Tensor> run(const std::vector<Tensor>& inputs);

  // Nanoseconds of each step in the last run.
  [[nodiscard]] const std::vector<double>& step_times() const { return times_; }

  // How many plans were made.
  [[nodiscard]] size_t plans_made() const { return plans_made_; }

 private:
  struct Kept {
    std::string key;
    std::unique_ptr<Plan> plan;
  };

  [[nodiscard]] std::string key_of(const std::vector<Tensor>& inputs) const;

  const Model& model_;
  PlanOptions options_;
  iotadnn::engine engine_;
  iotadnn::stream stream_;
  std::vector<bool> shape_values_;
  std::list<Kept> plans_;  // the last used first
  std::vector<double> times_;
  size_t plans_made_ = 0;
};

}  // namespace iotadnn::models

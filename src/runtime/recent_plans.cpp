// SPDX-License-Identifier: Apache-2.0
#include "runtime/recent_plans.h"

#include <utility>

namespace iotadnn::impl {
namespace {

// Never 0, which stands for a place without a plan.
uint64_t hash_of(const PlanKey& key) {
  return key.hash() | 1;
}

}  // namespace

RecentPlans::InUse RecentPlans::find(const PlanKey& key) {
  const uint64_t hash = hash_of(key);
  for (Place& place : places_) {
    if (place.hash.load(std::memory_order_relaxed) != hash) continue;
    if (place.enter() && place.key == key) return InUse(place);
    place.leave();
  }
  return {};
}

void RecentPlans::keep(const PlanKey& key, Plan plan) {
  for (size_t tries = 0; tries < kPlaces; ++tries) {
    Place& place = places_[next_.fetch_add(1, std::memory_order_relaxed) % kPlaces];
    int users = 0;
    if (!place.users.compare_exchange_strong(users, Place::kReplacing, std::memory_order_acquire,
                                             std::memory_order_relaxed))
      continue;
    place.key.assign(key);
    place.plan = std::move(plan);
    place.hash.store(hash_of(key), std::memory_order_relaxed);
    place.users.fetch_sub(Place::kReplacing, std::memory_order_release);
    return;
  }
}

}  // namespace iotadnn::impl

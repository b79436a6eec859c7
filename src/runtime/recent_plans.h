// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <utility>

#include "runtime/plan_key.h"

namespace iotadnn::impl {

// The plans of the last different executions. Any number of threads find and keep plans at once,
// and none of them ever waits for another: a place counts those who use its plan, and is given to
// another plan only when nobody does.
template <class Plan>
class RecentPlans {
  struct Place;

 public:
  static constexpr size_t kPlaces = 8;

  // A plan that is in use as long as this lives; or none.
  class InUse {
   public:
    InUse() = default;

    explicit InUse(Place& place) : place_(&place) {}

    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;

    ~InUse() {
      if (place_ != nullptr) place_->leave();
    }

    explicit operator bool() const { return place_ != nullptr; }

    const Plan& operator*() const { return place_->plan; }

   private:
    Place* place_ = nullptr;
  };

  InUse find(const PlanKey& key) {
    const uint64_t hash = hash_of(key);
    for (Place& place : places_) {
      if (place.hash.load(std::memory_order_relaxed) != hash) continue;
      if (place.enter() && place.key == key) return InUse(place);
      place.leave();
    }
    return {};
  }

  // Keeps the plan instead of one of the others; lets it go when all of them are in use.
  void keep(const PlanKey& key, Plan plan) {
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

 private:
  // Never 0, which stands for a place without a plan.
  static uint64_t hash_of(const PlanKey& key) { return key.hash() | 1; }

  // On lines of its own: users of one plan do not slow down those of another.
  struct alignas(64) Place {
    static constexpr int kReplacing = 1 << 30;

    std::atomic<int> users{0};  // who reads the plan or wants to; kReplacing more while it changes
    std::atomic<uint64_t> hash{0};  // of the key; a hint, so that others are not touched
    PlanKey key;
    Plan plan;

    bool enter() { return users.fetch_add(1, std::memory_order_acquire) < kReplacing; }

    void leave() { users.fetch_sub(1, std::memory_order_release); }
  };

  std::array<Place, kPlaces> places_;
  std::atomic<unsigned> next_{0};
};

}  // namespace iotadnn::impl

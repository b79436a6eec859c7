// SPDX-License-Identifier: Apache-2.0
#include "runtime/recent_plans.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "ops/op_kinds.h"
#include "ops/op_table.h"
#include "runtime/plan.h"

namespace iotadnn::impl {
namespace {

PlanKey key_of(int64_t number) {
  PlanKey key;
  key.add(number);
  return key;
}

Plan plan_of(int64_t number) {
  Plan plan;
  plan.units = number;
  return plan;
}

TEST(RecentPlans, FindsWhatIsKept) {
  RecentPlans<Plan> plans;
  EXPECT_FALSE(plans.find(key_of(1)));
  plans.keep(key_of(1), plan_of(10));
  plans.keep(key_of(2), plan_of(20));
  const auto one = plans.find(key_of(1));
  const auto two = plans.find(key_of(2));
  ASSERT_TRUE(one);
  ASSERT_TRUE(two);
  EXPECT_EQ((*one).units, 10);
  EXPECT_EQ((*two).units, 20);
  EXPECT_FALSE(plans.find(key_of(3)));
  EXPECT_FALSE(plans.find(PlanKey()));
}

TEST(RecentPlans, LetsTheOldestGo) {
  RecentPlans<Plan> plans;
  const auto places = static_cast<int64_t>(RecentPlans<Plan>::kPlaces);
  for (int64_t i = 0; i <= places; ++i)
    plans.keep(key_of(i), plan_of(i));
  EXPECT_FALSE(plans.find(key_of(0)));
  for (int64_t i = 1; i <= places; ++i)
    EXPECT_TRUE(plans.find(key_of(i))) << i;
}

TEST(RecentPlans, APlanInUseStays) {
  RecentPlans<Plan> plans;
  plans.keep(key_of(0), plan_of(7));
  const auto used = plans.find(key_of(0));
  ASSERT_TRUE(used);
  for (int64_t i = 1; i < 100; ++i)
    plans.keep(key_of(i), plan_of(i));
  EXPECT_EQ((*used).units, 7);
  EXPECT_TRUE(plans.find(key_of(0)));
}

TEST(RecentPlans, WithAllInUseNoneIsKept) {
  RecentPlans<Plan> plans;
  std::vector<int64_t> found;
  const auto use_all = [&](const auto& self, int64_t number) -> void {
    if (number == static_cast<int64_t>(RecentPlans<Plan>::kPlaces)) {
      plans.keep(key_of(-1), plan_of(-1));
      EXPECT_FALSE(plans.find(key_of(-1)));
      return;
    }
    plans.keep(key_of(number), plan_of(number));
    const auto used = plans.find(key_of(number));
    ASSERT_TRUE(used);
    self(self, number + 1);
    found.push_back((*used).units);
  };
  use_all(use_all, 0);
  EXPECT_EQ(found.size(), RecentPlans<Plan>::kPlaces);
  plans.keep(key_of(-1), plan_of(-1));
  EXPECT_TRUE(plans.find(key_of(-1)));
}

TEST(RecentPlans, ThreadsFindAndReplaceAtOnce) {
  RecentPlans<Plan> plans;
  std::atomic<int> wrong{0};
  std::atomic<int> hits{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int64_t i = 0; i < 5000; ++i) {
        const int64_t number = (i / 4 + t) % 20;
        if (const auto used = plans.find(key_of(number))) {
          ++hits;
          if ((*used).units != number) ++wrong;
        } else {
          plans.keep(key_of(number), plan_of(number));
        }
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_GT(hits.load(), 0);
}

// Eye's tensor form with s32 scalars and a batch of three.
class PlanKeyOfEye : public testing::Test {
 protected:
  PlanKeyOfEye() {
    for (size_t p = 0; p < 4; ++p) {
      Tensor& t = tensors[p];
      t.lt.type = DataType::s32;
      t.lt.layout = LayoutType::strided;
      t.lt.rank = p == 3 ? 1 : 0;
      t.lt.dims[0] = 3;
      t.lt.strides[0] = 2;
      t.data = &data[p];
      op.inputs.push_back(t.lt);
    }
    output.lt.type = DataType::f32;
    output.lt.rank = 5;
  }

  bool make(PlanKey& key) {
    const Tensor* list[] = {&tensors[0], &tensors[1], &tensors[2], &tensors[3]};
    const std::vector<int> order = {0, 1, 2, 3};
    return make_key(op, *find_op(op_kind::kEye), Span<const int>(order),
                    Span<const Tensor* const>(list), output, key);
  }

  PlanKey key() {
    PlanKey made;
    EXPECT_TRUE(make(made));
    return made;
  }

  // Rows, columns, the diagonal; from the fourth on a batch of 5x6x7 at every second number.
  int32_t data[8] = {2, 3, 1, 5, -1, 6, -1, 7};
  Tensor tensors[4];
  Tensor output;
  Op op;
};

TEST_F(PlanKeyOfEye, TellsApartWhatDecidesTheShape) {
  const PlanKey before = key();
  EXPECT_TRUE(key() == before);
  for (const int position : {0, 1, 3, 5, 7}) {
    ++data[position];
    EXPECT_FALSE(key() == before) << position;
    --data[position];
  }
  for (const int position : {2, 4, 6}) {  // the diagonal and gaps
    ++data[position];
    EXPECT_TRUE(key() == before) << position;
    --data[position];
  }
  output.lt.strides[4] = 3;
  EXPECT_FALSE(key() == before);
}

TEST_F(PlanKeyOfEye, IsNotMadeOfWhatMustNotBeRead) {
  PlanKey unused;
  tensors[2].data = nullptr;  // the diagonal decides no shape, but is read
  EXPECT_FALSE(make(unused));
  tensors[2].data = &data[2];
  tensors[3].lt.dims[0] = 1000;  // more numbers than a key has
  EXPECT_FALSE(make(unused));
  tensors[3].lt.dims[0] = 3;
  tensors[3].lt.strides[0] = kUnknownDim;
  EXPECT_FALSE(make(unused));
  tensors[3].lt.strides[0] = 2;
  tensors[0].lt.type = DataType::u8;
  EXPECT_FALSE(make(unused));
  tensors[0].lt.type = DataType::s32;
  tensors[1].lt.rank = 2;
  EXPECT_FALSE(make(unused));
}

}  // namespace
}  // namespace iotadnn::impl

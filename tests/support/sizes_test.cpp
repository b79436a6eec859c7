// SPDX-License-Identifier: Apache-2.0
#include "support/sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace iotadnn::test {
namespace {

using testing::ElementsAre;

TEST(VectorEdges, SurroundMultiplesOfTheVector) {
  EXPECT_THAT(vector_edges(8), ElementsAre(0, 1, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32, 33));
  EXPECT_THAT(vector_edges(1), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(VectorEdges, OfATypeCoverBothVectorWidths) {
  EXPECT_THAT(vector_edges_of_type(8),
              ElementsAre(0, 1, 3, 4, 5, 7, 8, 9, 11, 12, 13, 15, 16, 17, 23, 24, 25, 31, 32, 33));
}

}  // namespace
}  // namespace iotadnn::test

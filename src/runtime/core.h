// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace iotadnn::impl {

// The part of a compiled partition that does not depend on ids, which the partition cache shares
// between structure-equal partitions.
class Core {
 public:
  virtual ~Core() = default;
};

}  // namespace iotadnn::impl

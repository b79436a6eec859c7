// SPDX-License-Identifier: Apache-2.0
// Alias header: namespace dnnl::graph.
#pragma once

#include "iotadnn/graph.hpp"

#include "oneapi/dnnl/dnnl_common.hpp"
#include "oneapi/dnnl/dnnl_graph.h"

namespace dnnl::graph {

using iotadnn::graph::allocator;
using iotadnn::graph::allocator_handle;
using iotadnn::graph::compiled_partition;
using iotadnn::graph::compiled_partition_handle;
using iotadnn::graph::engine;
using iotadnn::graph::error;
using iotadnn::graph::fpmath_mode;
using iotadnn::graph::get_compiled_partition_cache_capacity;
using iotadnn::graph::get_constant_tensor_cache;
using iotadnn::graph::get_constant_tensor_cache_capacity;
using iotadnn::graph::graph;
using iotadnn::graph::graph_dump_mode;
using iotadnn::graph::graph_handle;
using iotadnn::graph::graph_handle_traits;
using iotadnn::graph::logical_tensor;
using iotadnn::graph::make_engine_with_allocator;
using iotadnn::graph::op;
using iotadnn::graph::op_handle;
using iotadnn::graph::partition;
using iotadnn::graph::partition_handle;
using iotadnn::graph::set_compiled_partition_cache_capacity;
using iotadnn::graph::set_constant_tensor_cache;
using iotadnn::graph::set_constant_tensor_cache_capacity;
using iotadnn::graph::set_dump_mode;
using iotadnn::graph::status;
using iotadnn::graph::stream;
using iotadnn::graph::tensor;
using iotadnn::graph::tensor_handle;

}  // namespace dnnl::graph

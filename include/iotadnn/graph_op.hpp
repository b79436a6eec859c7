// SPDX-License-Identifier: Apache-2.0
// Ops of the C++ graph API; include graph.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "iotadnn/graph_tensor.hpp"

namespace iotadnn::graph {

template <>
struct graph_handle_traits<iotadnn_graph_op_t> {
  static iotadnn_status_t destructor(iotadnn_graph_op_t p) { return iotadnn_graph_op_destroy(p); }
};

using op_handle = handle<iotadnn_graph_op_t, graph_handle_traits<iotadnn_graph_op_t>>;

// One operation: a kind, an id that is unique in its graph, ports and attributes. Graphs take
// copies.
class op : public op_handle {
 public:
  enum class kind {
    Abs = iotadnn_graph_op_abs,
    AbsBackward = iotadnn_graph_op_abs_backward,
    Add = iotadnn_graph_op_add,
    AvgPool = iotadnn_graph_op_avg_pool,
    AvgPoolBackward = iotadnn_graph_op_avg_pool_backward,
    BatchNormTrainingBackward = iotadnn_graph_op_batch_norm_backward,
    BatchNormForwardTraining = iotadnn_graph_op_batch_norm_forward_training,
    BatchNormInference = iotadnn_graph_op_batch_norm_inference,
    BiasAdd = iotadnn_graph_op_bias_add,
    BiasAddBackward = iotadnn_graph_op_bias_add_backward,
    Clamp = iotadnn_graph_op_clamp,
    ClampBackward = iotadnn_graph_op_clamp_backward,
    Concat = iotadnn_graph_op_concat,
    Convolution = iotadnn_graph_op_convolution,
    ConvolutionBackwardData = iotadnn_graph_op_convolution_backward_data,
    ConvolutionBackwardWeights = iotadnn_graph_op_convolution_backward_weights,
    ConvTranspose = iotadnn_graph_op_conv_transpose,
    ConvTransposeBackwardData = iotadnn_graph_op_conv_transpose_backward_data,
    ConvTransposeBackwardWeights = iotadnn_graph_op_conv_transpose_backward_weights,
    Dequantize = iotadnn_graph_op_dequantize,
    Divide = iotadnn_graph_op_divide,
    DynamicDequantize = iotadnn_graph_op_dynamic_dequantize,
    DynamicQuantize = iotadnn_graph_op_dynamic_quantize,
    Elu = iotadnn_graph_op_elu,
    EluBackward = iotadnn_graph_op_elu_backward,
    End = iotadnn_graph_op_end,
    Exp = iotadnn_graph_op_exp,
    GELU = iotadnn_graph_op_gelu,
    GELUBackward = iotadnn_graph_op_gelu_backward,
    HardSwish = iotadnn_graph_op_hard_swish,
    HardSwishBackward = iotadnn_graph_op_hard_swish_backward,
    Interpolate = iotadnn_graph_op_interpolate,
    InterpolateBackward = iotadnn_graph_op_interpolate_backward,
    LayerNorm = iotadnn_graph_op_layer_norm,
    LayerNormBackward = iotadnn_graph_op_layer_norm_backward,
    LeakyReLU = iotadnn_graph_op_leaky_relu,
    Log = iotadnn_graph_op_log,
    LogSoftmax = iotadnn_graph_op_log_softmax,
    LogSoftmaxBackward = iotadnn_graph_op_log_softmax_backward,
    MatMul = iotadnn_graph_op_matmul,
    Maximum = iotadnn_graph_op_maximum,
    MaxPool = iotadnn_graph_op_max_pool,
    MaxPoolBackward = iotadnn_graph_op_max_pool_backward,
    Minimum = iotadnn_graph_op_minimum,
    Mish = iotadnn_graph_op_mish,
    MishBackward = iotadnn_graph_op_mish_backward,
    Multiply = iotadnn_graph_op_multiply,
    PReLU = iotadnn_graph_op_prelu,
    PReLUBackward = iotadnn_graph_op_prelu_backward,
    Quantize = iotadnn_graph_op_quantize,
    Reciprocal = iotadnn_graph_op_reciprocal,
    ReduceL1 = iotadnn_graph_op_reduce_l1,
    ReduceL2 = iotadnn_graph_op_reduce_l2,
    ReduceMax = iotadnn_graph_op_reduce_max,
    ReduceMean = iotadnn_graph_op_reduce_mean,
    ReduceMin = iotadnn_graph_op_reduce_min,
    ReduceProd = iotadnn_graph_op_reduce_prod,
    ReduceSum = iotadnn_graph_op_reduce_sum,
    ReLU = iotadnn_graph_op_relu,
    ReLUBackward = iotadnn_graph_op_relu_backward,
    Reorder = iotadnn_graph_op_reorder,
    Round = iotadnn_graph_op_round,
    Sigmoid = iotadnn_graph_op_sigmoid,
    SigmoidBackward = iotadnn_graph_op_sigmoid_backward,
    SoftMax = iotadnn_graph_op_softmax,
    SoftMaxBackward = iotadnn_graph_op_softmax_backward,
    SoftPlus = iotadnn_graph_op_softplus,
    SoftPlusBackward = iotadnn_graph_op_softplus_backward,
    Sqrt = iotadnn_graph_op_sqrt,
    SqrtBackward = iotadnn_graph_op_sqrt_backward,
    Square = iotadnn_graph_op_square,
    SquaredDifference = iotadnn_graph_op_squared_difference,
    StaticReshape = iotadnn_graph_op_static_reshape,
    StaticTranspose = iotadnn_graph_op_static_transpose,
    Subtract = iotadnn_graph_op_subtract,
    Tanh = iotadnn_graph_op_tanh,
    TanhBackward = iotadnn_graph_op_tanh_backward,
    TypeCast = iotadnn_graph_op_type_cast,
    Wildcard = iotadnn_graph_op_wildcard,
    HardSigmoid = iotadnn_graph_op_hard_sigmoid,
    HardSigmoidBackward = iotadnn_graph_op_hard_sigmoid_backward,
    Select = iotadnn_graph_op_select,
    Pow = iotadnn_graph_op_pow,
    GroupNorm = iotadnn_graph_op_group_norm,
    GenIndex = iotadnn_graph_op_gen_index,
    GreaterEqual = iotadnn_graph_op_greater_equal,
    RMSNorm = iotadnn_graph_op_rms_norm,
    Dropout = iotadnn_graph_op_dropout,
    LastSymbol = iotadnn_graph_op_last_symbol,
#define IOTADNN_GRAPH_KIND(name, enumerator) name = enumerator,
    IOTADNN_GRAPH_OWN_OP_KINDS(IOTADNN_GRAPH_KIND)
#undef IOTADNN_GRAPH_KIND
  };

  enum class attr {
    undef = iotadnn_graph_op_attr_undef,
    alpha = iotadnn_graph_op_attr_alpha,
    beta = iotadnn_graph_op_attr_beta,
    epsilon = iotadnn_graph_op_attr_epsilon,
    max = iotadnn_graph_op_attr_max,
    min = iotadnn_graph_op_attr_min,
    momentum = iotadnn_graph_op_attr_momentum,
    scales = iotadnn_graph_op_attr_scales,
    axis = iotadnn_graph_op_attr_axis,
    begin_norm_axis = iotadnn_graph_op_attr_begin_norm_axis,
    groups = iotadnn_graph_op_attr_groups,
    axes = iotadnn_graph_op_attr_axes,
    dilations = iotadnn_graph_op_attr_dilations,
    dst_shape = iotadnn_graph_op_attr_dst_shape,
    kernel = iotadnn_graph_op_attr_kernel,
    order = iotadnn_graph_op_attr_order,
    output_padding = iotadnn_graph_op_attr_output_padding,
    pads_begin = iotadnn_graph_op_attr_pads_begin,
    pads_end = iotadnn_graph_op_attr_pads_end,
    shape = iotadnn_graph_op_attr_shape,
    sizes = iotadnn_graph_op_attr_sizes,
    src_shape = iotadnn_graph_op_attr_src_shape,
    strides = iotadnn_graph_op_attr_strides,
    weights_shape = iotadnn_graph_op_attr_weights_shape,
    zps = iotadnn_graph_op_attr_zps,
    group_shape = iotadnn_graph_op_attr_group_shape,
    exclude_pad = iotadnn_graph_op_attr_exclude_pad,
    keep_dims = iotadnn_graph_op_attr_keep_dims,
    keep_stats = iotadnn_graph_op_attr_keep_stats,
    per_channel_broadcast = iotadnn_graph_op_attr_per_channel_broadcast,
    special_zero = iotadnn_graph_op_attr_special_zero,
    transpose_a = iotadnn_graph_op_attr_transpose_a,
    transpose_b = iotadnn_graph_op_attr_transpose_b,
    use_affine = iotadnn_graph_op_attr_use_affine,
    use_dst = iotadnn_graph_op_attr_use_dst,
    auto_broadcast = iotadnn_graph_op_attr_auto_broadcast,
    auto_pad = iotadnn_graph_op_attr_auto_pad,
    coordinate_transformation_mode = iotadnn_graph_op_attr_coordinate_transformation_mode,
    data_format = iotadnn_graph_op_attr_data_format,
    mode = iotadnn_graph_op_attr_mode,
    qtype = iotadnn_graph_op_attr_qtype,
    rounding_type = iotadnn_graph_op_attr_rounding_type,
    weights_format = iotadnn_graph_op_attr_weights_format,
    accumulation_mode = iotadnn_graph_op_attr_accumulation_mode,
    end = iotadnn_graph_op_attr_end,
    k = iotadnn_graph_op_attr_k,
    upper = iotadnn_graph_op_attr_upper,
    depth = iotadnn_graph_op_attr_depth,
    on_value = iotadnn_graph_op_attr_on_value,
    off_value = iotadnn_graph_op_attr_off_value,
    value = iotadnn_graph_op_attr_value,
  };

  using op_handle::handle;

  op() = default;

  op(size_t id, kind akind, const std::string& verbose_name = "") {
    iotadnn_graph_op_t c_op = nullptr;
    error::wrap_c_api(iotadnn_graph_op_create(&c_op, id, convert_to_c(akind), verbose_name.c_str()),
                      "could not create op with id and op kind");
    reset(c_op);
  }

  op(size_t id, kind akind, const std::vector<logical_tensor>& inputs,
     const std::vector<logical_tensor>& outputs, const std::string& verbose_name = "")
      : op(id, akind, verbose_name) {
    add_inputs(inputs);
    add_outputs(outputs);
  }

  void add_input(const logical_tensor& t) {
    error::wrap_c_api(iotadnn_graph_op_add_input(get(), &t.get()), "adding input to the op failed");
  }

  void add_inputs(const std::vector<logical_tensor>& ts) {
    for (const logical_tensor& t : ts)
      add_input(t);
  }

  void add_output(const logical_tensor& t) {
    error::wrap_c_api(iotadnn_graph_op_add_output(get(), &t.get()),
                      "adding output to the op failed");
  }

  void add_outputs(const std::vector<logical_tensor>& ts) {
    for (const logical_tensor& t : ts)
      add_output(t);
  }

  // T is int64_t, float, bool, std::string, std::vector<int64_t> or std::vector<float>, and must be
  // the attribute's own type. Returns this op.
  template <typename T>
  op& set_attr(attr name, const T& value) {
    error::wrap_c_api(store(convert_to_c(name), value), "could not set attribute to the op");
    return *this;
  }

  // The id and kind that the op was created with (not in oneDNN's C++ API).
  [[nodiscard]] size_t get_id() const {
    size_t id = 0;
    error::wrap_c_api(iotadnn_graph_op_get_id(get(), &id), "could not get id of the op");
    return id;
  }

  [[nodiscard]] kind get_kind() const {
    iotadnn_graph_op_kind_t c_kind = iotadnn_graph_op_last_symbol;
    error::wrap_c_api(iotadnn_graph_op_get_kind(get(), &c_kind), "could not get kind of the op");
    return static_cast<kind>(c_kind);
  }

 private:
  template <typename T>
  iotadnn_status_t store(iotadnn_graph_op_attr_t name, const T& value) {
    if constexpr (std::is_same_v<T, int64_t>) {
      return iotadnn_graph_op_set_attr_s64(get(), name, &value, 1);
    } else if constexpr (std::is_same_v<T, float>) {
      return iotadnn_graph_op_set_attr_f32(get(), name, &value, 1);
    } else if constexpr (std::is_same_v<T, bool>) {
      const uint8_t byte = value ? 1 : 0;
      return iotadnn_graph_op_set_attr_bool(get(), name, &byte, 1);
    } else if constexpr (std::is_same_v<T, std::string>) {
      return iotadnn_graph_op_set_attr_str(get(), name, value.data(), value.size());
    } else if constexpr (std::is_same_v<T, std::vector<int64_t>>) {
      return iotadnn_graph_op_set_attr_s64(get(), name, value.data(), value.size());
    } else {
      static_assert(
          std::is_same_v<T, std::vector<float>>,
          "attributes are int64_t, float, bool, std::string or vectors of int64_t or float");
      return iotadnn_graph_op_set_attr_f32(get(), name, value.data(), value.size());
    }
  }

  static iotadnn_graph_op_kind_t convert_to_c(kind akind) {
    return static_cast<iotadnn_graph_op_kind_t>(akind);
  }

  static iotadnn_graph_op_attr_t convert_to_c(attr name) {
    return static_cast<iotadnn_graph_op_attr_t>(name);
  }
};

}  // namespace iotadnn::graph

// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/onednn_rival.h"

#include <dnnl.hpp>
#include <stdexcept>

#include "frontends/names.h"

namespace iotadnn::benchdnn {
namespace {

dnnl::memory::data_type type_of(iotadnn_data_type_t type) {
  switch (static_cast<int>(type)) {
    case iotadnn_f32:
      return dnnl::memory::data_type::f32;
    case iotadnn_bf16:
      return dnnl::memory::data_type::bf16;
    default:
      throw std::runtime_error("no primitive has " + std::string(frontends::name_of(type)));
  }
}

dnnl::memory::desc desc_of(const TensorView& view) {
  return {view.dims, type_of(view.data_type), view.strides};
}

class Primitives {
 public:
  explicit Primitives(const PlainAttention& plain)
      : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {
    const size_t rank = plain.output.dims.size();
    TensorView scores;
    scores.dims = plain.output.dims;
    scores.dims[rank - 1] = plain.key.dims[rank - 1];
    scores.strides = *frontends::dense_strides(scores.dims);
    scores.data_type = plain.scores;
    TensorView probabilities = scores;
    probabilities.data_type = plain.probabilities;
    query_ = memory_of(plain.query);
    key_ = memory_of(plain.key);
    value_ = memory_of(plain.value);
    scores_ = dnnl::memory(desc_of(scores), engine_);
    // In its place where the types allow: the second product finds it in the caches.
    const bool in_place = plain.scores == plain.probabilities;
    probabilities_ = in_place ? scores_ : dnnl::memory(desc_of(probabilities), engine_);
    const auto output = desc_of(plain.output);
    output_ = std::make_shared<TensorMemory>(output.get_size());
    out_ = dnnl::memory(output, engine_, output_->data());
    dnnl::primitive_attr scaled;
    scaled.set_output_scales(0, {static_cast<float>(plain.scale)});
    first_ = product(query_, key_, scores_, scaled);
    second_ = product(probabilities_, value_, out_, {});
    softmax_ = dnnl::softmax_v2_forward(
        {{dnnl::prop_kind::forward_inference, dnnl::algorithm::softmax_accurate, scores_.get_desc(),
          probabilities_.get_desc(), static_cast<int>(rank) - 1},
         engine_});
  }

  void run() {
    first_.execute(stream_,
                   {{DNNL_ARG_SRC, query_}, {DNNL_ARG_WEIGHTS, key_}, {DNNL_ARG_DST, scores_}});
    softmax_.execute(stream_, {{DNNL_ARG_SRC, scores_}, {DNNL_ARG_DST, probabilities_}});
    second_.execute(
        stream_,
        {{DNNL_ARG_SRC, probabilities_}, {DNNL_ARG_WEIGHTS, value_}, {DNNL_ARG_DST, out_}});
    stream_.wait();
  }

  std::shared_ptr<TensorMemory> output() const { return output_; }

 private:
  dnnl::memory memory_of(const TensorView& view) const {
    return {desc_of(view), engine_, view.data};
  }

  dnnl::matmul product(const dnnl::memory& left, const dnnl::memory& right, const dnnl::memory& out,
                       const dnnl::primitive_attr& attr) const {
    return dnnl::matmul({{left.get_desc(), right.get_desc(), out.get_desc()}, attr, engine_});
  }

  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::memory query_, key_, value_, scores_, probabilities_, out_;
  std::shared_ptr<TensorMemory> output_;
  dnnl::matmul first_, second_;
  dnnl::softmax_v2_forward softmax_;
};

}  // namespace

bool has_onednn() {
  return true;
}

OneDnnRival onednn_rival(const PlainAttention& attention) {
  try {
    const auto primitives = std::make_shared<Primitives>(attention);
    return {[primitives] { primitives->run(); }, primitives->output(), ""};
  } catch (const std::exception& error) {  // dnnl::error, too
    return {nullptr, nullptr,
            "its primitives refuse the types or shapes (" + std::string(error.what()) + ")"};
  }
}

}  // namespace iotadnn::benchdnn

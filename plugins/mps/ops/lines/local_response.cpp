// LRN, by kernels/local_response.metal.
#include <algorithm>
#include <array>
#include <string>

#include "ops/building/arguments.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"
#include "runtime/axes.hpp"

namespace mps {
namespace {

// As kernels/local_response.metal reads them.
struct ResponseParameters {
  uint32_t before = 0;
  uint32_t after = 0;
  uint32_t channels = 0;
  int32_t channel_step = 0;
  float share = 0;
  float beta = 0;
  float bias = 0;
};

class ResponseKernel final : public Kernel {
 public:
  ResponseKernel(const seam::Pipeline& pipeline, ResponseParameters parameters)
      : pipeline_(pipeline), parameters_(parameters) {}

  void encode(const Run& run) const override {
    const Tensor& input = run.inputs[0];
    const Tensor& output = run.outputs[0];
    sy::Dimensions channels(input.shape);
    std::fill_n(channels.data.begin(), channels.rank, 0);
    channels[1] = 1;
    const Bound bound[2] = {bind(input, 0), bind(output, 1)};
    const std::array<Walked, 3> walked = {Walked{input.strides.data.data(), bound[0].offset},
                                          Walked{output.strides.data.data(), bound[1].offset},
                                          Walked{channels.data.data()}};
    const Axes axes = make_axes(output.shape, walked);
    ResponseParameters parameters = parameters_;
    parameters.channels = static_cast<uint32_t>(input.shape[1]);
    parameters.channel_step = int32_step(input.strides[1]);
    Arguments arguments;
    arguments.add(bound[0]).add(bound[1]).add_value(axes).add_value(parameters);
    arguments.run(run.stream, pipeline_, axes.count);
  }

 private:
  const seam::Pipeline& pipeline_;
  const ResponseParameters parameters_;
};

Prepared make_response(Device& device, const sy::Node& node) {
  constexpr int64_t most = 1 << 30;
  const int64_t size = node.integer("size");
  ResponseParameters parameters;
  parameters.before = static_cast<uint32_t>(std::min((size - 1) / 2, most));
  parameters.after = static_cast<uint32_t>(std::min(size - 1 - (size - 1) / 2, most));
  parameters.share = node.real("alpha", 1e-4f) / static_cast<float>(size);
  parameters.beta = node.real("beta", 0.75f);
  parameters.bias = node.real("bias", 1.0f);
  const auto& pipeline =
      device.pipeline(std::string("local_response_") + metal_type(node.required_input(0).dtype));
  return {std::make_unique<ResponseKernel>(pipeline, parameters)};
}

}  // namespace

std::span<const KernelRow> local_response_rows() {
  static const KernelRow rows[] = {
      {{.op = "LRN", .dtypes = float_types, .min_rank = 2}, make_response}};
  return rows;
}

}  // namespace mps

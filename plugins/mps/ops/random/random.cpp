// RandomUniform, RandomNormal, their Like forms, and Bernoulli, by kernels/random.metal. The
// numbers are the cpu plugin's: element i, in row-major order, is a function of the seed and i
// alone.
//
//   key      the bits of the attribute `seed`, a float32, zero-extended to 64
//   uniform  word i % 4 of Philox block i / 4, its upper 24 bits as a fraction; times (high - low)
//            plus low, in float32: the same bits
//   normal   by Box and Muller, block i / 2 as two fractions u and v of 53 bits:
//            sqrt(-2 log(1 - u)) times cos(2 pi v) for even i and sin(2 pi v) for odd i; float32
//            arithmetic where cpu has float64, so equal but for the last digits
//   Bernoulli    1 where the uniform number i is less than the probability
//
// A node without a seed draws one from the system in each run.
#include <array>
#include <bit>
#include <optional>
#include <random>
#include <string>

#include "ops/building/arguments.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"
#include "runtime/axes.hpp"

namespace mps {
namespace {

class Seed {
 public:
  explicit Seed(const sy::Node& node) {
    if (node.has("seed")) given_ = std::bit_cast<uint32_t>(node.real("seed"));
  }
  uint64_t key() const {
    if (given_) return *given_;
    std::random_device system;
    const uint64_t low = system();
    return uint64_t{system()} << 32 | low;
  }

 private:
  std::optional<uint32_t> given_;
};

// As kernels/random.metal reads them.
struct RandomParameters {
  uint64_t key = 0;
  float low = 0;
  float range = 1;
};

struct BernoulliParameters {
  uint64_t key = 0;
  uint64_t one = 0;
};

uint32_t blocks_of(uint32_t count, uint32_t of_a_block) {
  return count / of_a_block + (count % of_a_block != 0 ? 1 : 0);
}

class FillingKernel final : public Kernel {
 public:
  FillingKernel(const seam::Pipeline& pipeline, Seed seed, RandomParameters parameters,
                uint32_t of_a_block)
      : pipeline_(pipeline), seed_(seed), parameters_(parameters), of_a_block_(of_a_block) {}

  void encode(const Run& run) const override {
    const Tensor& output = run.outputs[0];
    const Bound bound = bind(output, 0);
    const std::array<Walked, 1> walked = {Walked{output.strides.data.data(), bound.offset}};
    const Axes axes = make_axes(output.shape, walked);
    RandomParameters parameters = parameters_;
    parameters.key = seed_.key();
    Arguments arguments;
    arguments.add(bound).add_value(axes).add_value(parameters);
    arguments.run(run.stream, pipeline_, blocks_of(axes.count, of_a_block_));
  }

 private:
  const seam::Pipeline& pipeline_;
  const Seed seed_;
  const RandomParameters parameters_;
  const uint32_t of_a_block_;
};

class BernoulliKernel final : public Kernel {
 public:
  BernoulliKernel(const seam::Pipeline& pipeline, Seed seed, uint64_t one)
      : pipeline_(pipeline), seed_(seed), one_(one) {}

  void encode(const Run& run) const override {
    const Tensor& input = run.inputs[0];
    const Tensor& output = run.outputs[0];
    const Bound bound[2] = {bind(input, 0), bind(output, 1)};
    const std::array<Walked, 2> walked = {Walked{input.strides.data.data(), bound[0].offset},
                                          Walked{output.strides.data.data(), bound[1].offset}};
    const Axes axes = make_axes(output.shape, walked);
    const BernoulliParameters parameters{seed_.key(), one_};
    Arguments arguments;
    arguments.add(bound[0]).add(bound[1]).add_value(axes).add_value(parameters);
    arguments.run(run.stream, pipeline_, blocks_of(axes.count, 4));
  }

 private:
  const seam::Pipeline& pipeline_;
  const Seed seed_;
  const uint64_t one_;
};

Prepared make_uniform(Device& device, const sy::Node& node) {
  const float low = node.real("low", 0), high = node.real("high", 1);
  const auto& pipeline =
      device.pipeline(std::string("random_uniform_") + metal_type(node.required_output(0).dtype));
  return {std::make_unique<FillingKernel>(pipeline, Seed(node),
                                          RandomParameters{{}, low, high - low}, 4)};
}

Prepared make_normal(Device& device, const sy::Node& node) {
  const auto& pipeline =
      device.pipeline(std::string("random_normal_") + metal_type(node.required_output(0).dtype));
  return {std::make_unique<FillingKernel>(
      pipeline, Seed(node), RandomParameters{{}, node.real("mean", 0), node.real("scale", 1)}, 2)};
}

Prepared make_bernoulli(Device& device, const sy::Node& node) {
  const sy_dtype output = node.required_output(0).dtype;
  const uint64_t one = output == SY_FLOAT32    ? std::bit_cast<uint32_t>(1.0f)
                       : output == SY_FLOAT16  ? 0x3C00
                       : output == SY_BFLOAT16 ? 0x3F80
                                               : 1;
  const std::string name = std::string("bernoulli_") + metal_type(node.required_input(0).dtype) +
                           "_" + std::to_string(sy::dtype_bytes(output));
  return {std::make_unique<BernoulliKernel>(device.pipeline(name), Seed(node), one)};
}

}  // namespace

std::span<const KernelRow> random_rows() {
  static const auto& rows = *new const std::vector<KernelRow>([] {
    std::vector<KernelRow> made;
    // The values of a Like op's input are not read.
    for (const char* op : {"RandomUniform", "RandomUniformLike"}) {
      made.push_back(
          {{.op = op, .dtypes = SY_DTYPES_ALL, .output_dtypes = float_types}, make_uniform});
    }
    for (const char* op : {"RandomNormal", "RandomNormalLike"}) {
      made.push_back(
          {{.op = op, .dtypes = SY_DTYPES_ALL, .output_dtypes = float_types}, make_normal});
    }
    made.push_back(
        {{.op = "Bernoulli", .dtypes = float_types, .output_dtypes = moved_types}, make_bernoulli});
    return made;
  }());
  return rows;
}

}  // namespace mps

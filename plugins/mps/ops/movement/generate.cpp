// ConstantOfShape, Range, EyeLike, OneHot, Trilu: by kernels/generate.metal and copy.metal.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "ops/building/arguments.hpp"
#include "ops/building/host_values.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"
#include "runtime/axes.hpp"

namespace mps {
namespace {

std::string size_of(sy_dtype dtype) { return std::to_string(sy::dtype_bytes(dtype)); }

// Counts up along some axes of `shape`, by these steps.
sy::Dimensions counting(sy::Extents shape) {
  sy::Dimensions strides(shape);
  std::fill_n(strides.data.begin(), shape.size(), 0);
  return strides;
}

// Columns less rows, of the last two axes.
sy::Dimensions counting_from_diagonal(sy::Extents shape) {
  sy::Dimensions strides = counting(shape);
  strides[shape.size() - 2] = -1;
  strides[shape.size() - 1] = 1;
  return strides;
}

// ---- ConstantOfShape

class ConstantKernel final : public Kernel {
 public:
  ConstantKernel(Device& device, const sy_value* value) : device_(device) {
    if (value != nullptr) std::memcpy(element_.data(), value->data, sy::dtype_bytes(value->dtype));
  }

  void encode(const Run& run) const override {
    const Tensor& output = run.outputs[0];
    const size_t bytes = sy::dtype_bytes(output.dtype);
    encode_fill(device_, run.stream, output, std::span(element_).first(bytes));
  }

 private:
  Device& device_;
  std::array<std::byte, 8> element_{};
};

Prepared make_constant(Device& device, const sy::Node& node) {
  return {std::make_unique<ConstantKernel>(device, node.tensor("value"))};
}

// ---- Range

// As kernels/generate.metal reads them.
struct RangeParameters {
  int64_t start = 0;
  int64_t delta = 0;
  float float_start = 0;
  float float_delta = 0;
};

class RangeKernel final : public Kernel {
 public:
  RangeKernel(const seam::Pipeline& pipeline, RangeParameters parameters)
      : pipeline_(pipeline), parameters_(parameters) {}

  void encode(const Run& run) const override {
    const Tensor& output = run.outputs[0];
    const Bound bound = bind(output, 0);
    const std::array<Walked, 1> walked = {Walked{output.strides.data.data(), bound.offset}};
    const Axes axes = make_axes(output.shape, walked);
    Arguments arguments;
    arguments.add(bound).add_value(axes).add_value(parameters_);
    arguments.run(run.stream, pipeline_, axes.count);
  }

 private:
  const seam::Pipeline& pipeline_;
  const RangeParameters parameters_;
};

int64_t integer_of(const sy::Node& node, uint32_t input) {
  const sy_value& value = node.required_input(input);
  if (value.dtype != SY_INT16) return host_integers(node, input).at(0);
  if (value.data == nullptr) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "the value of input ", input,
                          " is not known before the run");
  }
  return *static_cast<const int16_t*>(value.data);
}

Prepared make_range(Device& device, const sy::Node& node) {
  const sy_dtype dtype = node.required_output(0).dtype;
  RangeParameters parameters;
  if (dtype == SY_FLOAT32) {
    parameters.float_start = static_cast<float>(host_reals(node, 0).at(0));
    parameters.float_delta = static_cast<float>(host_reals(node, 2).at(0));
  } else {
    parameters.start = integer_of(node, 0);
    parameters.delta = integer_of(node, 2);
  }
  const auto& pipeline = device.pipeline(std::string("range_") + metal_type(dtype));
  return {std::make_unique<RangeKernel>(pipeline, parameters), SY_ON_DATA};
}

// ---- EyeLike

// As kernels/generate.metal reads them.
struct DiagonalParameters {
  int64_t diagonal;
  uint64_t one;
};

class DiagonalKernel final : public Kernel {
 public:
  DiagonalKernel(const seam::Pipeline& pipeline, DiagonalParameters parameters)
      : pipeline_(pipeline), parameters_(parameters) {}

  void encode(const Run& run) const override {
    const Tensor& output = run.outputs[0];
    const Bound bound = bind(output, 0);
    const sy::Dimensions distances = counting_from_diagonal(output.shape);
    const std::array<Walked, 2> walked = {Walked{output.strides.data.data(), bound.offset},
                                          Walked{distances.data.data()}};
    const Axes axes = make_axes(output.shape, walked);
    Arguments arguments;
    arguments.add(bound).add_value(axes).add_value(parameters_);
    arguments.run(run.stream, pipeline_, axes.count);
  }

 private:
  const seam::Pipeline& pipeline_;
  const DiagonalParameters parameters_;
};

uint64_t bits_of_one(sy_dtype dtype) {
  switch (dtype) {
    case SY_FLOAT32: return 0x3f800000;
    case SY_FLOAT16: return 0x3c00;
    case SY_BFLOAT16: return 0x3f80;
    default: return 1;
  }
}

Prepared make_diagonal(Device& device, const sy::Node& node) {
  const sy_dtype dtype = node.required_output(0).dtype;
  const DiagonalParameters parameters{node.integer("k", 0), bits_of_one(dtype)};
  return {
      std::make_unique<DiagonalKernel>(device.pipeline("diagonal_" + size_of(dtype)), parameters)};
}

// ---- Trilu

// As kernels/generate.metal reads them.
struct TriangleParameters {
  uint32_t upper;
  uint32_t has_diagonal;
  uint32_t diagonal_position;
};

class TriangleKernel final : public Kernel {
 public:
  TriangleKernel(const seam::Pipeline& pipeline, bool upper) : pipeline_(pipeline), upper_(upper) {}

  void encode(const Run& run) const override {
    const Tensor& input = run.inputs[0];
    const Tensor& output = run.outputs[0];
    const bool has_diagonal = run.has_input(1);
    const Bound bound[3] = {bind(input, 0), bind(output, 1),
                            bind(has_diagonal ? run.inputs[1] : input, 2)};
    const sy::Dimensions distances = counting_from_diagonal(output.shape);
    const std::array<Walked, 3> walked = {Walked{input.strides.data.data(), bound[0].offset},
                                          Walked{output.strides.data.data(), bound[1].offset},
                                          Walked{distances.data.data()}};
    const Axes axes = make_axes(output.shape, walked);
    const TriangleParameters parameters{upper_ ? 1u : 0u, has_diagonal ? 1u : 0u,
                                        static_cast<uint32_t>(bound[2].offset)};
    Arguments arguments;
    arguments.add(bound[0]).add(bound[1]).add(bound[2]).add_value(axes).add_value(parameters);
    arguments.run(run.stream, pipeline_, axes.count);
  }

 private:
  const seam::Pipeline& pipeline_;
  const bool upper_;
};

Prepared make_triangle(Device& device, const sy::Node& node) {
  const auto& pipeline = device.pipeline("triangle_" + size_of(node.required_input(0).dtype));
  return {std::make_unique<TriangleKernel>(pipeline, node.flag("upper", true)), 0, {1}};
}

// ---- OneHot

// As kernels/generate.metal reads them.
struct OneHotParameters {
  uint32_t depth;
  uint32_t off;
  uint32_t on;
};

class OneHotKernel final : public Kernel {
 public:
  OneHotKernel(const seam::Pipeline& pipeline, int64_t axis) : pipeline_(pipeline), axis_(axis) {}

  void encode(const Run& run) const override {
    const Tensor& indices = run.inputs[0];
    const Tensor& values = run.inputs[2];
    const Tensor& output = run.outputs[0];
    const size_t axis = normalize_axis(axis_, output.shape.size());
    sy::Dimensions index_strides = counting(output.shape);
    for (size_t i = 0; i < indices.shape.size(); ++i) {
      index_strides[i < axis ? i : i + 1] = indices.strides[i];
    }
    sy::Dimensions positions = counting(output.shape);
    positions[axis] = 1;
    const Bound bound[3] = {bind(indices, 0), bind(values, 1), bind(output, 2)};
    const std::array<Walked, 3> walked = {Walked{index_strides.data.data(), bound[0].offset},
                                          Walked{positions.data.data()},
                                          Walked{output.strides.data.data(), bound[2].offset}};
    const Axes axes = make_axes(output.shape, walked);
    const auto off = static_cast<uint32_t>(bound[1].offset);
    const OneHotParameters parameters{static_cast<uint32_t>(output.shape[axis]), off,
                                      off + static_cast<uint32_t>(int32_step(values.strides[0]))};
    Arguments arguments;
    arguments.add(bound[0]).add(bound[1]).add(bound[2]).add_value(axes).add_value(parameters);
    arguments.run(run.stream, pipeline_, axes.count);
  }

 private:
  const seam::Pipeline& pipeline_;
  const int64_t axis_;
};

Prepared make_one_hot(Device& device, const sy::Node& node) {
  const auto& pipeline = device.pipeline("one_hot_" + size_of(node.required_output(0).dtype) + "_" +
                                         metal_type(node.required_input(0).dtype));
  return {std::make_unique<OneHotKernel>(pipeline, node.integer("axis", -1))};
}

void check_one_hot(const sy::Node& node) {
  const sy_dtype dtype = node.required_input(0).dtype;
  if ((number_types & SY_DTYPE_BIT(dtype)) == 0) {
    throw sy::unsupported(SY_REASON_DTYPE, "indices of ", sy::dtype_name(dtype));
  }
}

}  // namespace

std::span<const KernelRow> generate_rows() {
  constexpr uint64_t range_types = SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_INT16) |
                                   SY_DTYPE_BIT(SY_INT32) | SY_DTYPE_BIT(SY_INT64);
  static const KernelRow rows[] = {
      {{.op = "ConstantOfShape", .dtypes = moved_types}, make_constant},
      {{.op = "Range", .dtypes = range_types}, make_range},
      {{.op = "EyeLike", .dtypes = SY_DTYPES_ALL, .output_dtypes = moved_types}, make_diagonal},
      {{.op = "OneHot", .dtypes = moved_types}, make_one_hot, check_one_hot},
      {{.op = "Trilu", .dtypes = moved_types}, make_triangle}};
  return rows;
}

}  // namespace mps

// Cast, CastLike and Identity, by kernels/copy.metal.
#include "ops/elementwise/cast.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include "ops/building/elementwise.hpp"
#include "ops/elementwise/elementwise_graph.hpp"
#include "ops/kernel.hpp"

namespace mps {
namespace {

// The results' types, by the number that kernels/copy.metal knows them by.
constexpr sy_dtype cast_types[] = {SY_FLOAT32, SY_FLOAT16, SY_INT64, SY_INT32,   SY_INT16,
                                   SY_INT8,    SY_UINT8,   SY_BOOL,  SY_BFLOAT16};

class CastKernel final : public Kernel {
 public:
  explicit CastKernel(ElementKernel kernel) : kernel_(kernel) {}

  void encode(const Run& run) const override {
    const std::array<const Tensor*, 2> tensors = {&run.inputs[0], &run.outputs[0]};
    kernel_.encode(run.stream, tensors);
  }

 private:
  const ElementKernel kernel_;
};

class CopyKernel final : public Kernel {
 public:
  explicit CopyKernel(Device& device) : device_(device) {}
  void encode(const Run& run) const override {
    encode_copy(device_, run.stream, run.inputs[0], run.outputs[0]);
  }

 private:
  Device& device_;
};

Prepared make_cast(Device& device, const sy::Node& node) {
  const sy_dtype from = node.required_input(0).dtype;
  const sy_dtype to = node.required_output(0).dtype;
  if (from == to) return {std::make_unique<CopyKernel>(device)};
  return {std::make_unique<CastKernel>(casting_kernel(device, from, to))};
}

Prepared make_identity(Device& device, const sy::Node&) {
  return {std::make_unique<CopyKernel>(device)};
}

std::string write_cast(const sy::Node& node, std::span<const std::string> operands) {
  const sy_dtype to = node.required_output(0).dtype;
  if (node.required_input(0).dtype == to) return operands[0];
  const std::string loaded = sy::text("load(", operands[0], ")");
  if (to == SY_BOOL) return sy::text("uchar(is_set(", loaded, ") ? 1 : 0)");
  const bool is_float = (sy::float_dtypes & SY_DTYPE_BIT(to)) != 0;
  if (is_float) return sy::text(metal_type(to), "(fraction_of(", loaded, "))");
  return sy::text("whole_as<", metal_type(to), ">(", loaded, ")");
}

std::vector<KernelRow> make_cast_rows() {
  uint64_t all = 0;
  for (const sy_dtype type : cast_types) all |= SY_DTYPE_BIT(type);
  return {{.claim = {.op = "Cast", .dtypes = all},
           .make = make_cast,
           .lower = lower_cast,
           .write = write_cast},
          {.claim = {.op = "CastLike", .dtypes = all},
           .make = make_cast,
           .lower = lower_cast,
           .write = write_cast},
          {{.op = "Identity", .dtypes = all}, make_identity}};
}

}  // namespace

ElementKernel casting_kernel(Device& device, sy_dtype from, sy_dtype to) {
  const auto* const type = std::find(std::begin(cast_types), std::end(cast_types), to);
  if (type == std::end(cast_types)) throw sy::bug("no cast to ", sy::dtype_name(to));
  const size_t widest = std::max(sy::dtype_bytes(from), sy::dtype_bytes(to));
  return {device, std::string("cast_") + metal_type(from), widest,
          static_cast<uint32_t>(type - cast_types)};
}

std::span<const KernelRow> cast_rows() {
  static const auto& rows = *new const std::vector<KernelRow>(make_cast_rows());
  return rows;
}

}  // namespace mps

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>
#include <switchyard/export.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// A function in a device's own language. It takes a pointer to the elements of each input, then of
/// each output, in this order.
struct KernelSource {
  std::string source;           ///< text in the device's language
  std::string function;         ///< which of its functions is the kernel
  std::vector<DType> inputs;    ///< of the elements of each
  std::vector<DType> outputs;   ///< of the elements of each
  std::string name = "kernel";  ///< of the source, in the compiler's messages
};

/// How many threads run a kernel, and in groups of how many; a group of zeros leaves that to the
/// device.
struct Launch {
  std::array<std::uint32_t, 3> threads{1, 1, 1};  ///< along each of three dimensions
  std::array<std::uint32_t, 3> group{0, 0, 0};    ///< threads of one group
};

/// A kernel that Device::compile_kernel made. Cheap to copy; keeps its device open. Any thread may
/// use it.
class SWITCHYARD_API CustomKernel {
 public:
  // Moving copies, so that a handle which was moved from is still one.
  CustomKernel(const CustomKernel&) = default;
  CustomKernel& operator=(const CustomKernel&) = default;

  /// Runs over `launch.threads` threads and gives new tensors of `output_shapes` on the device.
  /// Inputs are brought to the device and made contiguous. What the kernel does with them is its
  /// own business: a fault of it surfaces when an output is read. Throws Error(invalid_argument)
  /// where inputs or outputs are not what the source declares, or nothing would run, and for an
  /// input that requires a gradient, but under NoGrad: none flows through it, unless a
  /// CustomFunction calls it.
  std::vector<Tensor> operator()(std::span<const Tensor> inputs,
                                 std::span<const Dims> output_shapes, const Launch& launch) const;

  struct State;
  /// For the library's own use.
  explicit CustomKernel(std::shared_ptr<const State> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<const State> state_;
};

}  // namespace switchyard

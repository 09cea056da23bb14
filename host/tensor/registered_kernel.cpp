#include "tensor/registered_kernel.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <vector>

#include "ops/registered_op.hpp"
#include "tensor/dispatcher.hpp"
#include "tensor/op_kernel.hpp"
#include "tensor/placement.hpp"

namespace switchyard {
namespace {

/// Where the call asks for the results, else where its inputs lie.
OpenDevice* device_of_results(const CallSite& site, std::span<const TensorRef> inputs,
                              OpenDevice* otherwise) {
  if (site.placement) return site.placement;
  for (const TensorRef& input : inputs) {
    if (input && input->device) return input->device;
  }
  return otherwise;
}

std::vector<Literal> read_all(std::span<const TensorRef> inputs, CopyCount& count) {
  std::vector<Literal> literals(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i]) literals[i] = read_to_host(inputs[i], count);
  }
  return literals;
}

std::vector<OpKernel::Output> infer_outputs(const CallSite& site, std::span<const ValueInfo> inputs,
                                            std::size_t count) {
  std::vector<ValueInfo> infos(count);
  Inference inference(site.op->name(), site.attributes, inputs, infos);
  infer(*site.op, inference);
  std::vector<OpKernel::Output> outputs;
  for (ValueInfo& info : infos) outputs.push_back({info.dtype, std::move(info.shape)});
  return outputs;
}

}  // namespace

bool has_registered_kernel(const Op& op) {
  return op.registered && op.registered->definition.kernel;
}

void run_registered_kernel(const CallSite& site, std::span<const TensorRef> inputs,
                           std::span<TensorRef> outputs, std::uint64_t wanted,
                           OpenDevice* otherwise, CopyCount& count) {
  const std::vector<Literal> literals = read_all(inputs, count);
  const std::vector<ValueInfo> infos = value_infos(inputs, literals);
  std::vector<OpKernel::Output> made = infer_outputs(site, infos, outputs.size());
  OpKernel call(*site.op, site.attributes, infos, literals, made.data(), made.size());
  site.op->registered->definition.kernel(call);
  OpenDevice* const device = device_of_results(site, inputs, otherwise);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if ((wanted & mask_bit(i)) == 0) continue;
    if (!made[i].elements) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("[{}] its kernel has not written output {}", site.op->name(), i));
    }
    outputs[i] = make_host_tensor(std::move(*made[i].elements));
    if (device && made[i].dtype != DType::string) outputs[i] = copy_to(*device, outputs[i], count);
  }
}

}  // namespace switchyard

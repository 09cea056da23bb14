#include "apple/graph/executable.hpp"

#include <algorithm>

#include "apple/graph/tensor_type.hpp"
#include "apple/graph/walker.hpp"
#include "apple/memory.hpp"
#include "apple/text.hpp"

namespace mps::apple {
namespace {

using Slot = Executable::Slot;
using Buffers = std::span<const seam::Ref<seam::Buffer>>;

void require_buffers(const std::vector<Slot>& slots, Buffers buffers, size_t count,
                     const char* what) {
  if (buffers.size() != count) {
    refuse(std::string("run: the graph has ") + std::to_string(count) + " " + what + ", not " +
           std::to_string(buffers.size()));
  }
  for (const Slot& slot : slots) require_range(metal(buffers[slot.index]), 0, slot.bytes, what);
}

NSArray<MPSGraphTensorData*>* tensors(const std::vector<Slot>& slots, Buffers buffers) {
  NSMutableArray<MPSGraphTensorData*>* result = [NSMutableArray arrayWithCapacity:slots.size()];
  for (const Slot& slot : slots) {
    MPSGraphTensorData* data =
        [[MPSGraphTensorData alloc] initWithMTLBuffer:metal(buffers[slot.index])
                                                shape:slot.shape
                                             dataType:slot.type];
    if (!data) refuse(seam::Fault::out_of_memory, "MPSGraph takes no further buffer");
    [result addObject:data];
  }
  return result;
}

MPSGraphShapedType* shaped_type(const seam::TensorType& type) {
  return [[MPSGraphShapedType alloc] initWithShape:metal_shape(type.shape)
                                          dataType:data_type(type.element)];
}

// `order` is the executable's own, `known` ours.
std::vector<Slot> slots_of(NSArray<MPSGraphTensor*>* order,
                           const std::vector<MPSGraphTensor*>& known,
                           const std::vector<uint32_t>& numbers, const seam::Graph& graph) {
  if (!order && !known.empty()) {
    refuse(seam::Fault::compilation, "MPSGraph does not say in which order it takes its tensors");
  }
  std::vector<Slot> slots;
  for (MPSGraphTensor* tensor in order) {
    const auto found = std::find(known.begin(), known.end(), tensor);
    if (found == known.end()) {
      refuse(seam::Fault::compilation, "MPSGraph asks for a tensor that the graph does not have");
    }
    const auto index = static_cast<size_t>(found - known.begin());
    const seam::TensorType& type = graph.nodes[numbers[index]].type;
    slots.push_back({index, metal_shape(type.shape), data_type(type.element),
                     count_elements(type.shape) * element_bytes(type.element)});
  }
  return slots;
}

// At level 1 MPSGraph may give work to the Neural Engine or the processor, at other precision.
MPSGraphCompilationDescriptor* on_the_gpu_alone() {
  MPSGraphCompilationDescriptor* descriptor = [MPSGraphCompilationDescriptor new];
  descriptor.optimizationLevel = MPSGraphOptimizationLevel0;
  return descriptor;
}

MPSGraphExecutable* compile(id<MTLDevice> device, const seam::Graph& graph,
                            const BuiltGraph& built) {
  NSMutableDictionary<MPSGraphTensor*, MPSGraphShapedType*>* feeds =
      [NSMutableDictionary dictionary];
  for (size_t index = 0; index < built.inputs.size(); ++index) {
    feeds[built.inputs[index]] = shaped_type(graph.nodes[graph.inputs[index]].type);
  }
  NSMutableArray<MPSGraphTensor*>* targets = [NSMutableArray array];
  for (MPSGraphTensor* output : built.outputs) [targets addObject:output];
  MPSGraphExecutable* executable =
      [built.graph compileWithDevice:[MPSGraphDevice deviceWithMTLDevice:device]
                               feeds:feeds
                       targetTensors:targets
                    targetOperations:nil
               compilationDescriptor:on_the_gpu_alone()];
  if (!executable) refuse(seam::Fault::compilation, "MPSGraph does not compile the graph");
  executable.options = MPSGraphOptionsNone;
  return executable;
}

}  // namespace

Executable::Executable(MPSGraphExecutable* executable, std::vector<Slot> inputs,
                       std::vector<Slot> outputs, size_t input_count)
    : executable_(executable),
      inputs_(std::move(inputs)),
      outputs_(std::move(outputs)),
      input_count_(input_count) {}

void Executable::require_valid(Buffers inputs, Buffers outputs) const {
  require_buffers(inputs_, inputs, input_count_, "inputs");
  require_buffers(outputs_, outputs, outputs_.size(), "outputs");
}

void Executable::encode(MPSCommandBuffer* commands, Buffers inputs, Buffers outputs) {
  const std::lock_guard lock(encoding_);
  [executable_ encodeToCommandBuffer:commands
                         inputsArray:tensors(inputs_, inputs)
                        resultsArray:tensors(outputs_, outputs)
                 executionDescriptor:nil];
}

seam::Ref<seam::Executable> make_executable(id<MTLDevice> device, const seam::Graph& graph,
                                            bool has_bfloat16) {
  const BuiltGraph built = build(graph, has_bfloat16);
  MPSGraphExecutable* executable = compile(device, graph, built);
  std::vector<Slot> inputs = slots_of(executable.feedTensors, built.inputs, graph.inputs, graph);
  std::vector<Slot> outputs =
      slots_of(executable.targetTensors, built.outputs, graph.outputs, graph);
  if (outputs.size() != graph.outputs.size()) {
    refuse(seam::Fault::compilation, "MPSGraph gives " + std::to_string(outputs.size()) + " of " +
                                         std::to_string(graph.outputs.size()) + " results");
  }
  return std::make_shared<Executable>(executable, std::move(inputs), std::move(outputs),
                                      graph.inputs.size());
}

}  // namespace mps::apple

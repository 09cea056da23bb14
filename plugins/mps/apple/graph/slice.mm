#include "apple/graph/step.hpp"
#include "apple/graph/tensor_type.hpp"

namespace mps::apple {
namespace {

// The slice of a reversed axis that steps backwards along the axis itself.
void turn_round(int64_t extent, int64_t& start, int64_t& end, int64_t& step) {
  start = extent - 1 - start;
  end = extent - 1 - end;
  step = -step;
}

}  // namespace

MPSGraphTensor* slice(const Step& step) {
  seam::Slice slice = step.attributes<seam::Slice>();
  const std::vector<int64_t>& shape = step.type_of(0).shape;
  if (slice.starts.size() != shape.size() || slice.ends.size() != shape.size() ||
      slice.steps.size() != shape.size()) {
    refuse("slice: a start, an end and a step for each axis are needed");
  }
  if (shape.empty()) return [step.graph identityWithTensor:step.x() name:nil];
  std::vector<int64_t> reversed;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (slice.steps[axis] == 0) refuse("slice: a step of 0");
    if (slice.steps[axis] > 0) continue;
    turn_round(shape[axis], slice.starts[axis], slice.ends[axis], slice.steps[axis]);
    reversed.push_back(static_cast<int64_t>(axis));
  }
  MPSGraphTensor* tensor = step.x();
  if (!reversed.empty()) {
    tensor = [step.graph reverseTensor:tensor axes:numbers(reversed) name:nil];
  }
  return [step.graph sliceTensor:tensor
                          starts:numbers(slice.starts)
                            ends:numbers(slice.ends)
                         strides:numbers(slice.steps)
                            name:nil];
}

}  // namespace mps::apple

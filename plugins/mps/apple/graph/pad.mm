#include "apple/graph/step.hpp"
#include "apple/graph/tensor_type.hpp"

namespace mps::apple {
namespace {

MPSGraphPaddingMode metal_mode(seam::PaddingMode mode) {
  switch (mode) {
    case seam::PaddingMode::constant: return MPSGraphPaddingModeConstant;
    case seam::PaddingMode::reflect: return MPSGraphPaddingModeReflect;
    case seam::PaddingMode::edge: return MPSGraphPaddingModeClampToEdge;
  }
  refuse("pad: no such mode");
}

}  // namespace

MPSGraphTensor* pad(const Step& step) {
  const seam::Padding& padding = step.attributes<seam::Padding>();
  const size_t rank = step.type_of(0).shape.size();
  if (padding.before.size() != rank || padding.after.size() != rank) {
    refuse("pad: a number before and one after each axis are needed");
  }
  for (size_t axis = 0; axis < rank; ++axis) {
    if (padding.before[axis] < 0 || padding.after[axis] < 0) {
      refuse("pad: a negative number; use a slice");
    }
  }
  if (rank == 0) return [step.graph identityWithTensor:step.x() name:nil];
  return [step.graph padTensor:step.x()
               withPaddingMode:metal_mode(padding.mode)
                   leftPadding:numbers(padding.before)
                  rightPadding:numbers(padding.after)
                 constantValue:padding.value
                          name:nil];
}

}  // namespace mps::apple

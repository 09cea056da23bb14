#include "apple/graph/step.hpp"
#include "apple/graph/tensor_type.hpp"

namespace mps::apple {

MPSGraphTensor* resize(const Step& step) {
  const seam::Resizing& resizing = step.attributes<seam::Resizing>();
  const std::vector<int64_t>& shape = step.node.type.shape;
  if (shape.size() != 4) refuse("resize takes tensors of four axes");
  return [step.graph resizeTensor:step.x()
                             size:numbers({shape[2], shape[3]})
                             mode:resizing.linear ? MPSGraphResizeBilinear : MPSGraphResizeNearest
                     centerResult:resizing.centre && !resizing.align_corners
                     alignCorners:resizing.align_corners
                           layout:MPSGraphTensorNamedDataLayoutNCHW
                             name:nil];
}

}  // namespace mps::apple

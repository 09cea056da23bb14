#include "apple/graph/step.hpp"
#include "apple/graph/tensor_type.hpp"

namespace mps::apple {
namespace {

NSUInteger whole(int64_t value) {
  if (value < 0) refuse("a window has a negative number");
  return static_cast<NSUInteger>(value);
}

// Our pairs are height and width; X is the width.
MPSGraphConvolution2DOpDescriptor* convolution_descriptor(const Step& step) {
  const seam::Window& window = step.attributes<seam::Window>();
  MPSGraphConvolution2DOpDescriptor* descriptor =
      [MPSGraphConvolution2DOpDescriptor descriptorWithStrideInX:whole(window.strides[1])
                                                       strideInY:whole(window.strides[0])
                                                 dilationRateInX:whole(window.dilations[1])
                                                 dilationRateInY:whole(window.dilations[0])
                                                          groups:whole(window.groups)
                                                     paddingLeft:whole(window.padding_before[1])
                                                    paddingRight:whole(window.padding_after[1])
                                                      paddingTop:whole(window.padding_before[0])
                                                   paddingBottom:whole(window.padding_after[0])
                                                    paddingStyle:MPSGraphPaddingStyleExplicit
                                                      dataLayout:MPSGraphTensorNamedDataLayoutNCHW
                                                   weightsLayout:MPSGraphTensorNamedDataLayoutOIHW];
  if (!descriptor) refuse(seam::Fault::unsupported, "MPSGraph refuses this convolution's window");
  return descriptor;
}

MPSGraphPooling2DOpDescriptor* pool_descriptor(const Step& step) {
  const seam::Window& window = step.attributes<seam::Window>();
  MPSGraphPooling2DOpDescriptor* descriptor =
      [MPSGraphPooling2DOpDescriptor descriptorWithKernelWidth:whole(window.size[1])
                                                  kernelHeight:whole(window.size[0])
                                                     strideInX:whole(window.strides[1])
                                                     strideInY:whole(window.strides[0])
                                               dilationRateInX:whole(window.dilations[1])
                                               dilationRateInY:whole(window.dilations[0])
                                                   paddingLeft:whole(window.padding_before[1])
                                                  paddingRight:whole(window.padding_after[1])
                                                    paddingTop:whole(window.padding_before[0])
                                                 paddingBottom:whole(window.padding_after[0])
                                                  paddingStyle:MPSGraphPaddingStyleExplicit
                                                    dataLayout:MPSGraphTensorNamedDataLayoutNCHW];
  if (!descriptor) refuse(seam::Fault::unsupported, "MPSGraph refuses this pool's window");
  descriptor.ceilMode = NO;
  descriptor.includeZeroPadToAverage = window.counts_padding;
  return descriptor;
}

MPSGraphTensor* convolution(const Step& step) {
  return [step.graph convolution2DWithSourceTensor:step.x()
                                     weightsTensor:step.y()
                                        descriptor:convolution_descriptor(step)
                                              name:nil];
}

// As the gradient itself there is no doubt of how the weights lie: as the convolution's own do.
MPSGraphTensor* transposed_convolution(const Step& step) {
  MPSShape* shape = metal_shape(step.node.type.shape);
  MPSGraphConvolution2DOpDescriptor* descriptor = convolution_descriptor(step);
  return [step.graph convolution2DDataGradientWithIncomingGradientTensor:step.x()
                                                           weightsTensor:step.y()
                                                             outputShape:shape
                                            forwardConvolutionDescriptor:descriptor
                                                                    name:nil];
}

MPSGraphTensor* convolution_weight_gradient(const Step& step) {
  MPSShape* shape = metal_shape(step.node.type.shape);
  MPSGraphConvolution2DOpDescriptor* descriptor = convolution_descriptor(step);
  return [step.graph convolution2DWeightsGradientWithIncomingGradientTensor:step.y()
                                                               sourceTensor:step.x()
                                                                outputShape:shape
                                               forwardConvolutionDescriptor:descriptor
                                                                       name:nil];
}

}  // namespace

MPSGraphTensor* window(const Step& step) {
  if (!is_floating(step.node.type.element)) {
    refuse(seam::Fault::unsupported, "MPSGraph has windows over floats only");
  }
  switch (step.node.operation) {
    case seam::Operation::convolution: return convolution(step);
    case seam::Operation::transposed_convolution: return transposed_convolution(step);
    case seam::Operation::convolution_weight_gradient: return convolution_weight_gradient(step);
    case seam::Operation::max_pool:
      return [step.graph maxPooling2DWithSourceTensor:step.x()
                                           descriptor:pool_descriptor(step)
                                                 name:nil];
    case seam::Operation::average_pool:
      return [step.graph avgPooling2DWithSourceTensor:step.x()
                                           descriptor:pool_descriptor(step)
                                                 name:nil];
    default: return nil;
  }
}

}  // namespace mps::apple

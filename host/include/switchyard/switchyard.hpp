#pragma once

/// Everything: tensors and their functions, gradients, layers and optimizers, data, and models of
/// ONNX files, on the devices of a configuration.
///
///   using namespace switchyard;
///   Tensor x = randn({3, 3});                 // on the best device there is
///   nn::Linear layer(3, 2);
///   layer(x).sum().backward();
///
///   auto model = Model::load(current_runtime(), "mnist.onnx");
///   auto outputs = model.run({{"image", tensor(pixels, {1, 1, 28, 28})}});

#include <switchyard/autocast.hpp>
#include <switchyard/autograd.hpp>
#include <switchyard/averaged_model.hpp>
#include <switchyard/borrow.hpp>
#include <switchyard/cancellation.hpp>
#include <switchyard/checkpoint.hpp>
#include <switchyard/collectives.hpp>
#include <switchyard/context.hpp>
#include <switchyard/custom_kernel.hpp>
#include <switchyard/data.hpp>
#include <switchyard/defaults.hpp>
#include <switchyard/device.hpp>
#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/host_view.hpp>
#include <switchyard/io.hpp>
#include <switchyard/log.hpp>
#include <switchyard/model.hpp>
#include <switchyard/nn.hpp>
#include <switchyard/onnx_export.hpp>
#include <switchyard/optim.hpp>
#include <switchyard/print.hpp>
#include <switchyard/progress.hpp>
#include <switchyard/register_op.hpp>
#include <switchyard/run.hpp>
#include <switchyard/runtime.hpp>
#include <switchyard/streams.hpp>
#include <switchyard/tensor.hpp>
#include <switchyard/text.hpp>
#include <switchyard/version.hpp>

#pragma once

/// Everything a host app needs: a Runtime from a configuration, its devices, tensors, and models.
///
///   switchyard::Runtime runtime;
///   auto model = switchyard::Model::load(runtime, "mnist.onnx");
///   auto outputs = model.run({{"image", switchyard::Tensor::of<float>({1, 1, 28, 28}, pixels)}});

#include <switchyard/custom_kernel.hpp>
#include <switchyard/device.hpp>
#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>
#include <switchyard/error.hpp>
#include <switchyard/model.hpp>
#include <switchyard/runtime.hpp>
#include <switchyard/tensor.hpp>

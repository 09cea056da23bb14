/// @file
/// Layers, put together to networks that train, named and shaped as in PyTorch:
///
///   nn::Sequential net(nn::Flatten(), nn::Linear(784, 512), nn::ReLU(), nn::Linear(512, 10));
///   net.to(device);
///   Tensor loss = nn::CrossEntropyLoss()(net(images), labels);
#pragma once

#include <switchyard/nn/activation.hpp>
#include <switchyard/nn/attention.hpp>
#include <switchyard/nn/container.hpp>
#include <switchyard/nn/convolution.hpp>
#include <switchyard/nn/dropout.hpp>
#include <switchyard/nn/embedding.hpp>
#include <switchyard/nn/fold.hpp>
#include <switchyard/nn/init.hpp>
#include <switchyard/nn/linear.hpp>
#include <switchyard/nn/loss.hpp>
#include <switchyard/nn/module.hpp>
#include <switchyard/nn/normalization.hpp>
#include <switchyard/nn/padding.hpp>
#include <switchyard/nn/parameter_container.hpp>
#include <switchyard/nn/pooling.hpp>
#include <switchyard/nn/recurrent.hpp>
#include <switchyard/nn/recurrent_cell.hpp>
#include <switchyard/nn/shape.hpp>
#include <switchyard/nn/transformer.hpp>
#include <switchyard/nn/upsampling.hpp>

/// @file
/// Optimizers and schedules of their learning rates, named as in PyTorch:
///
///   optim::SGD optimizer(net.parameters(), {.lr = 0.1, .momentum = 0.9});
///   optim::CosineAnnealingLR schedule(optimizer, epochs);
///   ...
///   optimizer.zero_grad();
///   loss.backward();
///   optimizer.step();
#pragma once

#include <switchyard/autograd.hpp>
#include <switchyard/optim/adadelta.hpp>
#include <switchyard/optim/adagrad.hpp>
#include <switchyard/optim/adam.hpp>
#include <switchyard/optim/cyclic.hpp>
#include <switchyard/optim/grad_scaler.hpp>
#include <switchyard/optim/lbfgs.hpp>
#include <switchyard/optim/nadam.hpp>
#include <switchyard/optim/optimizer.hpp>
#include <switchyard/optim/radam.hpp>
#include <switchyard/optim/rmsprop.hpp>
#include <switchyard/optim/schedule.hpp>
#include <switchyard/optim/sequential.hpp>
#include <switchyard/optim/sgd.hpp>

/// @file
/// Data sets, and batches of them: what a training loop reads.
///
///   const auto [images, labels] = fashion_mnist();
///   DataLoader loader(TensorDataset(images, labels), {.batch_size = 64, .shuffle = true});
///   for (const Batch& batch : loader) {
///     step(batch.input().to(device), batch.target().to(device));
///   }
///
/// An example may have any number of tensors:
///
///   DataLoader loader(TensorDataset(ids, mask, labels), {.batch_size = 64});
///   for (const Batch& batch : loader) {
///     const auto [id, masked, label] = batch.unpack<3>();
///   }
#pragma once

#include <switchyard/data/dataset.hpp>
#include <switchyard/data/loader.hpp>
#include <switchyard/data/mnist.hpp>
#include <switchyard/data/sampler.hpp>

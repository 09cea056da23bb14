#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include <switchyard/data.hpp>

namespace switchyard {

/// The examples of these numbers, stacked: each is copied once, to its position in the batch.
/// Throws what the data set throws, and Error(invalid_argument) where examples differ in shape, type or in
/// whether they have a target. Gives up, with an empty batch, once `is_stopped` is set.
Batch collated(const Dataset& dataset, std::span<const std::int64_t> numbers,
               const std::atomic<bool>& is_stopped);

}  // namespace switchyard

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>

#include <switchyard/data/loader.hpp>

namespace switchyard {

using CollateFunction = std::function<Batch(std::span<const Example>)>;

/// The examples of these numbers as a batch: what `collate` makes of them, or without one stacked,
/// where each is copied once, to its position in the batch. Throws what the data set and `collate`
/// throw, and Error(invalid_argument) for numbers that the data set does not have, for none, and
/// for examples that do not stack. Gives up, with an empty batch, once `is_stopped` is set.
Batch collated(const Dataset& dataset, std::span<const std::int64_t> numbers,
               const CollateFunction& collate, const std::atomic<bool>& is_stopped);

}  // namespace switchyard

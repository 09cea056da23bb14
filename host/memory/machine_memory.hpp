#pragma once

#include <cstdint>

namespace switchyard {

/// The bytes of memory that this process may use: what the machine has, or what its control group
/// allows if that is less, as in a container. UINT64_MAX where the system does not tell.
std::uint64_t machine_memory();

/// What tensors may take of `memory` unless the configuration says: all of a device together, and
/// one alone. The rest is for the program itself, its copies between devices and other programs: a
/// machine that runs out of memory stands still, or ends programs, before an allocation fails.
constexpr std::uint64_t share_of_tensors(std::uint64_t memory) { return memory / 4 * 3; }
constexpr std::uint64_t share_of_one_tensor(std::uint64_t memory) { return memory / 2; }

/// What the messages of a model's file may take, apart from texts and tensors: what is made of them
/// takes a few times as much.
constexpr std::uint64_t share_of_model_file(std::uint64_t memory) { return memory / 8; }

/// What the tensors in the lists of one run may take, beside the elements that a device counts.
constexpr std::uint64_t share_of_lists(std::uint64_t memory) { return memory / 4; }

/// The most bytes of one tensor: `configured`, which is limits.value_bytes, or its share if that is
/// 0.
constexpr std::uint64_t limit_of_one_tensor(std::uint64_t configured, std::uint64_t memory) {
  return configured != 0 ? configured : share_of_one_tensor(memory);
}

}  // namespace switchyard

#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <switchyard/io.hpp>

namespace switchyard {

/// What load_safetensors reads, from memory; `name` stands for the file.
SafetensorsFile read_safetensors_bytes(std::span<const std::byte> bytes, const std::string& name);

}  // namespace switchyard

#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <switchyard/dims.hpp>

namespace switchyard {

/// What the text at the head of a .npy file says.
struct NpyHeader {
  char byte_order = '|';       // '<' little, '>' big, '|' does not matter
  char kind = 'f';             // numpy's letter: f i u b c S U V
  std::size_t item_bytes = 0;  // of one element; of one character for `U`: 4 bytes times this
  bool fortran_order = false;
  Dims shape;
  std::size_t data_offset = 0;
};

/// Parses magic, version and dictionary. Throws Error(model) beginning with `name`.
NpyHeader parse_npy_header(std::span<const std::byte> bytes, const std::string& name);

/// The head of a file with elements of `descr` ("<f4"), padded so that the data are aligned.
std::string npy_header_text(const std::string& descr, const Dims& shape);

}  // namespace switchyard

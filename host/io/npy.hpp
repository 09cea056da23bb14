#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "ops/literal.hpp"

namespace switchyard {

// numpy's .npy files. Types that numpy has not:
//   bfloat16        written as `V2`, as the ml_dtypes package does; read back without asking
//   float8, float4  written as `V1`, as ml_dtypes does; the file does not tell which of them it is
//   int4, int2      written unpacked, as `i1`, and uint4 and uint2 as `u1`
// To read these, `expected` names the type that is wanted.

/// Reads format versions 1, 2 and 3, either byte order, C or Fortran order, numbers, bools, bytes
/// (`S`) and text (`U`). `expected`, unless undefined, resolves what numpy's type leaves open: V1,
/// u1 as float8, float4; V2, u2 as bfloat16, float16; i1, u1 as 4 or 2 bits. All else that differs
/// is left to the caller. Throws Error(model), naming the file and what is wrong with it.
Literal read_npy(const std::filesystem::path& path, DType expected = DType::undefined);

/// The same from memory; `name` stands for the file.
Literal read_npy_bytes(std::span<const std::byte> bytes, const std::string& name,
                       DType expected = DType::undefined);

/// Writes format version 1 (2 where the header is too long for it), little-endian, C order.
/// Throws Error(invalid_argument), naming the file.
void write_npy(const std::filesystem::path& path, const Literal& literal);

}  // namespace switchyard

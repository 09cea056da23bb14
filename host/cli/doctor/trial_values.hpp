#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <switchyard/runtime.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard::cli {

/// An input by a word: a letter and a shape (f2x3: floats around 0; p: above 0; b: bool; c: int8;
/// u: uint8; i, m and w: int32, int64 and uint8 from 0 to 2; a lone letter: a scalar), or values: l
/// and int64 ones (l1,-1), v and floats (v0,0.5), both with a shape where it is not a vector's
/// (v0,0.5:1x2), n and an int64 as a scalar, or _ for one that is left out. `seed` keeps two inputs
/// of one op apart.
Tensor trial_input(std::string_view word, std::size_t seed);

/// An attribute by a word: 1, 1,2, 0.5, or text.
AttributeArgument trial_argument(const std::string& text);

}  // namespace switchyard::cli

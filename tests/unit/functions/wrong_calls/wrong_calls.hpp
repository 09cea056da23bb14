// Calls that functions cannot take, one file for what each header of <switchyard/functions/>
// declares or two that belong together: no tensor at all, shapes that do not go together, types
// that a function is not for, dimensions and numbers that lie outside.
#pragma once

#include <functional>
#include <string>
#include <switchyard/functions.hpp>
#include <vector>

namespace switchyard {

struct WrongCall {
  std::string function;
  std::function<void()> call;
};
using Calls = std::vector<WrongCall>;

inline Tensor none() { return {}; }
inline Tensor floats() { return ones({2, 3}); }
inline Tensor others() { return ones({4, 3}); }  // of a shape that does not go with the first
inline Tensor integers() { return ones({2, 3}, {.dtype = DType::int64}); }
inline Tensor image() { return ones({1, 4, 5, 5}); }
inline Tensor positions() { return tensor({0, 1}); }

Calls wrong_calls_of_creation();   // creation.hpp, random.hpp
Calls wrong_calls_of_shaping();    // shaping.hpp, image.hpp
Calls wrong_calls_of_pointwise();  // pointwise.hpp, and of reduction.hpp what takes one tensor
Calls wrong_calls_along();         // what takes a dimension: reduction.hpp, sorting.hpp and others
Calls wrong_calls_of_indexing();   // indexing.hpp
Calls wrong_calls_of_layers();     // linear.hpp, neural.hpp
Calls wrong_calls_of_losses();     // loss.hpp, distance.hpp
Calls wrong_calls_of_linear_algebra();  // linalg.hpp, fft.hpp
Calls wrong_calls_of_members();         // tensor.hpp

}  // namespace switchyard

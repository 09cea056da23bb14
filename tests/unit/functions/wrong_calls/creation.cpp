#include "functions/creation/new_tensor.hpp"
#include "functions/wrong_calls/wrong_calls.hpp"
#include "tensor/host_tensor.hpp"

#include <cmath>

namespace switchyard {

Calls wrong_calls_of_creation() {
  return {
      {"gumbel_softmax", [] { gumbel_softmax(integers()); }},
      {"gumbel_softmax", [] { gumbel_softmax(floats(), {.tau = 0}); }},
      {"gumbel_softmax", [] { gumbel_softmax(floats(), {.tau = std::nan("")}); }},
      {"zeros", [] { zeros({-1}); }},
      {"ones",
       [] {
         ones({2, -3});
       }},
      {"full", [] { full({2}, none()); }},
      {"full", [] { full({-2}, 1); }},
      {"full", [] { full({2}, floats()); }},
      {"full", [] { full({2}, 300, {.dtype = DType::uint8}); }},
      {"empty", [] { empty({-1}); }},
      {"zeros_like", [] { zeros_like(none()); }},
      {"ones_like", [] { ones_like(none()); }},
      {"full_like", [] { full_like(none(), 1); }},
      {"empty_like", [] { empty_like(none()); }},
      {"arange", [] { arange(0, 5, 0); }},
      {"arange", [] { arange(none()); }},
      {"arange", [] { arange(floats()); }},
      {"linspace", [] { linspace(0, 1, -2); }},
      {"eye", [] { eye(-1); }},
      {"place", [] { place(none()); }},
      {"place", [] { place(host_texts({1}, {"a"})); }},
      {"tensor",
       [] {
         tensor(std::vector<float>{1, 2}, {3});
       }},
      {"rand", [] { rand({-1}); }},
      {"rand", [] { rand({2}, {.dtype = DType::int64}); }},
      {"randn", [] { randn({-1}); }},
      {"rand_like", [] { rand_like(none()); }},
      {"randn_like", [] { randn_like(none()); }},
      {"randn_like", [] { randn_like(integers()); }},
      {"randint", [] { randint(5, 5, {3}); }},
      {"randint", [] { randint(0, 300, {3}, {.dtype = DType::uint8}); }},
      {"randperm", [] { randperm(-1); }},
      {"multinomial", [] { multinomial(none(), 1); }},
      {"multinomial", [] { multinomial(floats(), 9); }},
      {"multinomial", [] { multinomial(integers(), 1); }},
      {"bernoulli", [] { bernoulli(integers()); }},
      {"bernoulli",
       [] {
         bernoulli(tensor({0.5, 1.5}));
       }},
      {"bernoulli",
       [] {
         bernoulli(tensor({-0.5, 1.0}));
       }},
      {"bernoulli",
       [] {
         bernoulli(full({2, 2}, std::nan("")));
       }},
      {"bernoulli", [] { bernoulli(full({}, INFINITY, {.dtype = DType::float16})); }},
      {"tensor",
       [] {
         tensor({{1, 2}, {3}});
       }},
  };
}

}  // namespace switchyard

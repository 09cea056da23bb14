#include "functions/pointwise_functions.hpp"

#include <switchyard/functions.hpp>

namespace switchyard {

const std::map<std::string, OfOne>& functions_of_one() {
  static const std::map<std::string, OfOne> functions{
      {"abs", [](auto& x) { return abs(x); }},
      {"neg", neg},
      {"sign", sign},
      {"square", square},
      {"sqrt", [](auto& x) { return sqrt(x); }},
      {"rsqrt", rsqrt},
      {"reciprocal", reciprocal},
      {"exp", [](auto& x) { return exp(x); }},
      {"exp2", [](auto& x) { return exp2(x); }},
      {"expm1", [](auto& x) { return expm1(x); }},
      {"log", [](auto& x) { return log(x); }},
      {"log2", [](auto& x) { return log2(x); }},
      {"log10", [](auto& x) { return log10(x); }},
      {"log1p", [](auto& x) { return log1p(x); }},
      {"sin", [](auto& x) { return sin(x); }},
      {"cos", [](auto& x) { return cos(x); }},
      {"tan", [](auto& x) { return tan(x); }},
      {"asin", [](auto& x) { return asin(x); }},
      {"acos", [](auto& x) { return acos(x); }},
      {"atan", [](auto& x) { return atan(x); }},
      {"sinh", [](auto& x) { return sinh(x); }},
      {"cosh", [](auto& x) { return cosh(x); }},
      {"tanh", [](auto& x) { return tanh(x); }},
      {"asinh", [](auto& x) { return asinh(x); }},
      {"acosh", [](auto& x) { return acosh(x); }},
      {"atanh", [](auto& x) { return atanh(x); }},
      {"erf", [](auto& x) { return erf(x); }},
      {"erfc", [](auto& x) { return erfc(x); }},
      {"erfinv", erfinv},
      {"lgamma", [](auto& x) { return lgamma(x); }},
      {"digamma", digamma},
      {"floor", [](auto& x) { return floor(x); }},
      {"ceil", [](auto& x) { return ceil(x); }},
      {"round", [](auto& x) { return round(x); }},
      {"trunc", [](auto& x) { return trunc(x); }},
      {"frac", frac},
      {"isnan", isnan},
      {"isinf", isinf},
      {"isfinite", isfinite},
      {"nan_to_num", [](auto& x) { return nan_to_num(x); }},
      {"logical_not", logical_not},
      {"bitwise_not", bitwise_not},
  };
  return functions;
}

const std::map<std::string, OfTwo>& functions_of_two() {
  static const std::map<std::string, OfTwo> functions{
      {"add", [](auto& a, auto& b) { return add(a, b); }},
      {"sub", [](auto& a, auto& b) { return sub(a, b); }},
      {"mul", mul},
      {"div", [](auto& a, auto& b) { return div(a, b); }},
      {"floor_divide", floor_divide},
      {"remainder", [](auto& a, auto& b) { return remainder(a, b); }},
      {"fmod", [](auto& a, auto& b) { return fmod(a, b); }},
      {"pow", [](auto& a, auto& b) { return pow(a, b); }},
      {"atan2", [](auto& a, auto& b) { return atan2(a, b); }},
      {"hypot", [](auto& a, auto& b) { return hypot(a, b); }},
      {"logaddexp", logaddexp},
      {"maximum", maximum},
      {"minimum", minimum},
      {"eq", eq},
      {"ne", ne},
      {"lt", lt},
      {"le", le},
      {"gt", gt},
      {"ge", ge},
      {"logical_and", logical_and},
      {"logical_or", logical_or},
      {"logical_xor", logical_xor},
      {"bitwise_and", bitwise_and},
      {"bitwise_or", bitwise_or},
      {"bitwise_xor", bitwise_xor},
  };
  return functions;
}

Tensor of_values(const std::vector<double>& values, DType dtype) {
  return tensor(values, {static_cast<std::int64_t>(values.size())}, {.dtype = dtype});
}

}  // namespace switchyard

#include "functions/wrong_calls/wrong_calls.hpp"

#include <set>

namespace switchyard {

namespace {

/// A function of one tensor, of any type or of floating-point ones alone.
template <typename Result>
struct OfOne {
  const char* name;
  Result (*call)(const Tensor&);
};
using One = OfOne<Tensor>;
using OneMask = OfOne<Mask>;

const One kOfAny[] = {{"abs", abs},
                      {"neg", neg},
                      {"sign", sign},
                      {"square", square},
                      {"sqrt", sqrt},
                      {"rsqrt", rsqrt},
                      {"exp", exp},
                      {"reciprocal", reciprocal},
                      {"exp2", exp2},
                      {"expm1", expm1},
                      {"log", log},
                      {"log2", log2},
                      {"log10", log10},
                      {"log1p", log1p},
                      {"sin", sin},
                      {"cos", cos},
                      {"tan", tan},
                      {"asin", asin},
                      {"acos", acos},
                      {"atan", atan},
                      {"sinh", sinh},
                      {"cosh", cosh},
                      {"tanh", tanh},
                      {"asinh", asinh},
                      {"acosh", acosh},
                      {"atanh", atanh},
                      {"erf", erf},
                      {"floor", floor},
                      {"ceil", ceil},
                      {"round", round},
                      {"trunc", trunc},
                      {"frac", frac},
                      {"erfc", erfc},
                      {"erfinv", erfinv},
                      {"lgamma", lgamma},
                      {"digamma", digamma},
                      {"median", median},
                      {"nanmedian", nanmedian},
                      {"relu", relu},
                      {"sigmoid", sigmoid},
                      {"sum", sum},
                      {"prod", prod},
                      {"max", max},
                      {"min", min},
                      {"squeeze", squeeze},
                      {"nonzero", nonzero},
                      {"count_nonzero", count_nonzero},
                      {"any", any},
                      {"all", all}};
const OneMask kMasks[] = {
    {"isnan", isnan}, {"isinf", isinf}, {"isfinite", isfinite}, {"logical_not", logical_not}};
const One kOfFloats[] = {{"selu", selu},
                         {"silu", silu},
                         {"mish", mish},
                         {"softplus", softplus},
                         {"softsign", softsign},
                         {"logsigmoid", logsigmoid},
                         {"hardsigmoid", hardsigmoid},
                         {"hardswish", hardswish},
                         {"mean", mean},
                         {"relu6", relu6},
                         {"bernoulli", bernoulli}};
/// Of those, what takes integers as float32.
const std::set<std::string> kTakesIntegers{"softsign", "relu6", "silu"};

template <typename Result>
struct OfTwo {
  const char* name;
  Result (*call)(const Tensor&, const Tensor&);
};
const OfTwo<Tensor> kOfTwo[] = {{"mul", mul},
                                {"div", div},
                                {"floor_divide", floor_divide},
                                {"remainder", remainder},
                                {"fmod", fmod},
                                {"pow", pow},
                                {"atan2", atan2},
                                {"hypot", hypot},
                                {"logaddexp", logaddexp},
                                {"maximum", maximum},
                                {"minimum", minimum},
                                {"bitwise_and", bitwise_and},
                                {"bitwise_or", bitwise_or},
                                {"bitwise_xor", bitwise_xor},
                                {"matmul", matmul},
                                {"mm", mm},
                                {"bmm", bmm},
                                {"mv", mv},
                                {"dot", dot},
                                {"outer", outer}};
const OfTwo<Mask> kComparisons[] = {{"eq", eq},
                                    {"ne", ne},
                                    {"lt", lt},
                                    {"le", le},
                                    {"gt", gt},
                                    {"ge", ge},
                                    {"logical_and", logical_and},
                                    {"logical_or", logical_or},
                                    {"logical_xor", logical_xor}};

template <typename Table>
void add_of_one(Calls& all, const Table& table) {
  for (const auto& row : table) all.push_back({row.name, [f = row.call] { f(none()); }});
}

template <typename Table>
void add_of_two(Calls& all, const Table& table) {
  for (const auto& [name, call] : table) {
    all.push_back({name, [f = call] { f(none(), floats()); }});
    all.push_back({name, [f = call] { f(floats(), none()); }});
    all.push_back({name, [f = call] { f(floats(), others()); }});
  }
}

}  // namespace

Calls wrong_calls_of_pointwise() {
  Calls all = {
      {"result_type", [] { result_type(none(), floats()); }},
      {"add", [] { add(floats(), others()); }},
      {"add", [] { add(none(), floats()); }},
      {"sub", [] { sub(gt(floats(), 0), gt(floats(), 0)); }},
      {"sub", [] { sub(floats(), none()); }},
      {"add", [] { add(integers(), integers(), 0.5); }},
      {"lerp", [] { lerp(floats(), others(), 0.5); }},
      {"lerp", [] { lerp(floats(), none(), 0.5); }},
      {"addcmul", [] { addcmul(floats(), others(), floats()); }},
      {"addcdiv", [] { addcdiv(none(), floats(), floats()); }},
      {"isclose", [] { isclose(floats(), others()); }},
      {"isclose", [] { isclose(floats(), none()); }},
      {"allclose", [] { allclose(floats(), others()); }},
      {"equal", [] { equal(floats(), none()); }},
      {"bitwise_and", [] { bitwise_and(floats(), floats()); }},
      {"bitwise_not", [] { bitwise_not(floats()); }},
      {"bitwise_not", [] { bitwise_not(none()); }},
      {"where", [] { where(floats(), floats(), others()); }},
      {"where", [] { where(none(), floats(), others()); }},
      {"clamp", [] { clamp(floats(), others()); }},
      {"clamp", [] { clamp(none(), 1); }},
      {"masked_fill", [] { masked_fill(floats(), others(), 1); }},
      {"masked_fill", [] { masked_fill(none(), floats(), 1); }},
      {"nan_to_num", [] { nan_to_num(none()); }},
      {"median", [] { median(zeros({0})); }},
      {"nanmedian",
       [] {
         nanmedian(zeros({2, 0}), 1);
       }},
      {"quantile", [] { quantile(floats(), 1.5); }},
      {"quantile", [] { quantile(floats(), none()); }},
      {"quantile", [] { quantile(integers(), 0.5); }},
      {"quantile", [] { quantile(floats(), floats()); }},
      {"quantile", [] { quantile(zeros({0}), 0.5); }},
      {"nanquantile", [] { nanquantile(floats(), -0.5); }},
      {"diff", [] { diff(floats(), -1); }},
      {"diff", [] { diff(full({}, 1)); }},
      {"diff", [] { diff(floats(), 1, 0, others().t()); }},
      {"diff", [] { diff(floats(), 1, 0, {}, ones({3})); }},
      {"hardtanh", [] { hardtanh(none()); }},
      {"leaky_relu", [] { leaky_relu(integers()); }},
      {"elu", [] { elu(none()); }},
      {"gelu", [] { gelu(integers()); }},
      {"prelu", [] { prelu(floats(), ones({7})); }},
      {"prelu", [] { prelu(floats(), none()); }},
      {"pow", [] { pow(integers(), -1); }},
      {"add", [] { add(ones({2}, {.dtype = DType::uint64}), ones({2}, {.dtype = DType::int32})); }},
  };
  add_of_one(all, kOfAny);
  add_of_one(all, kMasks);
  add_of_one(all, kOfFloats);
  for (const One& row : kOfFloats) {
    if (kTakesIntegers.count(row.name)) continue;
    all.push_back({row.name, [f = row.call] { f(integers()); }});
  }
  add_of_two(all, kOfTwo);
  add_of_two(all, kComparisons);
  return all;
}

}  // namespace switchyard

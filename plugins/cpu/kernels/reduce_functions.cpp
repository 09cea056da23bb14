#include "kernels/reduce_functions.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

namespace cpu {
namespace {

template <typename W>
struct Wrapping { using Type = W; };
template <>
struct Wrapping<int64_t> { using Type = uint64_t; };

template <typename A>
A add(A x, A y) {
  using U = typename Wrapping<A>::Type;
  return static_cast<A>(static_cast<U>(x) + static_cast<U>(y));
}
template <typename A>
A multiply(A x, A y) {
  using U = typename Wrapping<A>::Type;
  return static_cast<A>(static_cast<U>(x) * static_cast<U>(y));
}
template <typename A>
A larger(A x, A y) {
  return y > x || y != y ? y : x;  // NaN wins and stays
}
template <typename A>
A smaller(A x, A y) {
  return y < x || y != y ? y : x;
}
template <typename A>
A itself(A x) { return x; }
template <typename A>
A magnitude(A x) {
  if constexpr (std::is_unsigned_v<A>) {
    return x;
  } else {
    return x < 0 ? add<A>(0, multiply<A>(A(-1), x)) : x;
  }
}
template <typename A>
A square(A x) { return multiply<A>(x, x); }

template <typename W, auto map, auto join, Accumulator<W> nothing>
Accumulator<W> row_of(const W* x, int64_t count) {
  using A = Accumulator<W>;
  constexpr int ways = 4;  // independent sums: shorter chains, and nearer to pairwise exactness
  A parts[ways] = {nothing, nothing, nothing, nothing};
  int64_t i = 0;
  for (; i + ways <= count; i += ways) {
    for (int k = 0; k < ways; ++k) parts[k] = join(parts[k], map(static_cast<A>(x[i + k])));
  }
  for (; i < count; ++i) parts[0] = join(parts[0], map(static_cast<A>(x[i])));
  return join(join(parts[0], parts[1]), join(parts[2], parts[3]));
}

template <typename W, auto map, auto join>
void columns_of(const W* x, int64_t step, int64_t rows, int64_t width, W* joined) {
  using A = Accumulator<W>;
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < width; ++i) {
      joined[i] = static_cast<W>(
          join(static_cast<A>(joined[i]), map(static_cast<A>(x[r * step + i]))));
    }
  }
}

template <typename W, auto map, auto join, Accumulator<W> nothing>
constexpr ReduceFunctions<W> functions() {
  return {row_of<W, map, join, nothing>, columns_of<W, map, join>, join, nothing};
}

template <typename A>
constexpr A lowest() {
  if constexpr (std::is_floating_point_v<A>) return -std::numeric_limits<A>::infinity();
  return std::numeric_limits<A>::lowest();
}
template <typename A>
constexpr A highest() {
  if constexpr (std::is_floating_point_v<A>) return std::numeric_limits<A>::infinity();
  return std::numeric_limits<A>::max();
}

template <typename W>
ReduceFunctions<W> scalar_functions(ReduceKind kind) {
  using A = Accumulator<W>;
  switch (kind) {
    case ReduceKind::sum: return functions<W, itself<A>, add<A>, A{0}>();
    case ReduceKind::sum_of_magnitudes: return functions<W, magnitude<A>, add<A>, A{0}>();
    case ReduceKind::sum_of_squares: return functions<W, square<A>, add<A>, A{0}>();
    case ReduceKind::product: return functions<W, itself<A>, multiply<A>, A{1}>();
    case ReduceKind::most: return functions<W, itself<A>, larger<A>, lowest<A>()>();
    default: return functions<W, itself<A>, smaller<A>, highest<A>()>();
  }
}

}  // namespace

template <typename W>
ReduceFunctions<W> reduce_functions(ReduceKind kind) {
  ReduceFunctions<W> found = scalar_functions<W>(kind);
  if constexpr (std::is_same_v<W, float>) {
    if (kind != ReduceKind::product) {
      const VectorReduce vector = vector_reduce(kind);
      found.row = vector.row;
      found.columns = vector.columns;
    }
  }
  return found;
}

template ReduceFunctions<float> reduce_functions<float>(ReduceKind);
template ReduceFunctions<double> reduce_functions<double>(ReduceKind);
template ReduceFunctions<int64_t> reduce_functions<int64_t>(ReduceKind);
template ReduceFunctions<uint64_t> reduce_functions<uint64_t>(ReduceKind);

}  // namespace cpu

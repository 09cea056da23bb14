#include "simd/reduce_functions.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

namespace cpu {
namespace {

template <typename W>
struct Wrapping {
  using Type = W;
};
template <>
struct Wrapping<int64_t> {
  using Type = uint64_t;
};

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
struct Sum {
  static constexpr A nothing = 0;
  static A map(A x) { return x; }
  static A join(A x, A y) { return add(x, y); }
};
template <typename A>
struct SumOfMagnitudes : Sum<A> {
  static A map(A x) {
    if constexpr (std::is_unsigned_v<A>) {
      return x;
    } else {
      return x < 0 ? add<A>(0, multiply<A>(A(-1), x)) : x;
    }
  }
};
template <typename A>
struct SumOfSquares : Sum<A> {
  static A map(A x) { return multiply(x, x); }
};
template <typename A>
struct Product : Sum<A> {
  static constexpr A nothing = 1;
  static A join(A x, A y) { return multiply(x, y); }
};
template <typename A>
struct Max : Sum<A> {
  static constexpr A nothing = std::is_floating_point_v<A> ? -std::numeric_limits<A>::infinity()
                                                           : std::numeric_limits<A>::lowest();
  static A join(A x, A y) { return y > x || y != y ? y : x; }  // NaN wins and stays
};
template <typename A>
struct Min : Sum<A> {
  static constexpr A nothing = std::is_floating_point_v<A> ? std::numeric_limits<A>::infinity()
                                                           : std::numeric_limits<A>::max();
  static A join(A x, A y) { return y < x || y != y ? y : x; }
};

template <typename W, typename Kind>
Accumulator<W> row_of(const W* x, int64_t count) {
  using A = Accumulator<W>;
  constexpr int ways = 4;  // independent sums: shorter chains, and nearer to pairwise exactness
  A parts[ways] = {Kind::nothing, Kind::nothing, Kind::nothing, Kind::nothing};
  int64_t i = 0;
  for (; i + ways <= count; i += ways) {
    for (int k = 0; k < ways; ++k) {
      parts[k] = Kind::join(parts[k], Kind::map(static_cast<A>(x[i + k])));
    }
  }
  for (; i < count; ++i) parts[0] = Kind::join(parts[0], Kind::map(static_cast<A>(x[i])));
  return Kind::join(Kind::join(parts[0], parts[1]), Kind::join(parts[2], parts[3]));
}

template <typename W, typename Kind>
void columns_of(const W* x, int64_t step, int64_t rows, int64_t width, W* joined) {
  using A = Accumulator<W>;
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < width; ++i) {
      const A value = Kind::map(static_cast<A>(x[r * step + i]));
      joined[i] = static_cast<W>(Kind::join(static_cast<A>(joined[i]), value));
    }
  }
}

template <typename W, template <typename> typename Kind>
ReduceFunctions<W> functions() {
  using K = Kind<Accumulator<W>>;
  return {row_of<W, K>, columns_of<W, K>, K::join, K::nothing};
}

template <typename W>
ReduceFunctions<W> scalar_functions(ReduceKind kind) {
  switch (kind) {
    case ReduceKind::sum: return functions<W, Sum>();
    case ReduceKind::sum_of_magnitudes: return functions<W, SumOfMagnitudes>();
    case ReduceKind::sum_of_squares: return functions<W, SumOfSquares>();
    case ReduceKind::product: return functions<W, Product>();
    case ReduceKind::max: return functions<W, Max>();
    default: return functions<W, Min>();
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

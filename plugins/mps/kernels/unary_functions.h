// The functions of one number, for Metal, which computes them (unary_value.h), and for C++, which
// claims them (ops/elementwise/unary.cpp): FUNCTION(op, domain, alpha, beta, value), where alpha
// and beta are the attributes that the value of x reads.
#pragma once

#define UNARY_FUNCTIONS(FUNCTION)                                                             \
  FUNCTION(Abs, "", "", "", abs(x))                                                           \
  FUNCTION(Acos, "", "", "", acos(x))                                                         \
  FUNCTION(Acosh, "", "", "", x < 1.0f ? NAN : log(x + sqrt(x - 1.0f) * sqrt(x + 1.0f)))      \
  FUNCTION(Asin, "", "", "", asin(x))                                                         \
  FUNCTION(Asinh, "", "", "", inverse_hyperbolic_sine(x))                                     \
  FUNCTION(Atan, "", "", "", atan(x))                                                         \
  FUNCTION(Atanh, "", "", "", inverse_hyperbolic_tangent(x))                                  \
  FUNCTION(Ceil, "", "", "", ceil(x))                                                         \
  FUNCTION(Celu, "", "alpha", "", x > 0 ? x : isnan(x) ? x : alpha * (exp(x / alpha) - 1.0f)) \
  FUNCTION(Cos, "", "", "", cos(x))                                                           \
  FUNCTION(Cosh, "", "", "", 0.5f * (exp(x) + exp(-x)))                                       \
  FUNCTION(Elu, "", "alpha", "", x >= 0 ? x : alpha * (exp(x) - 1.0f))                        \
  FUNCTION(Erf, "", "", "", error_function(x))                                                \
  FUNCTION(Exp, "", "", "", exp(x))                                                           \
  FUNCTION(Floor, "", "", "", floor(x))                                                       \
  FUNCTION(Gelu, "", "", "", 0.5f * x * (1.0f + error_function(x * 0.70710678118f)))          \
  FUNCTION(HardSigmoid, "", "alpha", "beta", bounded(alpha* x + beta, 0.0f, 1.0f))            \
  FUNCTION(HardSwish, "", "", "", x* bounded(x / 6.0f + 0.5f, 0.0f, 1.0f))                    \
  FUNCTION(LeakyRelu, "", "alpha", "", x >= 0 ? x : alpha * x)                                \
  FUNCTION(Log, "", "", "", log(x))                                                           \
  FUNCTION(Mish, "", "", "", x* tanh(softplus(x)))                                            \
  FUNCTION(Neg, "", "", "", -x)                                                               \
  FUNCTION(Reciprocal, "", "", "", 1.0f / x)                                                  \
  FUNCTION(Relu, "", "", "", positive_part(x))                                                \
  FUNCTION(Round, "", "", "", rint(x))                                                        \
  FUNCTION(Selu, "", "alpha", "gamma",                                                        \
           x > 0      ? beta * x                                                              \
           : isnan(x) ? x                                                                     \
                      : beta * alpha * (exp(x) - 1.0f))                                       \
  FUNCTION(Sigmoid, "", "", "", isnan(x) ? x : sigmoid(x))                                    \
  FUNCTION(Sign, "", "", "", sign_of(x))                                                      \
  FUNCTION(Sin, "", "", "", sin(x))                                                           \
  FUNCTION(Sinh, "", "", "", hyperbolic_sine(x))                                              \
  FUNCTION(Softplus, "", "", "", softplus(x))                                                 \
  FUNCTION(Softsign, "", "", "", x / (1.0f + abs(x)))                                         \
  FUNCTION(Sqrt, "", "", "", sqrt(x))                                                         \
  FUNCTION(Tan, "", "", "", tan(x))                                                           \
  FUNCTION(Tanh, "", "", "", tanh(x))                                                         \
  FUNCTION(ThresholdedRelu, "", "alpha", "", x > alpha ? x : 0.0f)                            \
  FUNCTION(Exp2, "switchyard", "", "", exp2(x))                                               \
  FUNCTION(Expm1, "switchyard", "", "", exponential_less_one(x))                              \
  FUNCTION(Log1p, "switchyard", "", "", logarithm_of_one_more(x))                             \
  FUNCTION(Log2, "switchyard", "", "", log2(x))                                               \
  FUNCTION(Log10, "switchyard", "", "", log10(x))                                             \
  FUNCTION(Rsqrt, "switchyard", "", "", rsqrt(x))                                             \
  FUNCTION(Trunc, "switchyard", "", "", trunc(x))                                             \
  FUNCTION(Frac, "switchyard", "", "", x - trunc(x))                                          \
  FUNCTION(Erfc, "switchyard", "", "", complementary_error_function(x))                       \
  FUNCTION(Lgamma, "switchyard", "", "", log_of_gamma(x))                                     \
  FUNCTION(Digamma, "switchyard", "", "", digamma(x))

// What int32 and int64 have of them: FUNCTION(op, value).
#define INTEGER_UNARY_FUNCTIONS(FUNCTION) \
  FUNCTION(Abs, x < T(0) ? T(0) - x : x)  \
  FUNCTION(Neg, T(0) - x)                 \
  FUNCTION(Sign, x > T(0) ? T(1) : x < T(0) ? T(0) - T(1) : T(0))

#define FUNCTION(op, domain, alpha, beta, value) op,
enum class UnaryFunction : unsigned int { UNARY_FUNCTIONS(FUNCTION) GeluByTanh };
#undef FUNCTION

#define FUNCTION(op, value) op,
enum class IntegerUnaryFunction : unsigned int { INTEGER_UNARY_FUNCTIONS(FUNCTION) };
#undef FUNCTION

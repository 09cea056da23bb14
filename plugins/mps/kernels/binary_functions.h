// The functions of two numbers, for Metal, which computes them (binary_value.h), and for C++, which
// claims them (ops/elementwise/binary.cpp): FUNCTION(op, value), where value is of x and y.
#pragma once

#define BINARY_FUNCTIONS(FUNCTION)   \
  FUNCTION(Add, x + y)               \
  FUNCTION(Div, x / y)               \
  FUNCTION(Max, most_of(x, y))       \
  FUNCTION(Min, least_of(x, y))      \
  FUNCTION(Mul, x* y)                \
  FUNCTION(Pow, power(x, y))         \
  FUNCTION(PRelu, x < 0 ? x * y : x) \
  FUNCTION(Sub, x - y)               \
  FUNCTION(Sum, x + y)

// Of the domain "switchyard".
#define OWN_BINARY_FUNCTIONS(FUNCTION)        \
  FUNCTION(Atan2, atan2(x, y))                \
  FUNCTION(FloorDivide, floor_quotient(x, y)) \
  FUNCTION(Hypot, distance_of(x, y))          \
  FUNCTION(LogAddExp, log_of_powers(x, y))    \
  FUNCTION(Remainder, modulo(x, y))

// Forms of ops: Mod of both kinds, and the bounds of Clip. A bound y that is NaN bounds nothing,
// and x that is NaN stays.
#define BINARY_FORMS(FUNCTION)     \
  FUNCTION(Mod, modulo(x, y))      \
  FUNCTION(Fmod, fmod(x, y))       \
  FUNCTION(AtLeast, x < y ? y : x) \
  FUNCTION(AtMost, y < x ? y : x)

#define INTEGER_BINARY_FUNCTIONS(FUNCTION) \
  FUNCTION(Add, x + y)                     \
  FUNCTION(Div, quotient(x, y))            \
  FUNCTION(Max, x < y ? y : x)             \
  FUNCTION(Min, y < x ? y : x)             \
  FUNCTION(Mul, x* y)                      \
  FUNCTION(Pow, integer_power(x, y))       \
  FUNCTION(Sub, x - y)                     \
  FUNCTION(Sum, x + y)                     \
  FUNCTION(BitwiseAnd, x& y)               \
  FUNCTION(BitwiseOr, x | y)               \
  FUNCTION(BitwiseXor, x ^ y)

// Of the domain "switchyard".
#define OWN_INTEGER_BINARY_FUNCTIONS(FUNCTION) FUNCTION(FloorDivide, integer_floor_quotient(x, y))

#define INTEGER_BINARY_FORMS(FUNCTION) \
  FUNCTION(Mod, integer_modulo(x, y))  \
  FUNCTION(Fmod, remainder_of(x, y))

// Of bools, as integers 0 and 1.
#define LOGICAL_FUNCTIONS(FUNCTION) \
  FUNCTION(And, x& y)               \
  FUNCTION(Or, x | y)               \
  FUNCTION(Xor, x ^ y)

#define COMPARISONS(FUNCTION)      \
  FUNCTION(Equal, x == y)          \
  FUNCTION(Greater, x > y)         \
  FUNCTION(GreaterOrEqual, x >= y) \
  FUNCTION(Less, x < y)            \
  FUNCTION(LessOrEqual, x <= y)

#define FUNCTION(op, value) op,
enum class BinaryFunction : unsigned int {
  BINARY_FUNCTIONS(FUNCTION) OWN_BINARY_FUNCTIONS(FUNCTION) BINARY_FORMS(FUNCTION)
};
enum class IntegerBinaryFunction : unsigned int {
  INTEGER_BINARY_FUNCTIONS(FUNCTION) OWN_INTEGER_BINARY_FUNCTIONS(FUNCTION)
      INTEGER_BINARY_FORMS(FUNCTION) LOGICAL_FUNCTIONS(FUNCTION)
};
enum class Comparison : unsigned int { COMPARISONS(FUNCTION) };
#undef FUNCTION

// What an error tells a program, and that it stays what it was where it is copied.
#include <gtest/gtest.h>

#include <switchyard/error.hpp>
#include <type_traits>

#include "error/called_function.hpp"

namespace switchyard {
namespace {

static_assert(std::is_nothrow_copy_constructible_v<Error>);
static_assert(sizeof(Error) == 3 * sizeof(void*), "it grows behind its pointer");

TEST(ErrorTest, OfAFunctionNamesTheFunction) {
  const Error error(ErrorKind::shape_mismatch, "[matmul] shapes do not fit");
  EXPECT_EQ(error.function(), "matmul");
  EXPECT_EQ(error.op(), "");
  EXPECT_EQ(error.device(), "");
  EXPECT_EQ(error.plugin_code(), "");
  EXPECT_STREQ(error.what(), "[matmul] shapes do not fit");
}

TEST(ErrorTest, TakesNoShapeForAFunction) {
  for (const char* line :
       {"[2, 3] do not fit", "[2] no", "[] no", "[", "[a", "[a]", "[?] no", ""}) {
    EXPECT_EQ(Error(ErrorKind::internal, line).function(), "") << line;
  }
}

TEST(ErrorTest, NamesTheOutermostFunctionThatIsAtWork) {
  const CalledFunction outer("masked_fill"), inner("where");
  const Error error(ErrorKind::invalid_argument, "[Where] no");
  EXPECT_EQ(error.function(), "masked_fill");
  EXPECT_STREQ(error.what(), "[masked_fill] no");
}

TEST(ErrorTest, ACopyIsChangedAlone) {
  const Error first(ErrorKind::transient, "[Add] busy");
  Error second = first;
  second.set_function("add").set_op("Add").set_device("one:0").set_plugin_code("LIMIT");
  EXPECT_EQ(first.function(), "Add");
  EXPECT_EQ(first.device(), "");
  EXPECT_EQ(second.function(), "add");
  EXPECT_EQ(second.op(), "Add");
  EXPECT_EQ(second.device(), "one:0");
  EXPECT_EQ(second.plugin_code(), "LIMIT");
  EXPECT_STREQ(second.what(), "[add] busy");
  EXPECT_EQ(second.kind(), ErrorKind::transient);
}

TEST(ErrorTest, MayBeSetToAPartOfItself) {
  Error error(ErrorKind::internal, "[Add] one");
  error.set_op(error.function()).set_function(error.op()).set_line(error.what());
  EXPECT_EQ(error.op(), "Add");
  EXPECT_STREQ(error.what(), "[Add] one");
}

TEST(ErrorTest, OnlyWhatPassesByItselfIsRetryable) {
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::internal); ++kind) {
    const Error error(static_cast<ErrorKind>(kind), "x");
    EXPECT_EQ(error.is_retryable(), error.kind() == ErrorKind::transient);
    EXPECT_NE(name_of(error.kind()), "unknown");
  }
}

}  // namespace
}  // namespace switchyard

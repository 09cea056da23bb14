#include "switchyard/plugin/guard.hpp"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <string>

#include "switchyard/plugin/shape.hpp"
#include "switchyard/plugin/verdict.hpp"

namespace {

sy_error empty_error() {
  sy_error error = {};
  error.struct_size = sizeof(error);
  return error;
}

TEST(PluginGuard, ReturnsOkAndLeavesTheErrorAlone) {
  sy_error error = empty_error();
  error.message[0] = 'x';
  EXPECT_EQ(sy::guard(&error, [] {}), SY_OK);
  EXPECT_EQ(error.message[0], 'x');
}

TEST(PluginGuard, TellsWhatAFailureSays) {
  sy_error error = empty_error();
  const int64_t shape[] = {2, 3};
  EXPECT_EQ(sy::guard(&error,
                      [&] {
                        throw sy::unsupported(SY_REASON_RANK, "rank ", 7, " of ",
                                              sy::Extents(shape), " at ", 0.5);
                      }),
            SY_UNSUPPORTED);
  EXPECT_EQ(error.status, SY_UNSUPPORTED);
  EXPECT_EQ(error.reason, SY_REASON_RANK);
  EXPECT_STREQ(error.message, "rank 7 of [2, 3] at 0.5");
}

TEST(PluginGuard, TurnsEveryExceptionIntoAStatus) {
  sy_error error = empty_error();
  EXPECT_EQ(sy::guard(&error, [] { throw std::bad_alloc(); }), SY_OUT_OF_MEMORY);
  EXPECT_EQ(sy::guard(&error, [] { throw std::logic_error("impossible"); }), SY_BUG);
  EXPECT_STREQ(error.message, "impossible");
  EXPECT_EQ(sy::guard(&error, [] { throw 7; }), SY_BUG);
  EXPECT_EQ(sy::guard(nullptr, [] { throw 7; }), SY_BUG);
  EXPECT_EQ(sy::guard(nullptr, [] { throw sy::invalid("no"); }), SY_INVALID);
}

TEST(PluginGuard, CutsLongMessagesBetweenCharacters) {
  sy_error error = empty_error();
  sy::guard(&error, [] { throw sy::invalid("x", std::string(498, 'y') + "é"); });
  EXPECT_EQ(std::string(error.message), "x" + std::string(498, 'y'));
  sy::guard(&error, [] { throw sy::invalid(std::string(499, 'y')); });
  EXPECT_EQ(std::string(error.message).size(), 499u);
}

TEST(PluginVerdict, JudgesByWhatTheCheckThrows) {
  sy_verdict verdict = {};
  verdict.struct_size = sizeof(verdict);
  sy::judge(verdict, [] { throw sy::unsupported(SY_REASON_DTYPE, "not in int8"); });
  EXPECT_EQ(verdict.kind, SY_REFUSED);
  EXPECT_EQ(verdict.reason, SY_REASON_DTYPE);
  EXPECT_STREQ(verdict.message, "not in int8");
  sy::judge(verdict, [] {});
  EXPECT_EQ(verdict.kind, SY_SUPPORTED);
  EXPECT_EQ(verdict.reason, SY_REASON_NONE);
  EXPECT_STREQ(verdict.message, "");
  EXPECT_THROW(sy::judge(verdict, [] { throw sy::invalid("broken"); }), sy::Failure);
}

}  // namespace

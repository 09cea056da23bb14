// Whom a fault that a kernel finds in its input concerns.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/stream.hpp"
#include "streams_under_test.hpp"

namespace mps::runtime_tests {
namespace {

using testing::HasSubstr;

// As a kernel does that finds a fault in its input, though of no kind that there is.
void report_fault(Stream& stream) { stream.commands().fill(stream.faults(), 0, 4, 1); }

TEST_F(StreamTest, AFaultThatAnOperationReportsFailsIt) {
  const auto stream = make_stream();
  write(*stream, 1);
  const uint64_t faulty = stream->record(4, [&] { report_fault(*stream); });
  EXPECT_THAT(failure_of([&] { stream->wait(faulty); }), HasSubstr("unknown fault"));
}

TEST_F(StreamTest, AFaultIsReportedThoughTheOperationIsCommittedInItsMidst) {
  const auto stream = make_stream();
  const uint64_t faulty = stream->record(4, [&] {
    report_fault(*stream);
    stream->flush();
  });
  EXPECT_THAT(failure_of([&] { stream->wait(faulty); }), HasSubstr("unknown fault"));
}

TEST_F(StreamTest, AFaultOfAnOperationThatThrewIsNobodys) {
  const auto stream = make_stream();
  for (const bool committed : {false, true}) {
    write(*stream, 1);
    EXPECT_EQ(failure_of([&] {
                stream->record(4, [&] {
                  report_fault(*stream);
                  if (committed) stream->flush();
                  throw sy::invalid("no such thing");
                });
              }),
              "no such thing");
    stream->wait(write(*stream, 2));
    EXPECT_EQ(read(), 2);
  }
}

}  // namespace
}  // namespace mps::runtime_tests

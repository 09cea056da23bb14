// The file itself: what is written when, and what cannot be written.
#include "trace/timeline.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <switchyard/error.hpp>

#include "plugin_loader/fakes.hpp"
#include "trace/timeline_events.hpp"

namespace switchyard::trace {
namespace {

class TimelineTest : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder_.path() / "t.json"; }
  std::string refusal_of(const std::filesystem::path& file) {
    try {
      Timeline::open(file.string());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::config);
      return error.what();
    }
    return "";
  }

 private:
  ScratchFolder folder_;
};

TEST_F(TimelineTest, IsAnArrayFromTheStartToTheEnd) {
  Timeline::open(file().string());
  const nlohmann::json written = nlohmann::json::parse(content_of(file()));
  ASSERT_EQ(written.size(), 1u);
  EXPECT_EQ(written[0]["name"], "process_name");
  EXPECT_EQ(written[0]["pid"], ::getpid());
}

TEST_F(TimelineTest, EventsNestAndKeepTheirFacts) {
  {
    const auto timeline = Timeline::open(file().string());
    Span outer(*timeline, "kernel", "Conv", Facts().add("device", "a:0").add("bytes", 12));
    { Span inner(*timeline, "copy", "copy", {}); }
    const std::vector<std::string> shapes = {"float32[2]", "int64[]"};
    outer.results().add("outputs", shapes);
  }
  const std::vector<Event> events = events_in(file());
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, "kernel");
  EXPECT_EQ(events[0].name, "Conv");
  EXPECT_EQ(events[0].facts, nlohmann::json::parse(R"({"device": "a:0", "bytes": 12,
                                                       "outputs": ["float32[2]", "int64[]"]})"));
  EXPECT_EQ(events[1].depth, 1u);
  EXPECT_LE(events[0].begin, events[1].begin);
  EXPECT_LE(events[1].end, events[0].end);
}

TEST_F(TimelineTest, TellsWhatWasUnderWayWhenAProcessEndedThere) {
  const auto timeline = Timeline::open(file().string());
  { Span before(*timeline, "kernel", "Relu", {}); }
  Span span(*timeline, "kernel", "Conv", {});
  // What a crash would leave: viewers read it as it is, others with the bracket that is missing.
  const nlohmann::json left = nlohmann::json::parse(content_of(file()) + "]");
  ASSERT_EQ(left.size(), 4u);
  EXPECT_EQ(left.back()["ph"], "B");
  EXPECT_EQ(left.back()["name"], "Conv");
}

TEST_F(TimelineTest, MarksWhatAnExceptionEnded) {
  const auto fail = [](Timeline& timeline) {
    Span span(timeline, "kernel", "Conv", {});
    throw std::runtime_error("no");
  };
  {
    const auto timeline = Timeline::open(file().string());
    EXPECT_THROW(fail(*timeline), std::runtime_error);
    Span fine(*timeline, "kernel", "Relu", {});
  }
  const std::vector<Event> events = events_in(file());
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].facts["outcome"], "failed");
  EXPECT_FALSE(events[1].facts.contains("outcome"));
}

TEST_F(TimelineTest, TakesAnyBytesForText) {
  constexpr char bytes[] =
      "quote \" slash \\ line \n nul \0 \x1f \x7f gr\xc3\xbc\xc3\x9f \xe2\x82\xac "
      "\xf0\x9f\x99\x82";
  const std::string text(bytes, sizeof(bytes) - 1);
  {
    const auto timeline = Timeline::open(file().string());
    Span whole(*timeline, "kernel", text, {});
    // No UTF-8: a lone byte, too long a form, half a pair, beyond Unicode, cut off.
    for (const char* wrong :
         {"\xff", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
          "\xf4\x90\x80\x80", "\xe2\x82", "\xf0\x9f", "\x80"}) {
      Span span(*timeline, "kernel", wrong, {});
    }
  }
  const std::vector<Event> events = events_in(file());
  ASSERT_EQ(events.size(), 10u);
  EXPECT_EQ(events[0].name, text);
  for (std::size_t i = 1; i < events.size(); ++i) {
    EXPECT_EQ(events[i].name.find("\xef\xbf\xbd"), 0u) << i;
    EXPECT_EQ(events[i].name.size() % 3, 0u) << i;
  }
}

TEST_F(TimelineTest, ReplacesWhatTheFileHeld) {
  std::ofstream(file()) << std::string(1000, 'x');
  Timeline::open(file().string());
  EXPECT_TRUE(events_in(file()).empty());
}

TEST_F(TimelineTest, IsSharedWithinAProcess) {
  {
    const auto one = Timeline::open(file().string());
    const auto other = Timeline::open((file().parent_path() / "." / "t.json").string());
    EXPECT_EQ(one, other);
  }
  const auto later = Timeline::open(file().string());
  EXPECT_EQ(nlohmann::json::parse(content_of(file()) + "]").size(), 1u) << "it begins anew";
}

TEST_F(TimelineTest, RefusesAFileThatCannotBeWritten) {
  EXPECT_EQ(refusal_of(file() / "deeper.json"), "cannot be written: No such file or directory");
  EXPECT_EQ(refusal_of(file().parent_path()), "cannot be written: Is a directory");
  const std::filesystem::path pipe = file().parent_path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(refusal_of(pipe), "cannot be written: it is not a regular file");
  EXPECT_EQ(refusal_of("/dev/full"), "cannot be written: it is not a regular file");
}

TEST_F(TimelineTest, SaysOnceThatAFileCanNoLongerBeWritten) {
  rlimit whole{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &whole), 0);
  const auto former = std::signal(SIGXFSZ, SIG_IGN);
  testing::internal::CaptureStderr();
  {
    const auto timeline = Timeline::open(file().string());
    const rlimit small{4096, whole.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    for (int i = 0; i < 100; ++i) Span span(*timeline, "kernel", "Conv", {});
    ::setrlimit(RLIMIT_FSIZE, &whole);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "switchyard [error] " + std::filesystem::weakly_canonical(file()).string() +
                " cannot be written: File too large; the timeline ends here\n");
  std::signal(SIGXFSZ, former);
  EXPECT_EQ(std::filesystem::file_size(file()), 4096u);
}

TEST_F(TimelineTest, RefusesAFileThatAnotherProcessWrites) {
  const int other = ::open(file().c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  EXPECT_EQ(refusal_of(file()), "is being written by another process");
  ::close(other);
  EXPECT_EQ(refusal_of(file()), "");
}

}  // namespace
}  // namespace switchyard::trace

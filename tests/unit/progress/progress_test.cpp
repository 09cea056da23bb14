// What a line of progress says, and when it is written.
#include <switchyard/progress.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "progress/progress_line.hpp"
#include "temporary_folder.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

const ProgressFacts kFacts{
    .epoch = 3, .epochs = 10, .done = 45, .total = 100, .loss = 0.31, .rate = 1234, .seconds = 12};

TEST(ProgressLineTest, TellsAllInOneLine) {
  EXPECT_EQ(progress_line(kFacts, 0), "epoch 3/10 45% loss 0.31 1234/s 00:12 left");
  // 42 columns are taken, two are for the gaps; 10 are left.
  EXPECT_EQ(progress_line(kFacts, 54), "epoch 3/10 ████▌      45% loss 0.31 1234/s 00:12 left");
  EXPECT_EQ(progress_line(kFacts, 48), progress_line(kFacts, 0));  // too narrow for a bar
}

TEST(ProgressLineTest, NeverReachesTheLastColumn) {
  for (std::size_t columns = 50; columns < 120; ++columns) {
    for (std::int64_t done = 0; done <= 100; ++done) {
      ProgressFacts facts = kFacts;
      facts.done = done;
      std::size_t width = 0;
      for (const char c : progress_line(facts, columns)) width += (c & 0xC0) != 0x80;
      EXPECT_LT(width, columns);
    }
  }
}

TEST(ProgressLineTest, TellsTheWholeTimeAtTheEnd) {
  ProgressFacts facts = kFacts;
  facts.done = 100;
  facts.is_over = true;
  facts.remark = "accuracy 0.91";
  EXPECT_EQ(progress_line(facts, 0), "epoch 3/10 100% loss 0.31 1234/s 00:12 accuracy 0.91");
}

TEST(ProgressLineTest, SaysHundredOnlyWhenAllIsDone) {
  ProgressFacts facts = kFacts;
  facts.total = 1000;
  facts.done = 999;
  EXPECT_THAT(progress_line(facts, 0), HasSubstr(" 99% "));
  facts.total = 0;
  EXPECT_THAT(progress_line(facts, 0), HasSubstr(" 100% "));
}

TEST(ProgressLineTest, WritesTimes) {
  EXPECT_EQ(time_text(0), "00:00");
  EXPECT_EQ(time_text(59.9), "00:59");
  EXPECT_EQ(time_text(754), "12:34");
  EXPECT_EQ(time_text(3723), "1:02:03");
  EXPECT_EQ(time_text(1e300), "99:59:59");
}

TEST(TrainingProgressTest, WritesALineAnEpochWhereThereIsNoTerminal) {
  const TemporaryFolder folder;
  std::FILE* file = std::fopen((folder.path() / "log").c_str(), "w");
  ASSERT_NE(file, nullptr);
  {
    TrainingProgress progress(2, 2, file);
    for (int epoch = 0; epoch < 2; ++epoch) {
      progress.begin_epoch(epoch);
      progress.advance(3, 1.0);
      progress.advance(1, 2.0);  // a mean over examples, not batches
      progress.end_epoch(epoch == 0 ? "" : "accuracy 0.5");
    }
  }
  std::fclose(file);
  EXPECT_THAT(bytes_in(folder.path() / "log"),
              MatchesRegex("epoch 1/2 100% loss 1.25 [0-9.]+/s 00:0[0-9]\n"
                           "epoch 2/2 100% loss 1.25 [0-9.]+/s 00:0[0-9] accuracy 0.5\n"));
}

TEST(TrainingProgressTest, TellsACallbackOfEachBatchAndOfTheEnd) {
  std::vector<TrainingStatus> told;
  TrainingProgress progress(3, 2, [&](const TrainingStatus& state) { told.push_back(state); });
  progress.begin_epoch(1);
  progress.advance(3, 1.0);
  progress.advance(1, 2.0);
  progress.end_epoch("accuracy 0.5");
  ASSERT_EQ(told.size(), 3u);
  EXPECT_EQ(told[0].epoch, 1);
  EXPECT_EQ(told[0].epochs, 3);
  EXPECT_EQ(told[0].batch, 1);
  EXPECT_EQ(told[0].batches, 2);
  EXPECT_EQ(told[0].loss, 1.0);
  EXPECT_EQ(told[1].loss, 1.25);
  EXPECT_GT(told[1].examples_per_second, 0);
  EXPECT_FALSE(told[1].is_over);
  EXPECT_TRUE(told[2].is_over);
  EXPECT_EQ(told[2].remark, "accuracy 0.5");
  EXPECT_THROW(TrainingProgress(1, 1, TrainingCallback()), Error);
}

}  // namespace
}  // namespace switchyard

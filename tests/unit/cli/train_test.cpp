#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <string>
#include <switchyard/error.hpp>

#include "cli/process/interruptible_work.hpp"
#include "cli/train/train_history.hpp"
#include "cli/train/train_settings.hpp"

namespace switchyard::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TrainSettings unusual() {
  TrainSettings settings;
  settings.epochs = 3;
  settings.learning_rate = 0.1 + 0.2;  // has no short text
  settings.seed = UINT64_MAX;
  settings.precision = "bfloat16";
  return settings;
}

TEST(TrainSettings, AreThoseGivenOrDefaults) {
  GivenTrainSettings given;
  given.epochs = 5;
  const TrainSettings settings = settings_from(given);
  EXPECT_EQ(settings.epochs, 5);
  EXPECT_EQ(settings.batch_size, TrainSettings().batch_size);
}

TEST(TrainSettings, ComeBackFromACheckpointExactly) {
  const TrainSettings settings = settings_from({}, "run", text_of(unusual()));
  EXPECT_EQ(settings.epochs, 3);
  EXPECT_EQ(settings.learning_rate, 0.1 + 0.2);
  EXPECT_EQ(settings.seed, UINT64_MAX);
  EXPECT_EQ(settings.precision, "bfloat16");
}

TEST(TrainSettings, OfARunThatGoesOnCannotChange) {
  GivenTrainSettings given;
  given.epochs = 3;
  EXPECT_EQ(settings_from(given, "run", text_of(unusual())).epochs, 3);
  given.precision = "float32";
  try {
    settings_from(given, "run", text_of(unusual()));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_THAT(error.what(), HasSubstr("--precision float32: the run to go on with has bfloat16"));
  }
}

TEST(TrainSettings, RefuseATextThatHoldsNone) {
  for (const char* text : {"", "{}", "[1]", "{\"epochs\": \"many\"}", "{\"epochs\""}) {
    SCOPED_TRACE(text);
    EXPECT_THROW(settings_from({}, "run", text), Error);
  }
}

/// What is said of a checkpoint "run.ckpt" whose settings have this in the place of one of them.
std::string error_with(const std::string& right, const std::string& wrong) {
  std::string text = text_of(TrainSettings());
  const std::size_t at = text.find(right);
  EXPECT_NE(at, std::string::npos) << text;
  text.replace(at, right.size(), wrong);
  try {
    settings_from({}, "run.ckpt", text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::model);
    EXPECT_THAT(error.what(), Not(HasSubstr("json.exception")));
    return error.what();
  }
  return "no error";
}

TEST(TrainSettings, NameFileAndKeyAndWhatIsExpected) {
  EXPECT_EQ(
      error_with("\"epochs\":8", "\"epochs\":-3"),
      "run.ckpt: 'epochs' of its metadata entry 'settings' is -3; it must be an integer from 1 to "
      "100000: give a checkpoint that `switchyard train` wrote");
  EXPECT_THAT(error_with("\"epochs\":8", "\"epochs\":\"many\""), HasSubstr("is \"many\""));
  EXPECT_THAT(error_with("\"epochs\":8", "\"epochs\":18446744073709551615"),
              HasSubstr("is 18446744073709551615"));
  EXPECT_THAT(error_with("\"epochs\":8,", ""), HasSubstr("has no 'epochs'"));
  EXPECT_THAT(error_with("\"batch-size\":128", "\"batch-size\":0"), HasSubstr("from 2 to"));
  EXPECT_THAT(error_with("\"batch-size\":128", "\"batch-size\":2.5"), HasSubstr("is 2.5"));
  EXPECT_THAT(error_with("\"learning-rate\":0.01", "\"learning-rate\":1e999"),
              HasSubstr("run.ckpt: "));
  EXPECT_THAT(error_with("\"seed\":0", "\"seed\":-1"), HasSubstr("'seed' of its metadata entry"));
  EXPECT_THAT(error_with("\"float32\"", "\"int8\""),
              HasSubstr("is \"int8\"; it must be one of float32, bfloat16, float16"));
  EXPECT_THAT(error_with("{", "[{"),
              HasSubstr("its metadata entry 'settings' is not a JSON object"));
}

TEST(TrainHistory, NamesFileAndKeyAndWhatIsExpected) {
  const auto error = [](const std::string& text) {
    try {
      history_from("run.ckpt", text);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  constexpr const char* kRest = R"(, "loss_sum": 0, "examples": 0})";
  EXPECT_THAT(error(""), HasSubstr("run.ckpt: it has no metadata entry 'history'"));
  EXPECT_THAT(
      error(std::string(R"({"losses": [1, "x"], "accuracies": [])") + kRest),
      HasSubstr("'losses' of its metadata entry 'history' is [1,\"x\"]; it must be a list"));
  EXPECT_THAT(error(std::string(R"({"losses": [1, 2], "accuracies": [0.5])") + kRest),
              HasSubstr("'accuracies' of its metadata entry 'history' is a list of 1"));
  EXPECT_THAT(error(R"({"losses": [], "accuracies": [], "loss_sum": 0, "examples": -1})"),
              HasSubstr("'examples' of its metadata entry 'history' is -1"));
}

TEST(TrainHistory, AveragesOverExamples) {
  TrainHistory history;
  history.add_batch(3, 1.0);
  history.add_batch(1, 2.0);
  history.end_epoch(0.5);
  history.add_batch(2, 4.0);
  history.end_epoch(0.75);
  EXPECT_THAT(history.losses, ElementsAre(1.25, 4.0));
  EXPECT_THAT(history.accuracies, ElementsAre(0.5, 0.75));
}

TEST(TrainHistory, ComesBackFromACheckpointExactly) {
  TrainHistory history;
  history.add_batch(7, 1.0 / 3);
  history.end_epoch(0.1);
  history.add_batch(3, 0.1);
  const TrainHistory back = history_from("run", text_of(history));
  EXPECT_EQ(back.losses, history.losses);
  EXPECT_EQ(back.accuracies, history.accuracies);
  EXPECT_EQ(back.loss_sum, history.loss_sum);
  EXPECT_EQ(back.examples, 3);
}

TEST(TrainHistory, KeepsALossThatIsNoNumber) {
  TrainHistory history;
  history.add_batch(1, NAN);
  const TrainHistory back = history_from("run", text_of(history));
  EXPECT_TRUE(std::isnan(back.loss_sum));
}

TEST(TrainHistory, RefusesATextThatHoldsNone) {
  for (const char* text : {"", "{}", "[]", "{\"losses\": 3}"}) {
    SCOPED_TRACE(text);
    EXPECT_THROW(history_from("run", text), Error);
  }
}

TEST(InterruptibleWork, NotesTheFirstInterruptAndLeavesTheSecond) {
  struct sigaction before = {};
  sigaction(SIGINT, nullptr, &before);
  handle_interrupts();
  {
    const InterruptibleWork work;
    EXPECT_FALSE(work.is_interrupted());
    std::raise(SIGINT);
    EXPECT_TRUE(work.is_interrupted());
    EXPECT_EXIT(std::raise(SIGINT), testing::ExitedWithCode(130), "switchyard: interrupted");
  }
  EXPECT_FALSE(InterruptibleWork().is_interrupted());
  EXPECT_EXIT(std::raise(SIGINT), testing::ExitedWithCode(130), "switchyard: interrupted");
  sigaction(SIGINT, &before, nullptr);
}

}  // namespace
}  // namespace switchyard::cli

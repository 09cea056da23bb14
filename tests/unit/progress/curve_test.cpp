// Learning curves as pictures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <switchyard/progress.hpp>

#include "io/error_line.hpp"
#include "progress/axis.hpp"
#include "temporary_folder.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> texts_of(const Axis& axis) {
  std::vector<std::string> texts;
  for (const double mark : axis.marks()) texts.push_back(axis.text(mark));
  return texts;
}

TEST(AxisTest, MarksRoundNumbers) {
  EXPECT_THAT(texts_of(Axis::around(0, 1, 5)),
              ElementsAre("0.0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(texts_of(Axis::around(1, 10, 5, true)), ElementsAre("2", "4", "6", "8", "10"));
  EXPECT_THAT(texts_of(Axis::around(1, 3, 8, true)), ElementsAre("1", "2", "3"));
  EXPECT_THAT(texts_of(Axis::around(-0.3, 0.3, 3)), ElementsAre("-0.2", "0.0", "0.2"));
  EXPECT_THAT(texts_of(Axis::around(0, 4e6, 4)),
              ElementsAre("0", "1e+06", "2e+06", "3e+06", "4e+06"));
}

TEST(AxisTest, MakesRoomAroundASingleValue) {
  for (const double value : {0.0, 5.0, -1e-20, 1e300}) {
    const Axis axis = Axis::around(value, value, 4);
    EXPECT_LT(axis.low, value);
    EXPECT_GT(axis.high, value);
    EXPECT_FALSE(axis.marks().empty());
    EXPECT_LT(axis.marks().size(), 12u);
  }
}

class CurveTest : public testing::Test {
 protected:
  std::string picture_of(const std::vector<CurveSeries>& series, const CurveLabels& labels = {}) {
    save_curve(path_, series, labels);
    return bytes_in(path_);
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "curve.svg";
};

TEST_F(CurveTest, DrawsASeriesBetweenItsExtremes) {
  const std::string picture = picture_of({{"train", {1, 0}}, {"test", {0.5, 0.5}, {1, 2}}},
                                         {"Loss & more", "epoch", "loss"});
  EXPECT_THAT(picture, testing::StartsWith("<svg xmlns="));
  EXPECT_THAT(picture, testing::EndsWith("</svg>\n"));
  // A margin of 5 % above and below: 296 units for 1.1.
  EXPECT_THAT(picture, HasSubstr("d=\"M64.0 65.5L620.0 334.5\" stroke=\"#0072b2\""));
  EXPECT_THAT(picture, HasSubstr("d=\"M64.0 200.0L620.0 200.0\" stroke=\"#d55e00\""));
  for (const char* text : {">train<", ">test<", ">Loss &amp; more<", ">epoch<", ">loss<"}) {
    EXPECT_THAT(picture, HasSubstr(text));
  }
}

TEST_F(CurveTest, LeavesGapsAndShowsLonelyPoints) {
  const double nan = std::nan("");
  const std::string picture = picture_of({{"a", {0, 1, nan, 1, INFINITY, 0, 1}}});
  EXPECT_THAT(picture, HasSubstr("<circle"));
  EXPECT_THAT(picture, Not(HasSubstr("nan")));
  EXPECT_THAT(picture, Not(HasSubstr("inf")));
}

TEST_F(CurveTest, DrawsAxesWhereThereIsNothingElse) {
  for (const auto& series : {std::vector<CurveSeries>{}, std::vector<CurveSeries>{{"a", {NAN}}},
                             std::vector<CurveSeries>{{"a", {}}}}) {
    const std::string picture = picture_of(series);
    EXPECT_THAT(picture, HasSubstr(">0.0<"));
    EXPECT_THAT(picture, Not(HasSubstr("nan")));
  }
}

TEST_F(CurveTest, RefusesPositionsThatDoNotFit) {
  EXPECT_THAT(error_line([&] {
                picture_of({{"a", {1, 2}, {1}}});
              }),
              HasSubstr("the curve 'a' has 1 x for 2 values"));
  EXPECT_THAT(error_line([&] { save_curve(folder_.path() / "no" / "c.svg", {}); }),
              HasSubstr("cannot write it"));
}

}  // namespace
}  // namespace switchyard

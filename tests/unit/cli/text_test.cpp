// Tables, quantities and the progress bar: text that people see.
#include <gtest/gtest.h>

#include "cli/terminal/progress_bar.hpp"
#include "cli/terminal/quantity.hpp"
#include "cli/terminal/terminal.hpp"
#include "cli/terminal/text_table.hpp"

namespace switchyard::cli {
namespace {

TEST(TextTable, AlignsColumnsAndDropsBlanksAtTheEnd) {
  TextTable table({{"op"}, {"count", true}, {"why"}});
  table.add({"Conv", "7", "none"});
  table.add({"Softmax", "1234567"});
  EXPECT_EQ(table.text(1),
            " op         count  why\n"
            " Conv           7  none\n"
            " Softmax  1234567\n");
}

// Names come out of models, and a model may come from anywhere.
TEST(Printable, LetsColoursPassAndNothingElseThatSteersATerminal) {
  const std::string text =
      "\x1b[31mred\x1b[0m\t\x1b[2J\x1b]0;title\x07 \x9b"
      "1m\n";
  EXPECT_EQ(printable(text, true), "\x1b[31mred\x1b[0m\t?[2J?]0;title? ?1m\n");
  EXPECT_EQ(printable(text, false), "?[31mred?[0m\t?[2J?]0;title? ?1m\n");
  EXPECT_EQ(printable("\x1b", true), "?");
}

TEST(TextTable, MeasuresWhatIsSeen) {
  EXPECT_EQ(display_width("\x1b[31mred\x1b[0m"), 3u);
  EXPECT_EQ(display_width("\u00b5s \u2588"), 4u);
  EXPECT_EQ(display_width("\x1b["), 0u);
  TextTable table({{"a"}, {"b"}});
  table.add({"\u00e9\u00e9", "x"});
  table.add({"yyy", "x"});
  EXPECT_EQ(table.text(0), "a    b\n\u00e9\u00e9   x\nyyy  x\n");
}

TEST(Quantity, BytesHaveTheUnitThatFits) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(std::uint64_t{3} << 30), "3.0 GiB");
  EXPECT_EQ(bytes_text(std::uint64_t{1} << 60), "1048576.0 TiB");
}

TEST(Quantity, TimesHaveThreeDigits) {
  EXPECT_EQ(time_text(0.0421), "0.042 ms");
  EXPECT_EQ(time_text(1.234), "1.23 ms");
  EXPECT_EQ(time_text(12.34), "12.3 ms");
  EXPECT_EQ(time_text(345.6), "346 ms");
  EXPECT_EQ(time_text(2500), "2.50 s");
}

TEST(Quantity, ShapesNameUnknownExtents) {
  EXPECT_EQ(shape_text({1, -1, 28}), "1x?x28");
  EXPECT_EQ(shape_text({}), "scalar");
  EXPECT_EQ(shape_text({0}), "0");
}

TEST(Quantity, TheMedianIsTheMiddle) {
  EXPECT_EQ(median(std::vector<double>{5, 1, 3}), 3);
  EXPECT_EQ(median(std::vector<double>{5, 1, 3, 4}), 3.5);
  EXPECT_EQ(median(std::vector<double>{2}), 2);
  EXPECT_EQ(smallest(std::vector<double>{5, 1, 3}), 1);
}

TEST(ProgressBar, FillsUp) {
  EXPECT_EQ(ProgressBar::line(1, 2, "next", 80), "[###############               ] 1/2 next");
  EXPECT_EQ(ProgressBar::line(0, 0, "", 80), "[##############################] 0/0 ");
}

TEST(ProgressBar, StaysWithinItsLine) {
  EXPECT_EQ(ProgressBar::line(1, 2, "a long name", 40).size(), 39u);
  EXPECT_EQ(ProgressBar::line(1, 2, "a", 0), "");
}

TEST(Paint, IsPlainWhereThereIsNoTerminal) {
  std::FILE* file = std::tmpfile();
  EXPECT_EQ(paint(Colour::red, "x", file), "x");
  EXPECT_EQ(terminal_columns(file), 0u);
  std::fclose(file);
}

}  // namespace
}  // namespace switchyard::cli

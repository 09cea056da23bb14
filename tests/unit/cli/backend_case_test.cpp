// Folders in the layout of ONNX's backend tests.
#include "cli/verify/backend_case.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <switchyard/error.hpp>

#include "temporary_folder.hpp"

namespace switchyard::cli {
namespace {

namespace fs = std::filesystem;

class BackendCases : public ::testing::Test {
 protected:
  void add(const std::string& file) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << "x";
  }

  const TemporaryFolder folder_;
  const fs::path& root_ = folder_.path();
};

TEST_F(BackendCases, AreFoundAtAnyDepthByName) {
  add("node/test_b/model.onnx");
  add("node/test_a/model.onnx");
  add("simple/deep/test_c/test_data_set_0/input_0.pb");
  add("real/test_link/data.json");
  const auto cases = find_cases(root_);
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_EQ(cases[0].name, "test_a");
  EXPECT_EQ(cases[1].name, "test_b");
  EXPECT_EQ(cases[2].name, "test_c");
  EXPECT_TRUE(cases[0].model);
  EXPECT_FALSE(cases[2].model);
}

TEST_F(BackendCases, FilesGoByTheirNumber) {
  for (const char* file : {"input_10.pb", "input_2.pb", "output_0.pb", "input_x.pb", "input_1.txt",
                           "output_1.pb.bak", "input_.pb", "notes"}) {
    add(std::string("test_data_set_0/") + file);
  }
  add("model.onnx");
  const auto cases = find_cases(root_.string() + "/");
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].name, root_.filename());
  ASSERT_EQ(cases[0].data_sets.size(), 1u);
  const TestDataSet& set = cases[0].data_sets[0];
  ASSERT_EQ(set.inputs.size(), 2u);
  EXPECT_EQ(set.inputs[0].first, 2u);
  EXPECT_EQ(set.inputs[1].first, 10u);
  ASSERT_EQ(set.outputs.size(), 1u);
}

TEST_F(BackendCases, AFolderThatIsNotThereIsAnError) {
  try {
    find_cases(root_ / "none");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_NE(std::string(error.what()).find("none: No such file"), std::string::npos)
        << error.what();
  }
}

TEST_F(BackendCases, AFolderMayHoldNone) {
  add("notes/a.txt");
  EXPECT_TRUE(find_cases(root_).empty());
}

}  // namespace
}  // namespace switchyard::cli

// Small models from beginning to end under the order mps, cpu, on the software Metal device: the
// right outputs, and each op on the device that models_on_mps.txt says. An op that falls back
// without anybody's notice changes a number there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <switchyard/model.hpp>
#include <vector>

#include "cli/values/host_values.hpp"
#include "cli/verify/case_result.hpp"
#include "onnx/files/value_file.hpp"
#include "test_folders.hpp"

#ifdef __linux__

namespace switchyard {
namespace {

namespace fs = std::filesystem;

// A line of models_on_mps.txt.
struct Row {
  std::string folder;     // of ../shared/models
  std::string tolerance;  // as in tests/models/models.txt
  std::string outcome;    // "cpu:0=1 mps:0=8 views=2 host=0 fallbacks: Conv=1 Gemm=2"
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.folder; }

std::vector<Row> read_rows() {
  std::ifstream file(fs::path(SWITCHYARD_SOURCE_DIR) / "tests/routing/models_on_mps.txt");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    Row row;
    std::istringstream words(line);
    words >> row.folder >> row.tolerance >> std::ws;
    std::getline(words, row.outcome);
    rows.push_back(row);
  }
  return rows;
}

cli::ToleranceOptions tolerance_of(const std::string& word) {
  cli::ToleranceOptions options;
  options.absolute = 1e-5;
  options.peak = word == "loose" ? 1e-3 : 1e-4;
  if (word == "one_step") options.quantization_steps = 1;
  if (word.rfind("atol:", 0) == 0) {
    options.relative = 0;
    options.peak.reset();
    options.absolute = std::atof(word.c_str() + 5);
  }
  return options;
}

Runtime start_software() {
  std::ifstream file(fs::path(SWITCHYARD_BUILD_DIR) / "config/software-metal.toml");
  std::ostringstream text;
  text << "[host]\nlog_level = \"error\"\n" << file.rdbuf();
  return Runtime::from_text(text.str());
}

std::vector<NamedValue> inputs_of(const Model& model, const cli::TestDataSet& set) {
  std::vector<NamedValue> inputs;
  for (const auto& [number, file] : set.inputs) {
    const Port& port = model.inputs().at(number);
    Value declared;
    declared.name = port.name;
    declared.dtype = port.dtype;
    inputs.push_back({port.name, cli::to_tensor(read_value_pb(file, declared).tensor())});
  }
  return inputs;
}

// What one run came to, in the form of the table.
std::string outcome_of(const Runtime& runtime, const cli::BackendCase& test) {
  const Model model = Model::load(runtime, *test.model);
  const std::vector<NamedValue> inputs = inputs_of(model, test.data_sets.at(0));
  runtime.reset_fallbacks();
  RunReport report;
  cli::bring_to_host(model.run(inputs, {.report = &report}));
  std::string text;
  for (const auto& [device, count] : report.placement) text += fmt::format("{}={} ", device, count);
  text += fmt::format("views={} host={} fallbacks:", report.views, report.host_work);
  std::map<std::string, std::uint64_t> fallbacks;
  for (const FallbackInfo& fallback : runtime.fallbacks()) fallbacks[fallback.op] += fallback.count;
  for (const auto& [op, count] : fallbacks) text += fmt::format(" {}={}", op, count);
  return text + (fallbacks.empty() ? " none" : "");
}

class ModelsOnMps : public testing::TestWithParam<Row> {};

INSTANTIATE_TEST_SUITE_P(Shared, ModelsOnMps, testing::ValuesIn(read_rows()),
                         [](const auto& info) { return info.param.folder; });

TEST_P(ModelsOnMps, RunRightAndWhereTheTableSays) {
  const Row& row = GetParam();
  const fs::path models = fs::path(SWITCHYARD_SHARED_FOLDER) / "models";
  if (!fs::is_directory(models)) GTEST_SKIP() << "there are no models in " << models;
  if (!fs::exists(models / row.folder / "model.onnx")) {
    const char* required = std::getenv("SWITCHYARD_REQUIRE_DATA");
    ASSERT_FALSE(required != nullptr && std::string(required) == "1") << "no " << row.folder;
    GTEST_SKIP() << "there is no " << models / row.folder;
  }
  const Runtime runtime = start_software();
  const std::vector<cli::BackendCase> cases = cli::find_cases(models / row.folder);
  ASSERT_EQ(cases.size(), 1u);
  const cli::CaseResult result = cli::verify_case(runtime, cases[0], tolerance_of(row.tolerance));
  EXPECT_EQ(cli::word_for(result.status), "pass") << result.reason;
  EXPECT_EQ(outcome_of(runtime, cases[0]), row.outcome);
}

TEST(ModelsOnMpsTable, HasModels) { EXPECT_GT(read_rows().size(), 5u); }

}  // namespace
}  // namespace switchyard

#endif

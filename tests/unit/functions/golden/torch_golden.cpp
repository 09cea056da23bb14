#include "functions/golden/torch_golden.hpp"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <switchyard/error.hpp>

#include "test_folders.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

struct Golden {
  std::string dtype;
  Dims shape;
  std::vector<double> values;
};

/// Lines of the form `name | dtype | extents | values`.
std::map<std::string, Golden> read_golden(const std::string& name) {
  std::ifstream file(std::string(SWITCHYARD_SOURCE_DIR) + "/tests/unit/functions/golden/" + name);
  std::map<std::string, Golden> result;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string key, bar, word;
    words >> key >> bar;
    Golden& golden = result[key];
    words >> golden.dtype >> bar;
    while (words >> word && word != "|") golden.shape.push_back(std::stoll(word));
    while (words >> word) golden.values.push_back(std::strtod(word.c_str(), nullptr));
  }
  return result;
}

bool is_near(double value, double expected, double tolerance) {
  if (std::isnan(expected)) return std::isnan(value);
  if (std::isinf(expected)) return value == expected;
  return std::abs(value - expected) <= tolerance * (1 + std::abs(expected));
}

void compare(const Tensor& result, const Golden& golden, double tolerance) {
  EXPECT_EQ(name_of(result.dtype()), golden.dtype);
  ASSERT_EQ(describe(result.shape()), describe(golden.shape));
  const std::vector<double> values = result.detach().to(DType::float64).to_vector<double>();
  ASSERT_EQ(values.size(), golden.values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_TRUE(is_near(values[i], golden.values[i], tolerance))
        << "element " << i << " is " << values[i] << ", PyTorch has " << golden.values[i];
  }
}

}  // namespace

void check_golden(const std::string& file, const GoldenCases& cases, double tolerance) {
  check_golden_part(file, "", cases, tolerance);
}

void check_golden_part(const std::string& file, const std::string& prefix, const GoldenCases& cases,
                       double tolerance) {
  std::map<std::string, Golden> golden = read_golden(file);
  std::erase_if(golden, [&](const auto& line) { return !line.first.starts_with(prefix); });
  EXPECT_FALSE(golden.empty()) << file << ": " << prefix;
  for (const auto& [name, expected] : golden) EXPECT_TRUE(cases.count(name)) << name;
  for (const auto& [name, compute] : cases) {
    SCOPED_TRACE(name);
    const auto found = golden.find(name);
    if (found == golden.end()) {
      ADD_FAILURE() << "no line in " << file;
      continue;
    }
    try {
      compare(compute(), found->second, tolerance);
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

}  // namespace switchyard

// Takes each barrier out of our kernels, one at a time, and wants the tests of their ops to find it
// out: by a wrong result or by a fault. A barrier that nobody misses is one that the tests do not
// need, or nobody does; equivalent.txt lists the latter with the reason.
//
//   switchyard_mps_barriers TESTS EQUIVALENT
//
// TESTS is the program with the tests, EQUIVALENT the list.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/sources.hpp"
#include "software/compile/process.hpp"
#include "software/mutant.hpp"

namespace {

using mps::software::test::Barrier;

constexpr int seeds = 3;

// Which tests run the kernels of a source; of one that is not here, all.
struct Tests {
  const char* source;
  const char* filter;
};
constexpr Tests tests[] = {{"attention.metal", "*Attention*"},
                           {"batch_moments.metal", "BatchOf*"},
                           {"channel_gradient.metal", "*ChannelGradient*"},
                           {"line.metal", "*Line*"},
                           {"loss.metal", "*Loss*"},
                           {"moments.metal", "*Moments*"},
                           {"sort.metal", "*Top*"},
                           {"recurrent.metal", "*Recurrent*"},
                           {"running_sum.metal", "*Line*"},
                           {"reduction.metal", "*Reduc*"},
                           {"small_product.metal", "*Product*"},
                           {"layer_gradient.metal", "*LayerGradient*"},
                           {"softmax_gradient.metal", "*SoftmaxGradient*"}};

std::string filter_of(const std::string& source) {
  for (const Tests& known : tests) {
    if (source == known.source) return known.filter;
  }
  return "*";
}

struct Mutant {
  std::string source;
  size_t number = 0;    // of its barrier
  std::string follows;  // the first line of code after it
};

// The line of `position` in a text, and those around it.
std::string surroundings(std::string_view text, size_t position) {
  size_t begin = position, end = position;
  for (int i = 0; i < 4 && begin > 0; ++i) begin = text.rfind('\n', begin - 1);
  for (int i = 0; i < 4 && end != text.npos; ++i) end = text.find('\n', end + 1);
  return std::string(text.substr(begin + 1, end - begin - 1));
}

// The first line with code after a position.
std::string next_line(std::string_view text, size_t position) {
  const size_t begin = text.find_first_not_of(" \n", text.find('\n', position));
  return std::string(text.substr(begin, text.find('\n', begin) - begin));
}

// A barrier of a header counts once, though several sources hold its text.
std::vector<Mutant> all_mutants() {
  std::vector<Mutant> mutants;
  std::set<std::string> known;
  for (const mps::seam::Source& source : mps::kernel_sources()) {
    const std::vector<Barrier> barriers = mps::software::test::barriers_of(source.text);
    for (size_t i = 0; i < barriers.size(); ++i) {
      if (!known.insert(surroundings(source.text, barriers[i].begin)).second) continue;
      mutants.push_back({source.name, i, next_line(source.text, barriers[i].end)});
    }
  }
  return mutants;
}

// True if a test fails.
bool is_found_out(const std::string& program, const std::string& source, size_t number, int seed) {
  const std::string value = source + ":" + std::to_string(number) + ":" + std::to_string(seed);
  setenv("SWITCHYARD_MPS_MUTANT", value.c_str(), 1);
  const int status = mps::software::run_process({program, "--gtest_brief=1", "--gtest_fail_fast",
                                                 "--gtest_filter=" + filter_of(source)})
                         .status;
  unsetenv("SWITCHYARD_MPS_MUTANT");
  return status != 0;
}

// A source whose tests fail with all its barriers too tells nothing.
bool passes_whole(const std::string& program, const std::string& source) {
  constexpr size_t none = 1'000'000;
  const bool passes = !is_found_out(program, source, none, 1);
  if (!passes) std::cout << source << ": its tests fail with all barriers too" << std::endl;
  return passes;
}

// Lines "SOURCE BARRIER reason"; others are comments.
bool is_equivalent(const std::string& list, const Mutant& mutant) {
  std::ifstream lines(list);
  std::string source;
  size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    if (words >> source >> number && source == mutant.source && number == mutant.number) {
      return true;
    }
  }
  return false;
}

bool examine(const std::string& program, const std::string& list, const Mutant& mutant) {
  int seed = 1;
  while (seed <= seeds && !is_found_out(program, mutant.source, mutant.number, seed)) ++seed;
  const bool is_found = seed <= seeds;
  const bool is_listed = is_equivalent(list, mutant);
  std::cout << mutant.source << " " << mutant.number << ", before `" << mutant.follows << "`: "
            << (is_found ? "found out with seed " + std::to_string(seed) : "found out by nobody")
            << (is_listed ? ", listed as equivalent" : "")
            << (is_found != is_listed ? "" : "  <-- WRONG") << std::endl;
  return is_found != is_listed;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: switchyard_mps_barriers TESTS EQUIVALENT\n";
    return 2;
  }
  const std::vector<Mutant> mutants = all_mutants();
  size_t wrong = 0;
  for (const Mutant& mutant : mutants) wrong += !examine(arguments[1], arguments[2], mutant);
  std::set<std::string> sources;
  for (const Mutant& mutant : mutants) sources.insert(mutant.source);
  for (const std::string& source : sources) wrong += !passes_whole(arguments[1], source);
  std::cout << mutants.size() << " barriers in " << sources.size() << " sources, " << wrong
            << " wrong\n";
  return wrong == 0 && !mutants.empty() ? 0 : 1;
}

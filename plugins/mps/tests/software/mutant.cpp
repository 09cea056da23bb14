#include "mutant.hpp"

#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "kernels/sources.hpp"
#include "runtime/forwarding_device.hpp"
#include "runtime/table.hpp"
#include "software/test_device.hpp"

namespace mps::software::test {
namespace {

// A device that compiles one of our sources otherwise.
class MutantDevice final : public runtime_tests::ForwardingDevice {
 public:
  MutantDevice(seam::Ref<seam::Device> whole, std::string name, std::string text)
      : ForwardingDevice(std::move(whole)), name_(std::move(name)), text_(std::move(text)) {}

  seam::Ref<seam::Library> library(const seam::Source& source) override {
    if (source.name != name_) return ForwardingDevice::library(source);
    return ForwardingDevice::library({name_, text_, source.fast_math});
  }

 private:
  const std::string name_;
  const std::string text_;
};

const seam::Source& source_called(const std::string& name) {
  for (const seam::Source& source : kernel_sources()) {
    if (source.name == name) return source;
  }
  throw std::runtime_error("no kernels called " + name);
}

constexpr const char* variable = "SWITCHYARD_MPS_MUTANT";

seam::Ref<seam::Device> open_what_the_environment_says() {
  std::istringstream words(std::getenv(variable));
  std::string source;
  size_t barrier = 0;
  uint64_t seed = 0;
  char colon = 0;
  std::getline(words, source, ':');
  words >> barrier >> colon >> seed;
  if (!words) throw std::runtime_error(std::string(variable) + " is not SOURCE:BARRIER:SEED");
  return open_mutant(source, barrier, seed);
}

const bool is_wanted = [] {
  if (std::getenv(variable) == nullptr) return false;
  runtime_tests::OpenDevice::stand_in = open_what_the_environment_says;
  return true;
}();

}  // namespace

std::vector<Barrier> barriers_of(std::string_view text) {
  constexpr std::string_view call = "group_barrier(";
  std::vector<Barrier> found;
  for (size_t at = text.find(call); at != text.npos; at = text.find(call, at + 1)) {
    const size_t begin = text.find_last_of(" ;{}\n", at) + 1;
    found.push_back({begin, text.find(';', at)});
  }
  return found;
}

std::string without(std::string_view text, const Barrier& barrier) {
  std::string result(text.substr(0, barrier.begin));
  for (size_t i = barrier.begin; i < barrier.end; ++i) result += text[i] == '\n' ? '\n' : ' ';
  return result.append(text.substr(barrier.end));
}

seam::Ref<seam::Device> open_mutant(const std::string& source, size_t barrier, uint64_t seed) {
  const std::string_view text = source_called(source).text;
  const std::vector<Barrier> barriers = barriers_of(text);
  Settings wanted = settings();
  wanted.seed = seed;
  // The line at the end makes it a text of its own, which is compiled like a mutant's.
  const std::string changed =
      barrier < barriers.size() ? without(text, barriers[barrier]) : std::string(text) + "\n";
  return std::make_shared<MutantDevice>(open(wanted), source, changed);
}

}  // namespace mps::software::test

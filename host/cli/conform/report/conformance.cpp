#include "cli/conform/report/conformance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>

#include "cli/terminal/terminal.hpp"
#include "error/plain_text.hpp"
#include "files/regular_file.hpp"
#include "plugin_loader/plugin_table.hpp"
#include "plugin_loader/sha256.hpp"

namespace switchyard::cli::conform {
namespace {

constexpr CaseStatus kStatuses[] = {CaseStatus::passed, CaseStatus::failed, CaseStatus::crashed,
                                    CaseStatus::hung, CaseStatus::skipped};

bool is_broken(const CaseResult& result) {
  return result.status != CaseStatus::passed && result.status != CaseStatus::skipped;
}

/// "FAIL ": as wide as each other.
std::string_view label_of(CaseStatus status) {
  switch (status) {
    case CaseStatus::passed: return "pass ";
    case CaseStatus::failed: return "FAIL ";
    case CaseStatus::crashed: return "CRASH";
    case CaseStatus::hung: return "HANG ";
    case CaseStatus::skipped: return "skip ";
  }
  return "";
}

/// Reasons without what follows a colon, which differs from case to case.
std::string kind_of_reason(const std::string& reason) { return reason.substr(0, reason.find(':')); }

}  // namespace

std::size_t Conformance::count(CaseStatus status) const {
  return static_cast<std::size_t>(
      std::count_if(results.begin(), results.end(),
                    [status](const CaseResult& result) { return result.status == status; }));
}

bool Conformance::conforms() const {
  return errors.empty() && std::none_of(results.begin(), results.end(), is_broken);
}

void judge(Conformance& conformance) {
  if (conformance.results.empty()) {
    conformance.errors.emplace_back("no case of that name; --list shows them");
    return;
  }
  bool has_run = false, claims_ops = false, has_run_kernels = false;
  for (const CaseResult& result : conformance.results) {
    claims_ops = claims_ops || result.name.starts_with("kernels/");
    if (result.status != CaseStatus::passed) continue;
    has_run = has_run || result.device_work > 0;
    has_run_kernels = has_run_kernels || result.kernel_runs > 0;
  }
  if (!has_run) {
    conformance.errors.emplace_back(
        "no case passed in which the device has run anything, so nothing is shown");
  } else if (claims_ops && !has_run_kernels) {
    conformance.errors.emplace_back(
        "the device has run none of the ops that it claims, so nothing is shown of them");
  }
}

std::string sha256_of(const std::filesystem::path& file) try {
  constexpr std::size_t most = std::size_t{4} << 30;
  const std::string bytes = RegularFile::to_read(file).read(most);
  Sha256 digest;
  digest.update(bytes.data(), bytes.size());
  return digest.finish();
} catch (const std::system_error& error) {
  throw Error(kind_of(error.code()), fmt::format("{}: {}; name the file of a plugin", file.string(),
                                                 error.code().message()));
}

std::string line_of(const CaseResult& result) {
  if (!is_broken(result)) return "";
  return fmt::format("{} {}\n", paint(Colour::red, label_of(result.status)),
                     plain_line(fmt::format("{}: {}", result.name, result.reason)));
}

std::string summary_of(const Conformance& conformance) {
  std::map<std::string, std::size_t> skips;
  for (const CaseResult& result : conformance.results) {
    if (result.status == CaseStatus::skipped) ++skips[kind_of_reason(result.reason)];
  }
  std::string text;
  for (const auto& [reason, count] : skips) {
    text +=
        fmt::format("{} {:>4}  {}\n", paint(Colour::yellow, "skip "), count, plain_line(reason));
  }
  std::uint64_t runs = 0;
  for (const CaseResult& result : conformance.results) runs += result.kernel_runs;
  text +=
      fmt::format("{} passed, {} failed, {} crashed, {} hung, {} skipped of {}; {} kernel runs\n",
                  conformance.count(CaseStatus::passed), conformance.count(CaseStatus::failed),
                  conformance.count(CaseStatus::crashed), conformance.count(CaseStatus::hung),
                  conformance.count(CaseStatus::skipped), conformance.results.size(), runs);
  return text;
}

Json to_json(const Conformance& conformance) {
  Json cases = Json::array(), accuracy = Json::array();
  for (const CaseResult& result : conformance.results) {
    Json one = to_json(result);
    for (Json& row : one["accuracy"]) accuracy.push_back(std::move(row));
    one.erase("accuracy");
    cases.push_back(std::move(one));
  }
  Json json = {{"plugin", conformance.library},
               {"sha256", conformance.sha256},
               {"abi", version_text(SY_ABI_VERSION)},
               {"device", conformance.device},
               {"conforms", conformance.conforms()}};
  for (const CaseStatus status : kStatuses) {
    json[std::string(word_for(status))] = conformance.count(status);
  }
  json["cases"] = std::move(cases);
  json["accuracy"] = std::move(accuracy);
  json["errors"] = conformance.errors;
  return json;
}

}  // namespace switchyard::cli::conform

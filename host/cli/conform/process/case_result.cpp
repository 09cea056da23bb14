#include "cli/conform/process/case_result.hpp"

#include <array>

namespace switchyard::cli::conform {
namespace {

constexpr std::array<std::string_view, 5> kWords = {"passed", "failed", "crashed", "hung",
                                                    "skipped"};

}  // namespace

std::string_view word_for(CaseStatus status) { return kWords[static_cast<std::size_t>(status)]; }

Json to_json(const CaseResult& result) {
  Json accuracy = Json::array();
  for (const Accuracy& row : result.accuracy) {
    accuracy.push_back({{"op", row.op},
                        {"dtype", row.dtype},
                        {"max_error", row.largest_error},
                        {"max_relative_error", row.largest_relative_error},
                        {"units_in_last_place", row.units}});
  }
  return {{"name", result.name},
          {"proves", result.proves},
          {"status", word_for(result.status)},
          {"reason", result.reason},
          {"device_work", result.device_work},
          {"kernel_runs", result.kernel_runs},
          {"left_out", result.left_out},
          {"accuracy", std::move(accuracy)},
          {"seconds", result.seconds}};
}

CaseResult result_of(const Json& json) {
  CaseResult result;
  result.name = json.at("name").get<std::string>();
  result.proves = json.at("proves").get<std::string>();
  const auto status = json.at("status").get<std::string>();
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (kWords[i] == status) result.status = static_cast<CaseStatus>(i);
  }
  result.reason = json.at("reason").get<std::string>();
  result.device_work = json.at("device_work").get<std::uint64_t>();
  result.kernel_runs = json.at("kernel_runs").get<std::uint64_t>();
  result.left_out = json.at("left_out").get<std::vector<std::string>>();
  for (const Json& row : json.at("accuracy")) {
    result.accuracy.push_back({row.at("op").get<std::string>(), row.at("dtype").get<std::string>(),
                               row.at("max_error").get<double>(),
                               row.at("max_relative_error").get<double>(),
                               row.at("units_in_last_place").get<double>()});
  }
  return result;
}

}  // namespace switchyard::cli::conform

#include "cli/doctor/findings.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace switchyard::cli {
namespace {

constexpr Health kHealths[] = {Health::ok, Health::warn, Health::fail};

std::string_view json_word_for(Health health) {
  return health == Health::fail ? "fail" : word_for(health);
}

Health health_of(const std::string& word) {
  return *std::find_if(std::begin(kHealths), std::end(kHealths) - 1,
                       [&](Health health) { return json_word_for(health) == word; });
}

HealthCheck check_of(const Json& json) {
  return {json.at("subject"), json.at("check"), health_of(json.at("status")), json.at("finding"),
          json.at("remedy")};
}

}  // namespace

Json to_json(const HealthCheck& check) {
  return {{"subject", check.subject},
          {"check", check.name},
          {"status", json_word_for(check.health)},
          {"finding", check.finding},
          {"remedy", check.remedy}};
}

void Findings::tell(const char* what, Json finding) const {
  if (tell_ != nullptr) tell_({{what, std::move(finding)}});
}

void Findings::add(HealthCheck check) {
  tell("check", to_json(check));
  checks_.push_back(std::move(check));
}

void Findings::add(HealthChecks checks) {
  for (HealthCheck& check : checks) add(std::move(check));
}

void Findings::add(Report report) {
  if (report.text.empty()) return;
  tell("report", {{"subject", report.subject}, {"text", report.text}});
  reports_.push_back(std::move(report));
}

void Findings::end_with(const Error& error) {
  tell("error", {{"kind", static_cast<int>(error.kind())}, {"line", error.what()}});
  error_ = error;
}

void Findings::read_line(const Json& line) {
  if (line.contains("check")) add(check_of(line.at("check")));
  if (line.contains("report")) {
    const Json& report = line.at("report");
    add(Report{report.at("subject"), report.at("text")});
  }
  if (line.contains("error")) {
    const Json& error = line.at("error");
    end_with(Error(static_cast<ErrorKind>(error.at("kind").get<int>()), error.at("line")));
  }
}

}  // namespace switchyard::cli

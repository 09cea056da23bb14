// Reading a timeline back.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace switchyard::trace {

inline std::string content_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

// An event with what was known at its start and at its end.
struct Event {
  std::string kind, name;
  nlohmann::json facts;
  double begin = 0, end = 0;
  std::size_t depth = 0;  // how many events of its thread it lies in
  std::uint64_t thread = 0;
};

// All events of a text, in the order of their starts. Fails the test unless each thread's nest, in
// the order of the clock, and all have ended.
inline std::vector<Event> events_of(const std::string& text) {
  std::vector<Event> events;
  std::map<std::uint64_t, std::vector<std::size_t>> open;  // by thread
  std::map<std::uint64_t, double> clock;
  for (const nlohmann::json& line : nlohmann::json::parse(text)) {
    const std::string phase = line.at("ph");
    if (phase == "M") continue;
    const std::uint64_t thread = line.at("tid");
    const double time = line.at("ts");
    EXPECT_GE(time, clock[thread]);
    clock[thread] = time;
    if (phase == "B") {
      events.push_back(
          {line.at("cat"), line.at("name"), line.at("args"), time, 0, open[thread].size(), thread});
      open[thread].push_back(events.size() - 1);
    } else if (phase != "E" || open[thread].empty()) {
      ADD_FAILURE() << "nothing to end: " << line;
    } else {
      Event& ended = events[open[thread].back()];
      ended.end = time;
      ended.facts.update(line.at("args"));
      open[thread].pop_back();
    }
  }
  for (const auto& [thread, under_way] : open) EXPECT_TRUE(under_way.empty()) << thread;
  return events;
}

inline std::vector<Event> events_in(const std::filesystem::path& file) {
  return events_of(content_of(file));
}

inline std::vector<Event> of_kind(const std::vector<Event>& events, const std::string& kind) {
  std::vector<Event> some;
  for (const Event& event : events) {
    if (event.kind == kind) some.push_back(event);
  }
  return some;
}

}  // namespace switchyard::trace

#include "cli/process/trial_child.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/terminal/terminal.hpp"
#include "plugin_loader/plain_crash.hpp"

namespace switchyard::cli {

void prepare_to_die(unsigned seconds) {
  crash_plainly();
  std::signal(SIGALRM, SIG_DFL);
  ::alarm(seconds);
}

void write_line(const std::string& text) {
  std::string line = text;
  std::replace(line.begin(), line.end(), '\n', ' ');
  line += '\n';
  std::FILE* output = program_output();
  std::fputs(line.c_str(), output);
  std::fflush(output);
}

void write_json_line(const Json& json) {
  write_line(json.dump(-1, ' ', true, Json::error_handler_t::replace));
}

void end_as_survivor() {
  write_line("survived");
  std::_Exit(0);
}

std::vector<Json> json_lines(const std::string& output) {
  std::vector<Json> lines;
  std::istringstream stream(output);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("{")) lines.push_back(Json::parse(line, nullptr, false));
  }
  std::erase_if(lines, [](const Json& line) { return line.is_discarded(); });
  return lines;
}

}  // namespace switchyard::cli

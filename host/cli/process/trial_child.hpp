// What a child process that tries something tells its parent, which runs it by `run_trial`: lines
// on its standard output. Each stage is a line as it begins, what came of it a line of JSON, the
// end "survived".
#pragma once

#include <string>
#include <vector>

#include "cli/terminal/json.hpp"

namespace switchyard::cli {

/// Dies as a program without handlers would, leaves no core file, and ends after `seconds`: it
/// never outlives its parent for long.
void prepare_to_die(unsigned seconds);

void write_line(const std::string& text);
void write_json_line(const Json& json);

/// Ends the process without its destructors: what plugins do then is not on trial.
[[noreturn]] void end_as_survivor();

/// For the parent: the lines of JSON among what a child wrote.
std::vector<Json> json_lines(const std::string& output);

}  // namespace switchyard::cli

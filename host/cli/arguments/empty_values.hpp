#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace switchyard::cli {

// A script whose variable is not set writes `--only "$DEVICE"` or `--only=$DEVICE`. Either is an
// error: it neither counts as left out nor takes the next argument for its value.

/// From here on an empty value of any of these arguments is refused. Call it when all are declared.
void refuse_empty_values(CLI::App& arguments);

/// The words of a command line after the program's name, "--only=" as two: "--only" and "".
std::vector<std::string> words_of(int argc, const char* const* argv);

}  // namespace switchyard::cli

#include "cli/arguments/empty_values.hpp"

#include <CLI/CLI.hpp>

namespace switchyard::cli {

void refuse_empty_values(CLI::App& arguments) {
  for (CLI::Option* option : arguments.get_options()) {
    const bool takes_value = option->get_items_expected_max() > 0;
    if (!takes_value) continue;
    option->check([](const std::string& value) {
      return value.empty() ? std::string("its value is empty; give one, or leave it out") : "";
    });
  }
}

std::vector<std::string> words_of(int argc, const char* const* argv) {
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    const bool gives_nothing = word.rfind("--", 0) == 0 && word.find('=') == word.size() - 1;
    if (gives_nothing) word.pop_back();
    words.push_back(std::move(word));
    if (gives_nothing) words.emplace_back();
  }
  return words;
}

}  // namespace switchyard::cli

#include <fmt/format.h>

#include <charconv>
#include <sstream>
#include <string_view>
#include <switchyard/data/loader.hpp>
#include <switchyard/error.hpp>

namespace switchyard {
namespace {

/// Takes "name=NUMBER" off the words. A stream's own reading would let a sign wrap round.
template <typename Number>
bool take(std::istream& words, std::string_view name, Number& number) {
  std::string word;
  if (!(words >> word) || !word.starts_with(name) || word[name.size()] != '=') return false;
  const char* begin = word.data() + name.size() + 1;
  const char* end = word.data() + word.size();
  const auto [stop, problem] = std::from_chars(begin, end, number);
  return problem == std::errc() && stop == end;
}

}  // namespace

std::string to_string(const LoaderState& state) {
  return fmt::format("epoch={} position={} seed={} batch_size={} examples={}", state.epoch,
                     state.position, state.seed, state.batch_size, state.examples);
}

LoaderState loader_state_from(const std::string& text) {
  std::istringstream words(text);
  LoaderState state;
  const bool is_read = take(words, "epoch", state.epoch) &&
                       take(words, "position", state.position) && take(words, "seed", state.seed) &&
                       take(words, "batch_size", state.batch_size) &&
                       take(words, "examples", state.examples);
  if (is_read && (words >> std::ws).eof()) return state;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("'{}' is not a state of a loader; to_string(LoaderState) "
                          "writes such texts",
                          text));
}

}  // namespace switchyard

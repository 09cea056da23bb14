#include <fmt/format.h>

#include <sstream>
#include <switchyard/data.hpp>
#include <switchyard/error.hpp>

namespace switchyard {
namespace {

template <typename Number>
bool take(std::istream& text, const std::string& name, Number& number) {
  std::string found;
  return std::getline(text >> std::ws, found, '=') && found == name && text >> number;
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
  throw Error(ErrorKind::usage, fmt::format("'{}' is no state of a loader; to_string(LoaderState) "
                                            "writes such texts",
                                            text));
}

}  // namespace switchyard

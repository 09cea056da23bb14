#include <switchyard/checkpoint.hpp>

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <switchyard/error.hpp>
#include <switchyard/functions/random.hpp>
#include <switchyard/io.hpp>

namespace switchyard {
namespace {

constexpr std::string_view kModel = "model.", kOptimizer = "optimizer.", kSchedule = "schedule.",
                           kScaler = "scaler.";
constexpr std::string_view kUserPrefix = "note.";
constexpr char kFormat[] = "switchyard.checkpoint", kVersion[] = "1";
constexpr char kLoader[] = "loader", kSeed[] = "random.seed", kOffset[] = "random.offset";

void put(StateDict& all, std::string_view prefix, const StateDict& part) {
  for (const auto& [name, tensor] : part) all.emplace(fmt::format("{}{}", prefix, name), tensor);
}

/// What has the prefix, without it.
template <typename Value>
std::map<std::string, Value> taken(const std::map<std::string, Value>& all,
                                   std::string_view prefix) {
  std::map<std::string, Value> part;
  for (const auto& [name, value] : all) {
    if (name.starts_with(prefix)) part.emplace(name.substr(prefix.size()), value);
  }
  return part;
}

[[noreturn]] void refuse_file(const std::filesystem::path& path, std::string_view why) {
  throw Error(ErrorKind::model,
              fmt::format("{}: {}; give a file that save_checkpoint wrote", path.string(), why));
}

SafetensorsFile read(const std::filesystem::path& path) {
  SafetensorsFile file = load_safetensors(path);
  const auto version = file.metadata.find(kFormat);
  if (version == file.metadata.end()) refuse_file(path, "this is not a checkpoint");
  if (version->second != kVersion) {
    refuse_file(path, fmt::format("this is a checkpoint of version '{}', not {}", version->second,
                                  kVersion));
  }
  return file;
}

/// A part that one side has and the other lacks would make another run of it, silently.
void require_both(const std::filesystem::path& path, std::string_view part, bool saved, bool here) {
  if (saved == here) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("{}: {} {}; give load_checkpoint the parts that were saved",
                          path.string(), saved ? "it holds a" : "it holds no", part));
}

std::uint64_t number(const std::filesystem::path& path, const SafetensorsFile& file,
                     const char* key) {
  std::uint64_t value = 0;
  const auto found = file.metadata.find(key);
  if (found == file.metadata.end()) refuse_file(path, fmt::format("it has no '{}'", key));
  const std::string& text = found->second;
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  if (code != std::errc() || stop != end) {
    refuse_file(path, fmt::format("its '{}' is '{}', not a number", key, text));
  }
  return value;
}

/// Calls `body`. What it refuses about the checkpoint names the file, in front.
template <typename Body>
void about_file(const std::filesystem::path& path, const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    constexpr ErrorKind kAboutIt[] = {ErrorKind::invalid_argument, ErrorKind::shape_mismatch,
                                      ErrorKind::not_found, ErrorKind::model};
    const bool is_about_it =
        std::find(std::begin(kAboutIt), std::end(kAboutIt), error.kind()) != std::end(kAboutIt);
    if (!is_about_it || std::string_view(error.what()).starts_with(path.string())) throw;
    throw Error(error).set_line(fmt::format("{}: {}", path.string(), error.what()));
  }
}

}  // namespace

void save_checkpoint(const std::filesystem::path& path, const TrainingState& state,
                     const CheckpointMetadata& user_metadata) {
  StateDict tensors;
  put(tensors, kModel, state.model.state_dict());
  put(tensors, kOptimizer, state.optimizer.state_dict());
  if (state.schedule) put(tensors, kSchedule, state.schedule->state_dict());
  if (state.scaler) put(tensors, kScaler, state.scaler->state_dict());
  const RandomState random = random_state();
  std::map<std::string, std::string> metadata{{kFormat, kVersion},
                                              {kSeed, std::to_string(random.seed)},
                                              {kOffset, std::to_string(random.offset)}};
  if (state.loader) metadata.emplace(kLoader, to_string(state.loader->state()));
  for (const auto& [name, text] : user_metadata)
    metadata.emplace(fmt::format("{}{}", kUserPrefix, name), text);
  save_safetensors(path, tensors, metadata);
}

CheckpointMetadata checkpoint_metadata(const std::filesystem::path& path) {
  return taken(read(path).metadata, kUserPrefix);
}

CheckpointMetadata load_checkpoint(const std::filesystem::path& path, const TrainingState& state) {
  const SafetensorsFile file = read(path);
  const StateDict schedule = taken(file.tensors, kSchedule);
  const StateDict scaler = taken(file.tensors, kScaler);
  const auto loader = file.metadata.find(kLoader);
  require_both(path, "schedule", !schedule.empty(), state.schedule != nullptr);
  require_both(path, "scaler", !scaler.empty(), state.scaler != nullptr);
  require_both(path, "loader", loader != file.metadata.end(), state.loader != nullptr);
  const RandomState random{number(path, file, kSeed), number(path, file, kOffset)};
  about_file(path, [&] {
    if (state.loader) state.loader->resume(loader_state_from(loader->second));
    state.model.load_state_dict(taken(file.tensors, kModel));
    state.optimizer.load_state_dict(taken(file.tensors, kOptimizer));
    if (state.schedule) state.schedule->load_state_dict(schedule);
    if (state.scaler) state.scaler->load_state_dict(scaler);
  });
  set_random_state(random);
  return taken(file.metadata, kUserPrefix);
}

}  // namespace switchyard

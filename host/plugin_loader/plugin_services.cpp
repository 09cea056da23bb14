#include "plugin_loader/plugin_services.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "plugin_loader/cache_folder.hpp"
#include "trace/log.hpp"

namespace switchyard {
namespace {

// By the library's name: what several builds keep there they tell apart themselves.
std::string cache_folder_of(const std::filesystem::path& library) {
  const std::filesystem::path folder = cache_folder();
  return folder.empty() ? std::string() : (folder / "plugins" / library.stem()).string();
}

}  // namespace

PluginServices::PluginServices(std::string plugin, const std::filesystem::path& library,
                               std::vector<PluginOption> options, std::uint32_t thread_limit)
    : plugin_(std::move(plugin)),
      library_(library.string()),
      cache_folder_(cache_folder_of(library)),
      options_(std::move(options)) {
  converted_.reserve(options_.size());
  for (const PluginOption& option : options_) {
    converted_.push_back(convert(option.key.c_str(), option.value));
  }
  host_.struct_size = sizeof(host_);
  host_.thread_limit = std::max<std::uint32_t>(thread_limit, 1);
  host_.context = this;
  host_.library_path = library_.c_str();
  host_.options = converted_.data();
  host_.option_count = converted_.size();
  host_.log = log;
  host_.cache_folder = cache_folder_.empty() ? nullptr : cache_folder_.c_str();
}

sy_option PluginServices::convert(const char* key, const ConfigValue& value) {
  sy_option option = {};
  option.struct_size = sizeof(option);
  option.key = key;
  if (const auto* flag = std::get_if<bool>(&value.data)) {
    option.kind = SY_OPTION_BOOL;
    option.integer = *flag ? 1 : 0;
  } else if (const auto* integer = std::get_if<std::int64_t>(&value.data)) {
    option.kind = SY_OPTION_INT;
    option.integer = *integer;
  } else if (const auto* real = std::get_if<double>(&value.data)) {
    option.kind = SY_OPTION_FLOAT;
    option.real = *real;
  } else if (const auto* text = std::get_if<std::string>(&value.data)) {
    option.kind = SY_OPTION_STRING;
    option.text = text->c_str();
  } else {
    OptionList items;
    for (const ConfigValue& item : std::get<ConfigValue::List>(value.data))
      items.push_back(convert("", item));
    option.kind = SY_OPTION_LIST;
    option.item_count = items.size();
    option.items = lists_.emplace_back(std::move(items)).data();
  }
  return option;
}

void PluginServices::log(void* context, sy_log_level level, const char* message) {
  const auto* self = static_cast<const PluginServices*>(context);
  constexpr trace::Level levels[] = {trace::Level::debug, trace::Level::info, trace::Level::warn,
                                     trace::Level::error};
  const auto clamped = std::clamp<sy_log_level>(level, SY_LOG_DEBUG, SY_LOG_ERROR);
  trace::write(levels[clamped], "{}: {}", self->plugin_, message != nullptr ? message : "");
}

}  // namespace switchyard

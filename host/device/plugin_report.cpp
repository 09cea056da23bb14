#include "device/plugin_report.hpp"

#include "plugin_loader/entered_as.hpp"
#include "plugin_loader/plugin_call.hpp"

namespace switchyard {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;  // a text for people has an end

sy_status append(void* context, const char* text, std::uint64_t size_bytes) {
  auto& report = *static_cast<std::string*>(context);
  if (size_bytes > kMostBytes - report.size()) return SY_OUT_OF_MEMORY;
  report.append(text, size_bytes);
  return SY_OK;
}

}  // namespace

std::string plugin_report(const Plugin& plugin, sy_device device) {
  std::string text;
  sy_writer writer{};
  writer.struct_size = sizeof(writer);
  writer.context = &text;
  writer.write = append;
  sy_report_args args{};
  args.struct_size = sizeof(args);
  const EnteredAs entered(plugin.host());
  args.extensions = &entered.link;
  args.device = device;
  args.writer = &writer;
  const PluginCallOutcome outcome = call_plugin(plugin.table().report, args);
  if (outcome.status != SY_OK) text += "report " + outcome.words + "\n";
  return text;
}

}  // namespace switchyard

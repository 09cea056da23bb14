#include "device/plugin_report.hpp"

#include <utility>

#include "device/plugin_text.hpp"
#include "plugin_loader/entered_as.hpp"
#include "plugin_loader/plugin_call.hpp"
#include "plugin_loader/watch/thread_calls.hpp"

namespace switchyard {

std::string plugin_report(const Plugin& plugin, sy_device device) {
  PluginText report;
  sy_report_args args{};
  args.struct_size = sizeof(args);
  const EnteredAs entered(plugin.host());
  args.extensions = &entered.link;
  args.device = device;
  args.writer = &report.writer();
  const watch::CallScope called("report", &plugin.calls());
  const PluginCallOutcome outcome = call_plugin(plugin.table().report, args);
  if (outcome.status != SY_OK) report.text() += "report " + outcome.words + "\n";
  return std::move(report.text());
}

}  // namespace switchyard

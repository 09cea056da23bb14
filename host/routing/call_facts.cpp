#include "routing/call_facts.hpp"

#include "device/open_device.hpp"

namespace switchyard {

trace::Facts facts_of(const CallSite& site, const OpenDevice& device) {
  trace::Facts facts;
  facts.add("op", site.op->name());
  if (!site.name.empty()) facts.add("node", site.name);
  if (site.purpose == Purpose::host_work) facts.add("purpose", "host work");
  facts.add("device", device.name());
  return facts;
}

}  // namespace switchyard

#include "functions/calls/sites.hpp"

namespace switchyard {

const std::shared_ptr<const CallSite>& look_up_site(Engine& engine, const Op& op,
                                                    const Attributes& attributes,
                                                    OpenDevice& device) {
  const std::uint32_t flags = engine.router->policy()->math_flags(op.name());
  return engine.sites.find(op, attributes, &device, flags);
}

}  // namespace switchyard

#pragma once

#include <string>
#include <vector>

#include <switchyard/switchyard.hpp>

namespace demo {

/// A line for each device of the plugins that a configuration names: available, or why not.
std::string describe_plugins(const std::vector<switchyard::PluginInfo>& plugins);

/// A table of which op runs where, with the refusals on the way.
std::string describe_routes(const std::vector<switchyard::NodeExplanation>& nodes);

/// "NAME:0 takes 12 ops, NAME:0 takes 5": what one run came to.
std::string describe_placement(const switchyard::RunReport& report);

}  // namespace demo

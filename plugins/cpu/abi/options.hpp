// The keys of [plugins.NAME.options] that this plugin knows.
#pragma once

#include <switchyard/plugin.h>

namespace cpu {

struct Options {
  // `threads`: the team's size. 0 or absent: as many processors as the affinity mask and the
  // control group's quota leave to the process. Another number is taken as it is. Never above the
  // host's limit.
  int threads = 1;
};

// Throws sy::invalid for an unknown key, a wrong kind or a value out of range.
Options read_options(const sy_host& host);

}  // namespace cpu

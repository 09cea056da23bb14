// The keys of [plugins.NAME.options] that this plugin knows.
#pragma once

#include <switchyard/plugin.h>

namespace cpu {

struct Options {
  int threads =
      1;  // `threads`: the team's size; 0 or absent means the host's limit, never above it
};

// Throws sy::invalid for an unknown key, a wrong kind or a value out of range.
Options read_options(const sy_host& host);

}  // namespace cpu

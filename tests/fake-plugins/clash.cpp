#include "clash.hpp"

const char* clashing_symbol() { return "of the plugin"; }

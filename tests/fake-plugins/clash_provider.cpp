#include "clash.hpp"

const char* clashing_symbol() { return "of somebody else"; }

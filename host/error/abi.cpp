#include <switchyard/export.hpp>

const char SWITCHYARD_ABI = 0;

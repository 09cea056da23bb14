// refused: apple/ needs automatic reference counting: compile it with -fobjc-arc
// without ARC
#include "apple/frameworks.hpp"

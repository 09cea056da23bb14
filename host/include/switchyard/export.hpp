/// Marks what the host library shows to programs: everything else has hidden visibility.
#pragma once

#define SWITCHYARD_API __attribute__((visibility("default")))

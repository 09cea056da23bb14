// Tests draw the same random numbers in every run: the stream of a process starts anywhere.
#include <switchyard/functions.hpp>

namespace switchyard {
namespace {

[[maybe_unused]] const bool is_seeded = (manual_seed(0), true);

}  // namespace
}  // namespace switchyard

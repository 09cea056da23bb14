// Stands in, at link time only, for a library that is not installed.
extern "C" __attribute__((visibility("default"))) int symbol_of_a_missing_library() { return 0; }

// A symbol that everybody defines, as unrelated libraries do by accident.
#pragma once

// "of the plugin" in a fake, "of somebody else" in libswitchyard_fake_clash_provider. A fake puts
// what it gets into its table's `build`.
extern "C" __attribute__((visibility("default"))) const char* clashing_symbol();

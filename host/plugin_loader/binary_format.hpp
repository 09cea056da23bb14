// What a file is, told from its first bytes before the dynamic loader sees it: the loader's own
// words for a foreign file are often wrong ("file too short") and a file cut short can kill us.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace switchyard {

// True for the files that this system's dynamic loader can open, built for the machine that this
// program was built for; else false, with `reason` a clause that follows the file's name: "is built
// for AArch64; this program runs on x86-64". `head` is the file's beginning, 4 KiB or all of it;
// `file_bytes` is its size.
bool is_loadable(std::span<const std::byte> head, std::uint64_t file_bytes, std::string& reason);

}  // namespace switchyard

#pragma once

namespace switchyard::cli {

/// Before anything else: what a program may have inherited from whoever started it. Standard
/// streams that were closed are opened on /dev/null, so that no file opened later takes their
/// numbers; closed output stays an error. A file beyond a limit on sizes is an error of the write,
/// not the end of the process.
void prepare_process();

}  // namespace switchyard::cli

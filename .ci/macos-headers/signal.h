// What macOS's <signal.h> defines as macros, so that `::sigaddset(...)` does not compile there.
#pragma once
#include_next <signal.h>

#define sigaddset(set, number) (*(set) = *(set), (void)(number), 0)
#define sigdelset(set, number) (*(set) = *(set), (void)(number), 0)
#define sigismember(set, number) ((void)*(set), (void)(number), 0)
#define sigemptyset(set) (*(set) = sigset_t(), 0)
#define sigfillset(set) (*(set) = sigset_t(), 0)

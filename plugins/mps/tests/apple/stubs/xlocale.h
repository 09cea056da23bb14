// A Mac's C library has this header, and libc++ asks for it. What it declares is in <locale.h>.
#pragma once

#include <locale.h>

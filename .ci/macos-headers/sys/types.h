// What macOS's <sys/types.h> defines as macros; many of its headers include this one.
#pragma once
#include_next <sys/types.h>

#define major(number) ((int)(((unsigned)(number) >> 24) & 0xff))
#define minor(number) ((int)((number) & 0xffffff))
#define makedev(major_number, minor_number) (((major_number) << 24) | (minor_number))

// What the kernels of chains are made of, which programs/chain_text.cpp writes behind this.
#pragma once

#include <metal_stdlib>
#include "binary_value.h"
#include "converted.h"
#include "unary_value.h"
using namespace metal;

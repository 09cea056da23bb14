/// @file
/// Rows of a claim table, which is an array that never changes:
///
///   static const sy_claim claims[] = {
///       SY_CLAIM_ROW("Add", 7, 14, SY_DTYPE_BIT(SY_FLOAT32), SY_CLAIM_STRIDED_INPUTS),
///       SY_CLAIM_ROW("Relu", 6, 14, SY_DTYPE_BIT(SY_FLOAT32), 0),
///   };
#ifndef SWITCHYARD_PLUGIN_CLAIM_H_
#define SWITCHYARD_PLUGIN_CLAIM_H_

#include <switchyard/plugin.h>

/// Initialises a sy_claim of an op of ONNX: the versions whose meaning the kernels follow, the
/// types of inputs and outputs, SY_CLAIM_* flags; any rank.
#define SY_CLAIM_ROW(op, min_version, max_version, dtypes, flags)                             \
  {                                                                                           \
    sizeof(sy_claim), (flags), "", (op), (min_version), (max_version), (dtypes), (dtypes), 0, \
        SY_MAX_RANK                                                                           \
  }

#endif  // SWITCHYARD_PLUGIN_CLAIM_H_

#include "cli/conform/kernels/open_specials.hpp"

#include <algorithm>
#include <iterator>

namespace switchyard::cli::conform {
namespace {

using What = OpenSpecials::What;

constexpr std::string_view kOrder = "ONNX does not say how NaN compares with numbers";
constexpr std::string_view kPosition = "a NaN is no position";
constexpr std::string_view kZeroWeight =
    "whether an element counts whose weight is 0, as that of padding is, is open";
constexpr std::string_view kTransform = "a transform may mix all elements";
constexpr std::string_view kFactors = "the steps of a factorisation are open";
constexpr std::string_view kRange = "the op's rules bound its inputs";
constexpr std::string_view kRearranged = "its formula may be rearranged, which infinities show";
constexpr std::string_view kLargest = "whether the largest element is subtracted first is open";

struct Row {
  std::string_view domain, op;
  OpenSpecials open;
};

constexpr Row kRows[] = {
    {"", "ArgMax", {What::all, kOrder}},
    {"", "ArgMin", {What::all, kOrder}},
    {"", "Clip", {What::all, kOrder}},
    {"", "GlobalMaxPool", {What::all, kOrder}},
    {"", "Hardmax", {What::all, kOrder}},
    {"", "Max", {What::all, kOrder}},
    {"", "MaxPool", {What::all, kOrder}},
    {"", "Min", {What::all, kOrder}},
    {"", "ReduceMax", {What::all, kOrder}},
    {"", "ReduceMin", {What::all, kOrder}},
    {"", "TopK", {What::all, kOrder}},
    {"", "Unique", {What::all, kOrder}},
    {"", "GridSample", {What::all, kPosition}},
    {"", "MaxRoiPool", {What::all, kPosition}},
    {"", "NonMaxSuppression", {What::all, kPosition}},
    {"", "RoiAlign", {What::all, kPosition}},
    {"", "Attention", {What::all, kZeroWeight}},
    {"", "CausalConvWithState", {What::all, kZeroWeight}},
    {"", "Conv", {What::all, kZeroWeight}},
    {"", "ConvTranspose", {What::all, kZeroWeight}},
    {"", "DeformConv", {What::all, kZeroWeight}},
    {"", "LinearAttention", {What::all, kZeroWeight}},
    {"", "Resize", {What::all, kZeroWeight}},
    {"switchyard", "ConvInputGradient", {What::all, kZeroWeight}},
    {"switchyard", "ConvWeightGradient", {What::all, kZeroWeight}},
    {"", "DFT", {What::all, kTransform}},
    {"", "STFT", {What::all, kTransform}},
    {"", "Det", {What::all, kFactors}},
    {"switchyard", "Cholesky", {What::all, kFactors}},
    {"switchyard", "Eigh", {What::all, kFactors}},
    {"switchyard", "Inverse", {What::all, kFactors}},
    {"switchyard", "PseudoInverse", {What::all, kFactors}},
    {"switchyard", "Qr", {What::all, kFactors}},
    {"switchyard", "SlogDet", {What::all, kFactors}},
    {"switchyard", "Solve", {What::all, kFactors}},
    {"switchyard", "Svd", {What::all, kFactors}},
    {"switchyard", "TriangularSolve", {What::all, kFactors}},
    {"", "Bernoulli", {What::all, kRange}},
    {"", "Dropout", {What::all, kRange}},
    {"", "Multinomial", {What::all, kRange}},
    {"", "BatchNormalization", {What::infinities, kRearranged}},
    {"", "GRU", {What::infinities, kRearranged}},
    {"", "GroupNormalization", {What::infinities, kRearranged}},
    {"", "InstanceNormalization", {What::infinities, kRearranged}},
    {"", "LSTM", {What::infinities, kRearranged}},
    {"", "LayerNormalization", {What::infinities, kRearranged}},
    {"", "MeanVarianceNormalization", {What::infinities, kRearranged}},
    {"", "RMSNormalization", {What::infinities, kRearranged}},
    {"", "RNN", {What::infinities, kRearranged}},
    {"switchyard", "AdamStep", {What::infinities, kRearranged}},
    {"switchyard", "BatchNormalizationGradient", {What::infinities, kRearranged}},
    {"switchyard", "FloorDivide", {What::infinities, kRearranged}},
    {"switchyard", "GroupNormalizationGradient", {What::infinities, kRearranged}},
    {"switchyard", "LayerNormalizationGradient", {What::infinities, kRearranged}},
    {"switchyard", "LogSoftmaxGradient", {What::infinities, kRearranged}},
    {"switchyard", "MomentumStep", {What::infinities, kRearranged}},
    {"switchyard", "Remainder", {What::infinities, kRearranged}},
    {"switchyard", "SgdStep", {What::infinities, kRearranged}},
    {"switchyard", "SoftmaxGradient", {What::infinities, kRearranged}},
    {"", "LogSoftmax", {What::infinities, kLargest}},
    {"", "NegativeLogLikelihoodLoss", {What::infinities, kLargest}},
    {"", "ReduceLogSumExp", {What::infinities, kLargest}},
    {"", "Softmax", {What::infinities, kLargest}},
    {"", "SoftmaxCrossEntropyLoss", {What::infinities, kLargest}},
    {"switchyard", "LogAddExp", {What::infinities, kLargest}},
};

}  // namespace

OpenSpecials open_specials_of(const Op& op) {
  const auto* found = std::find_if(std::begin(kRows), std::end(kRows), [&op](const Row& row) {
    return row.domain == op.row->domain && row.op == op.name();
  });
  return found == std::end(kRows) ? OpenSpecials() : found->open;
}

}  // namespace switchyard::cli::conform

#include "classifier.hpp"

#include <algorithm>
#include <array>

namespace demo {
namespace {

constexpr std::size_t kBatch = 100;

/// The model was trained on pixels from 0 to 1.
switchyard::Tensor to_tensor(const PictureSet& pictures, std::size_t first, std::size_t count,
                             const switchyard::Device& device) {
  std::vector<float> values;
  for (std::size_t i = first; i < first + count; ++i) {
    for (std::uint8_t pixel : pictures.picture(i))
      values.push_back(static_cast<float>(pixel) / 255);
  }
  return switchyard::tensor(values, {count, 1, pictures.rows, pictures.columns},
                            {.device = device});
}

}  // namespace

std::string name_of_label(std::size_t label) {
  constexpr std::array names = {"T-shirt", "trousers", "pullover", "dress",   "coat",
                                "sandal",  "shirt",    "sneaker",  "handbag", "ankle boot"};
  return names.at(label);
}

std::vector<std::size_t> Classifier::classify(const PictureSet& pictures, std::size_t first,
                                              std::size_t count,
                                              switchyard::RunReport* report) const {
  switchyard::Model::RunOptions options;
  options.report = report;
  const auto outputs = model_.run(
      {{model_.inputs().front().name, to_tensor(pictures, first, count, device_)}}, options);
  const std::vector<float> scores = outputs.front().tensor.to_vector<float>();
  const std::size_t classes = scores.size() / count;
  std::vector<std::size_t> labels;
  for (std::size_t i = 0; i < count; ++i) {
    const float* row = scores.data() + i * classes;
    labels.push_back(static_cast<std::size_t>(std::max_element(row, row + classes) - row));
  }
  return labels;
}

double Classifier::accuracy(const PictureSet& pictures) const {
  std::size_t right = 0;
  for (std::size_t first = 0; first < pictures.size(); first += kBatch) {
    const std::size_t count = std::min(kBatch, pictures.size() - first);
    const std::vector<std::size_t> labels = classify(pictures, first, count);
    for (std::size_t i = 0; i < count; ++i) right += labels[i] == pictures.labels[first + i];
  }
  return static_cast<double>(right) / static_cast<double>(pictures.size());
}

}  // namespace demo

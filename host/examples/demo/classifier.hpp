#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <switchyard/switchyard.hpp>

#include "picture_set.hpp"

namespace demo {

/// The clothes that the labels stand for.
std::string name_of_label(std::size_t label);

/// Classifies pictures with a model on whatever devices a runtime's configuration names: nothing
/// here knows any of them.
class Classifier {
 public:
  Classifier(const switchyard::Runtime& runtime, const std::filesystem::path& model)
      : device_(runtime.default_device()), model_(switchyard::Model::load(runtime, model)) {}

  const switchyard::Model& model() const { return model_; }

  /// The labels of `count` pictures from `first` on. Fills `report` with what ran where, if given.
  std::vector<std::size_t> classify(const PictureSet& pictures, std::size_t first,
                                    std::size_t count,
                                    switchyard::RunReport* report = nullptr) const;

  /// The share of all pictures that get their true label.
  double accuracy(const PictureSet& pictures) const;

 private:
  switchyard::Device device_;
  switchyard::Model model_;
};

}  // namespace demo

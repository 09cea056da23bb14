// What moves between the host and mps while a model runs or a net is trained: inputs and outputs,
// and no tensor that the device has already.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <switchyard/switchyard.hpp>
#include <vector>

#include "temporary_folder.hpp"
#include "tensor/host_tensor.hpp"
#include "test_folders.hpp"
#include "trace/timeline_events.hpp"

#ifdef __linux__

namespace switchyard {
namespace {

// "host to mps:0" and the other directions, with how often.
using Ways = std::map<std::string, std::size_t>;

// What is copied to and from the software device while `use` runs, but for single numbers that come
// to it, such as a formula's constants; fallbacks are told, too.
template <typename Use>
Ways ways_of(const Use& use) {
  const TemporaryFolder folder;
  const std::filesystem::path trace = folder.path() / "trace.json";
  Ways ways;
  {
    std::ifstream file(std::filesystem::path(SWITCHYARD_BUILD_DIR) / "config/software-metal.toml");
    std::ostringstream text;
    text << "[host]\nlog_level = \"error\"\ntrace = '" << trace.string() << "'\n" << file.rdbuf();
    const Runtime runtime = Runtime::from_text(text.str());
    const RuntimeScope scope(runtime);
    use(runtime);
    for (const FallbackInfo& fallback : runtime.fallbacks()) ways["fallback " + fallback.op] += 1;
  }
  // The file ends with its runtime, which generators of random numbers may hold on to.
  std::string events = trace::content_of(trace);
  if (events.find_last_of(']') != events.find_last_not_of('\n')) events += "]";
  for (const trace::Event& copy : trace::of_kind(trace::events_of(events), "copy")) {
    const std::string from = copy.facts.at("from"), to = copy.facts.at("to");
    const bool is_one_number = copy.facts.at("bytes") <= 8 && to != "host";
    if (from != to && !is_one_number) ++ways[from + " to " + to];
  }
  return ways;
}

// What the rounds after the first two add, which may set up what stays.
template <typename Use>
Ways ways_of_rounds(int rounds, const Use& use) {
  const Ways start = ways_of([&](const Runtime& runtime) { use(runtime, 2); });
  Ways ways = ways_of([&](const Runtime& runtime) { use(runtime, 2 + rounds); });
  for (const auto& [way, count] : start) {
    if ((ways[way] -= count) == 0) ways.erase(way);
  }
  return ways;
}

nn::Sequential dense_net() {
  return nn::Sequential(nn::Linear(16, 24), nn::LayerNorm({24}), nn::GELU(), nn::Dropout(0.25),
                        nn::Linear(24, 4));
}

nn::Sequential image_net() {
  return nn::Sequential(nn::Conv2d(1, 3, 3, {.padding = 1}), nn::BatchNorm2d(3), nn::ReLU(),
                        nn::MaxPool2d(2), nn::Flatten(), nn::Linear(3 * 2 * 2, 4));
}

template <typename Optimizer, typename Options>
void train(nn::Sequential net, const Tensor& x, const Options& options, int rounds,
           bool reads_loss) {
  Optimizer optimizer(net.parameters(), options);
  const Tensor labels = tensor(std::vector<std::int64_t>{0, 1, 2, 3, 0, 1, 2, 3}, {8});
  for (int i = 0; i < rounds; ++i) {
    optimizer.zero_grad();
    const Tensor loss = cross_entropy(net(x), labels);
    loss.backward();
    optimizer.step();
    if (reads_loss) loss.item();
  }
  current_device().synchronize();
}

TEST(TransfersOnMps, AStepOfTrainingMovesNoTensor) {
  const auto by_sgd = [](const Runtime&, int rounds) {
    train<optim::SGD>(image_net(), randn({8, 1, 4, 4}),
                      optim::SGDOptions{.lr = 0.1, .momentum = 0.9}, rounds, false);
  };
  const auto by_adam = [](const Runtime&, int rounds) {
    train<optim::Adam>(dense_net(), randn({8, 16}), optim::AdamOptions{.lr = 0.01}, rounds, false);
  };
  EXPECT_EQ(ways_of_rounds(4, by_sgd), Ways());
  EXPECT_EQ(ways_of_rounds(4, by_adam), Ways());
}

TEST(TransfersOnMps, ALossThatIsReadIsOneDownload) {
  const auto by_adam = [](const Runtime&, int rounds) {
    train<optim::Adam>(dense_net(), randn({8, 16}), optim::AdamOptions{.lr = 0.01}, rounds, true);
  };
  EXPECT_EQ(ways_of_rounds(4, by_adam), (Ways{{"mps:0 to host", 4}}));
}

TEST(TransfersOnMps, ARunOfAModelMovesItsInputsAndOutputs) {
  const auto run = [](const Runtime& runtime, int rounds) {
    const Model model = Model::load(
        runtime, std::filesystem::path(SWITCHYARD_SOURCE_DIR) / "host/examples/demo/fashion.onnx");
    const std::vector<float> pixels(3 * 28 * 28, 0.5f);
    for (int i = 0; i < rounds; ++i) {
      const Tensor x = host_tensor<float>({3, 1, 28, 28}, pixels);
      model.run({{model.inputs().at(0).name, x}})[0].tensor.to_vector<float>();
    }
  };
  EXPECT_EQ(ways_of_rounds(3, run), (Ways{{"host to mps:0", 3}, {"mps:0 to host", 3}}));
}

}  // namespace
}  // namespace switchyard

#endif

// Classifies pictures of clothes twice, each time by the same code, under two configurations: only
// the TOML file decides which device runs what.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <span>
#include <string>

#include <switchyard/switchyard.hpp>

#include "classifier.hpp"
#include "drawing.hpp"
#include "picture_set.hpp"
#include "placement.hpp"

namespace demo {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShown = 4;

/// The first of them fools the model.
constexpr std::size_t kPictures[kShown] = {23, 0, 1, 13};

void show(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);  // so that the host's own warnings, on stderr, stand where they belong
}

/// As one would type it here.
std::string typed(const fs::path& path) {
  const std::string relative = fs::proximate(path).string();
  return relative.size() < path.string().size() ? relative : path.string();
}

fs::path dataset_folder() {
  const char* chosen = std::getenv("FASHION_MNIST");
  return chosen ? chosen : "/usr/share/datasets/fashion-mnist";
}

std::string seconds_since(std::chrono::steady_clock::time_point start) {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  char text[32];
  std::snprintf(text, sizeof text, "%.2f s", elapsed.count());
  return text;
}

void show_pictures(const Classifier& classifier, const PictureSet& pictures,
                   switchyard::RunReport& report) {
  std::vector<Exhibit> exhibits;
  const std::size_t shown = std::min(kShown, pictures_that_fit(pictures.columns));
  for (const std::size_t picture : std::span(kPictures).first(shown)) {
    const std::size_t answer = classifier.classify(pictures, picture, 1, &report).front();
    const std::size_t truth = pictures.labels[picture];
    exhibits.push_back({picture,
                        {std::string("answer: ")
                             .append(name_of_label(answer))
                             .append(answer == truth ? "" : " (wrong)"),
                         std::string("truth:  ").append(name_of_label(truth))}});
  }
  show("\n");
  show(draw(pictures, exhibits).append("\n"));
}

void show_fallbacks(const switchyard::Runtime& runtime) {
  for (const switchyard::FallbackInfo& fallback : runtime.fallbacks()) {
    show("  " + fallback.op + ": " + std::to_string(fallback.count) + " from " + fallback.from +
         " to " + fallback.to + ", " + std::to_string(fallback.bytes_copied >> 20) +
         " MiB copied\n");
  }
}

void show_accuracy(const Classifier& classifier, const PictureSet& pictures) {
  const auto start = std::chrono::steady_clock::now();
  const double accuracy = classifier.accuracy(pictures);
  char text[80];
  std::snprintf(text, sizeof text, "accuracy %.4f over %zu pictures in ", accuracy,
                pictures.size());
  show(text + seconds_since(start) + "\n");
}

void classify_under(const fs::path& config, const PictureSet& pictures) {
  show("== " + typed(config) + "\n\n");
  const auto start = std::chrono::steady_clock::now();
  const auto runtime = switchyard::Runtime::from_file(config);
  const Classifier classifier(runtime, SWITCHYARD_DEMO_MODEL);
  const std::string started = seconds_since(start);
  show("devices\n" + describe_plugins(runtime.plugins()));
  show("\nwhich op goes where, and why\n" + describe_routes(classifier.model().explain()));
  switchyard::RunReport report;
  show_pictures(classifier, pictures, report);
  show("plugins and model ready in " + started + "; for one picture " + describe_placement(report) +
       "\n");
  runtime.reset_fallbacks();
  show_accuracy(classifier, pictures);
  if (!runtime.fallbacks().empty()) show("fallbacks in that time\n");
  show_fallbacks(runtime);
  show("\n");
}

void show_next_steps(const fs::path& folder) {
  const std::string program = "  " + typed(SWITCHYARD_DEMO_PROGRAM);
  const std::string model = typed(SWITCHYARD_DEMO_MODEL);
  const std::string first = " --config " + typed(folder / "default.toml");
  const std::string second = " --config " + typed(folder / "third-party.toml");
  show("try next\n" + program + " devices\n" + program + " doctor\n" + program + " explain " +
       model + second + "\n" + program + " run " + model + " --random 1 --repeat 20 --profile" +
       second + "\n" + program + " bench " + model + first + second + "\n" + program + " --help\n");
}

void run() {
  const fs::path folder = SWITCHYARD_DEMO_CONFIG_FOLDER;
  const PictureSet pictures = read_pictures(dataset_folder(), "t10k");
  show("One program, one model, two configurations: the TOML file decides what runs where.\n\n");
  for (const char* name : {"default.toml", "third-party.toml"}) {
    classify_under(folder / name, pictures);
  }
  show_next_steps(folder);
}

}  // namespace
}  // namespace demo

int main() {
  try {
    demo::run();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "switchyard_demo: error: %s\n", error.what());
    return 1;
  }
}

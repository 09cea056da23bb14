// Clients that ask a server for the class of pictures, while its model is loaded anew:
// server MODEL [REQUESTS-PER-CLIENT]
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>

#include "batch_server.hpp"

namespace {

constexpr int kClients = 4;

/// Pictures of different numbers have clearly different scores.
std::vector<float> picture(int number) {
  std::vector<float> pixels(28 * 28);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    pixels[i] = static_cast<float>(i * (31 + 2 * static_cast<std::size_t>(number)) % 256) / 255;
  }
  return pixels;
}

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

/// A request that is late already, and one of another size, beside those of the clients.
void refuses_what_it_cannot_answer(BatchServer& server, std::atomic<int>& wrong) {
  const auto kind_of = [&](std::vector<float> example, BatchServer::Clock::time_point deadline) {
    try {
      server.submit(std::move(example), deadline).get();
    } catch (const switchyard::Error& error) {
      return error.kind();
    }
    return switchyard::ErrorKind::internal;
  };
  using switchyard::ErrorKind;
  const BatchServer::Clock::time_point now = BatchServer::Clock::now();
  if (kind_of(picture(0), now) != ErrorKind::deadline) ++wrong;
  if (kind_of({1, 2, 3}, now + std::chrono::hours(1)) != ErrorKind::invalid_argument) ++wrong;
}

int serve(const char* model, int requests) {
  const switchyard::Runtime runtime = switchyard::current_runtime();
  BatchServer server(runtime, model, {});
  std::atomic<int> wrong{0};
  std::vector<std::thread> clients;
  for (int client = 0; client < kClients; ++client) {
    clients.emplace_back([&, client] {
      const std::vector<float> expected =
          server.submit(picture(client), BatchServer::Clock::time_point::max()).get();
      for (int i = 0; i < requests; ++i) {
        const auto deadline = BatchServer::Clock::now() + std::chrono::seconds(10);
        const std::vector<float> scores = server.submit(picture(client), deadline).get();
        const bool is_right = std::equal(
            scores.begin(), scores.end(), expected.begin(), expected.end(),
            [](float a, float b) { return std::abs(a - b) <= 1e-4F * (1 + std::abs(b)); });
        if (!is_right) ++wrong;
      }
    });
  }
  for (int i = 0; i < 3; ++i) server.reload(model);
  refuses_what_it_cannot_answer(server, wrong);
  for (std::thread& client : clients) client.join();
  const ServerStatistics done = server.statistics();
  std::printf(
      "%llu served in %llu batches, %llu late, %llu failed, %d wrong; p50 %.3f ms, p99 %.3f ms\n",
      static_cast<unsigned long long>(done.served), static_cast<unsigned long long>(done.batches),
      static_cast<unsigned long long>(done.late), static_cast<unsigned long long>(done.failed),
      wrong.load(), percentile(done.milliseconds, 0.5), percentile(done.milliseconds, 0.99));
  return wrong == 0 && done.failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) {
    std::fprintf(stderr, "server MODEL [REQUESTS-PER-CLIENT]\n");
    return 2;
  }
  return serve(argv[1], argc > 2 ? std::atoi(argv[2]) : 1000);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

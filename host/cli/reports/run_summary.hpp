#pragma once

#include <string>
#include <vector>

#include <switchyard/model.hpp>
#include <switchyard/runtime.hpp>

#include "cli/reports/report.hpp"
#include "cli/values/output_files.hpp"

namespace switchyard::cli {

/// What `run` has to tell.
struct RunSummary {
  std::string model;
  double start_ms = 0;                  // configuration, plugins, devices
  double load_ms = 0;                   // the model
  std::vector<double> run_ms;           // at least one
  RunReport report;                     // of one run
  std::vector<FallbackInfo> fallbacks;  // of the same run
  std::vector<OutputSummary> outputs;
  std::vector<Report> devices;  // what those say that ran something, if it was asked for
};

void print_as_text(const RunSummary& summary);
void print_as_json(const RunSummary& summary);

}  // namespace switchyard::cli

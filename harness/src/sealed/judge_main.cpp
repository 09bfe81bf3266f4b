// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/sealed/judge.h"

#include "perfcheck/model/run.h"
#include "perfcheck/session/orphans.h"
#include "perfcheck/session/sealed_client.h"
#include "perfcheck/worker/sealed_bench.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <string_view>

namespace perfcheck::sealed {
namespace {

constexpr int kExitOk = 0, kExitUsage = 64;
constexpr int kMostBatches = 1000, kMostDevices = 1024;

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

void explain(worker::WorkerSetup const& setup, std::FILE* out) {
  fmt::print(out,
             "{} {} times kernels of {} sealed: it starts the program that holds a kernel as a process\n"
             "of its own, keeps outputs and clock to itself, and says what a launch takes. Started by perfcheck:\n\n"
             "  perfcheck audit --worker PROGRAM\n\n"
             "By itself, for one case; prints one line of JSON (perfcheck.sealed/1):\n\n"
             "  {} --program PROGRAM --case KERNEL@PROBLEM [--device N] [--batches N]\n\n"
             "docs/sealed.md says what is proven, and how.\n",
             setup.name, setup.build.version, fmt::join(worker::names_of(setup.operations), " and "), setup.name);
}

int number(std::string_view option, std::string_view text, int minimum, int maximum) {
  int value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < minimum || value > maximum) {
    throw UsageError(fmt::format("{} {}: give a whole number from {} to {}", option, text, minimum, maximum));
  }
  return value;
}

JudgeOptions read_options(int argc, char** argv) {
  JudgeOptions options;
  options.batches = session::kUsualBatches;
  for (int i = 1; i < argc; i += 2) {
    std::string_view const option = argv[i];
    if (i + 1 == argc) throw UsageError(fmt::format("{} needs a value", option));
    std::string const value = argv[i + 1];
    if (option == "--program") {
      options.program = value;
    } else if (option == "--case") {
      options.case_id = value;
    } else if (option == "--device") {
      options.device = number(option, value, 0, kMostDevices);
    } else if (option == "--batches") {
      options.batches = number(option, value, 1, kMostBatches);
    } else {
      throw UsageError(fmt::format("unknown option {}; there are --program, --case, --device and --batches", option));
    }
  }
  if (options.program.find('/') == std::string::npos) {
    throw UsageError("--program: give the path of the program that holds the kernel, as in ./perfcheck-gemm");
  }
  if (!model::is_case_id(options.case_id)) throw UsageError(fmt::format("--case: {}", model::kCaseIdRule));
  return options;
}

}  // namespace

int judge_main(int argc, char** argv, worker::WorkerSetup setup) {
  std::string_view const argument = argc > 1 ? argv[1] : "";
  try {
    if (argument == worker::kSealedBenchArgument && argc == 2) return worker::sealed_bench_main(setup);
    if (argument == "--help" || argument == "-h") {
      explain(setup, stdout);
      return kExitOk;
    }
    if (argument == "--version") {
      fmt::print("{} {}\n", setup.name, setup.build.version);
      return kExitOk;
    }
    auto const options = read_options(argc, argv);
    session::OrphanKeeper const orphans;
    auto const own_program = std::filesystem::read_symlink("/proc/self/exe").string();
    auto const result =
        judge_case(setup, own_program, options, [](std::string const& line) { fmt::print(stderr, "{}\n", line); });
    fmt::print("{}\n", model::to_json_line(result));
    return kExitOk;
  } catch (UsageError const& error) {
    fmt::print(stderr, "{}: {}\n", setup.name, error.what());
    return kExitUsage;
  } catch (std::exception const& error) {
    fmt::print(stderr, "{}: {}\n", setup.name, error.what());
    return 2;
  }
}

}  // namespace perfcheck::sealed

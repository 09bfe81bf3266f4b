// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/worker/sealed_bench.h"
#include "perfcheck/worker/worker.h"
#include "server.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <string_view>
#include <system_error>

namespace perfcheck::worker {
namespace {

constexpr int kExitOk = 0, kExitDefect = 2, kExitContextLost = 3, kExitUsage = 64;

/// Keeps standard output for the protocol: a kernel that prints must not corrupt it, so its output goes to standard
/// error.
int take_standard_output() {
  int const mine = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (mine < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    return -1;
  }
  return mine;
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    auto const written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// If the machine runs out of memory, this process should be killed, not the session that watches it.
void volunteer_for_the_out_of_memory_killer() { std::ofstream("/proc/self/oom_score_adj") << 1000; }

int explain(WorkerSetup const& setup, std::FILE* out) {
  fmt::print(out,
             "{} {} holds kernels of {} for the backend {} and speaks the perfcheck worker protocol on\n"
             "standard input and output. It is started by perfcheck:\n\n"
             "  perfcheck list --worker {}\n"
             "  perfcheck check --worker {}\n\n"
             "The protocol is described in docs/protocol.md.\n",
             setup.name, setup.build.version, fmt::join(names_of(setup.operations), " and "), setup.backend, setup.name,
             setup.name);
  return out == stdout ? kExitOk : kExitUsage;
}

/// Writes lines where the protocol is expected. Throws std::system_error.
std::function<void(std::string const&)> protocol_output() {
  int const output = take_standard_output();
  if (output < 0) throw std::system_error(errno, std::generic_category(), "standard output");
  return [output](std::string const& line) {
    if (!write_all(output, line)) {
      std::_Exit(kExitOk);  // nobody listens any more
    }
  };
}

int serve(WorkerSetup& setup) {
  auto const send = protocol_output();
  volunteer_for_the_out_of_memory_killer();
  Server server(setup, send);
  for (std::string line; std::getline(std::cin, line);) {
    if (!server.handle(line)) {
      break;
    }
  }
  if (device::device_is_abandoned()) std::_Exit(kExitContextLost);  // destructors would wait for the device
  return server.context_lost() ? kExitContextLost : kExitOk;
}

}  // namespace

int sealed_bench_main(WorkerSetup& setup) {
  auto const send = protocol_output();
  volunteer_for_the_out_of_memory_killer();
  SealedBench bench(setup);
  for (std::string line; std::getline(std::cin, line);) send(bench.handle(line) + '\n');
  // The device may be lost, or busy with what a kernel left behind: destructors could wait for it for ever.
  std::_Exit(kExitOk);
}

int worker_main(int argc, char** argv, WorkerSetup setup) {
  std::string_view const argument = argc > 1 ? argv[1] : "";
  if (argument == "--version") {
    fmt::print("{} {}\n", setup.name, setup.build.version);
    return kExitOk;
  }
  if (argument == "--help" || argument == "-h") {
    return explain(setup, stdout);
  }
  bool const is_bench = argument == kSealedBenchArgument && argc == 2;
  if ((argc > 1 && !is_bench) || isatty(STDIN_FILENO) != 0) {
    return explain(setup, stderr);
  }
  try {
    return is_bench ? sealed_bench_main(setup) : serve(setup);
  } catch (std::exception const& error) {
    fmt::print(stderr, "{}: {}\n", setup.name, error.what());
    return kExitDefect;
  }
}

}  // namespace perfcheck::worker

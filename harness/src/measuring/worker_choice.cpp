// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measuring/worker_choice.h"

#include "perfcheck/console/errors.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>

namespace perfcheck::measuring {
namespace {

namespace fs = std::filesystem;

// Present as soon as NVIDIA's kernel module is loaded, whether or not a GPU works.
constexpr std::array<char const*, 2> kDriverTraces = {"dev/nvidiactl", "proc/driver/nvidia"};

/// Collects words; quotes and backslashes decide what separates.
class WordSplitter {
 public:
  void take(char c) {
    if (escaped_) {
      word_ += c;
      escaped_ = false;
    } else if (c == '\\' && quote_ != '\'') {
      escaped_ = in_word_ = true;
    } else if (quote_ != '\0') {
      c == quote_ ? void(quote_ = '\0') : void(word_ += c);
    } else if (c == '"' || c == '\'') {
      quote_ = c;
      in_word_ = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      end_word();
    } else {
      word_ += c;
      in_word_ = true;
    }
  }

  std::vector<std::string> finish(std::string const& command) {
    if (quote_ != '\0' || escaped_) {
      throw UsageError(fmt::format("--worker {}: a quote is not closed", command));
    }
    end_word();
    if (words_.empty()) {
      throw UsageError("--worker: name a program");
    }
    return words_;
  }

 private:
  void end_word() {
    if (in_word_) {
      words_.push_back(word_);
    }
    word_.clear();
    in_word_ = false;
  }

  std::vector<std::string> words_;
  std::string word_;
  char quote_ = '\0';
  bool escaped_ = false;
  bool in_word_ = false;
};

}  // namespace

std::vector<std::string> split_command(std::string const& command) {
  WordSplitter splitter;
  for (char const c : command) {
    splitter.take(c);
  }
  return splitter.finish(command);
}

WorkerChoice choose_worker(Options const& options, fs::path const& root, fs::path const& program_folder) {
  if (!options.worker.empty()) {
    return {.argv = split_command(options.worker), .why = "given with --worker"};
  }
  std::string backend = options.backend;
  std::string why = "given with --backend";
  if (backend == "auto") {
    backend = "cpu";
    why = "no NVIDIA driver is loaded here";
    for (char const* trace : kDriverTraces) {
      std::error_code ignored;
      if (fs::exists(root / trace, ignored)) {
        backend = "cuda";
        why = fmt::format("an NVIDIA driver is loaded (/{})", trace);
        break;
      }
    }
  }
  fs::path const program = program_folder / (backend == "cuda" ? "perfcheck-gemm" : "perfcheck-gemm-cpu");
  std::error_code ignored;
  if (!fs::exists(program, ignored)) {
    throw CommandError(
        model::ExitCode::broken,
        fmt::format("{}: no such worker, and backend {} was chosen because {}; build it{}, or name a worker "
                    "with --worker",
                    program.string(), backend, why,
                    backend == "cuda" ? " (-DPERFCHECK_CUDA=ON), choose --backend cpu" : ""));
  }
  return {.argv = {program.string()}, .why = why};
}

fs::path program_folder() { return fs::read_symlink("/proc/self/exe").parent_path(); }

}  // namespace perfcheck::measuring

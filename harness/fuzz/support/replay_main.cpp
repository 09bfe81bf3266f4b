// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a fuzz target without a fuzzer: on every file of its corpus, and on simple mutations of them. Every finding that
// is in the corpus stays found, with any compiler.
//
// Usage: PROGRAM [--mutations COUNT] [--findings FOLDER] CORPUS_FILE_OR_FOLDER...
#include "support/mutation.h"

#include <fcntl.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);
// Only there in a build with the address sanitizer, which ends a program in its own way.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer's name for it
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace {

namespace fs = std::filesystem;

/// Of processor time, for one input: a busy machine must not make a finding of it.
constexpr int kPatienceSeconds = 10;

/// What runs now, for the handler of a crash.
std::string g_input, g_finding;

/// In a signal handler only system calls are safe.
void keep_input() {
  int const file = ::open(g_finding.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0 || ::write(file, g_input.data(), g_input.size()) < 0) {
    return;
  }
  for (char const* part : {"the input that did it: ", g_finding.c_str(), "\n"}) {
    if (::write(STDERR_FILENO, part, std::strlen(part)) < 0) {
      return;
    }
  }
}

void on_crash(int signal) {
  keep_input();
  // As the system would have ended it.
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

void on_timeout(int /*signal*/) {
  constexpr std::string_view kWhy = "an input took too long\n";
  if (::write(STDERR_FILENO, kWhy.data(), kWhy.size()) >= 0) {
    keep_input();
  }
  ::_exit(1);
}

void watch_for_crashes() {
  std::signal(SIGPROF, on_timeout);
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(keep_input);
    std::signal(SIGABRT, on_crash);
    return;
  }
  // A stack that has overflowed has no room for a handler.
  static std::array<char, 65536> stack;
  stack_t const other{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  ::sigaltstack(&other, nullptr);
  struct sigaction action{};
  action.sa_handler = on_crash;
  action.sa_flags = SA_ONSTACK;
  for (int const signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    ::sigaction(signal, &action, nullptr);
  }
}

void run(std::string input) {
  g_input = std::move(input);
  // A copy of its own: a read behind the end of the input is one behind the end of an allocation.
  std::vector<std::uint8_t> const bytes(g_input.begin(), g_input.end());
  itimerval const patience{.it_interval = {}, .it_value = {.tv_sec = kPatienceSeconds, .tv_usec = 0}};
  ::setitimer(ITIMER_PROF, &patience, nullptr);
  (void)LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

std::vector<std::string> corpus_in(std::vector<fs::path> const& places) {
  std::vector<fs::path> files;
  for (fs::path const& place : places) {
    if (!fs::is_directory(place)) {
      files.push_back(place);
      continue;
    }
    for (fs::directory_entry const& entry : fs::directory_iterator(place)) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> inputs;
  for (fs::path const& file : files) {
    std::ifstream in(file, std::ios::binary);
    if (!in) {
      std::fprintf(stderr, "cannot read %s; name files of a corpus\n", file.c_str());
      std::exit(2);
    }
    inputs.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return inputs;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned long mutations = 0;
  fs::path findings = ".";
  std::vector<fs::path> places;
  for (int i = 1; i < argc; ++i) {
    std::string const argument = argv[i];
    if (argument == "--mutations" && i + 1 < argc) {
      mutations = std::strtoul(argv[++i], nullptr, 10);
    } else if (argument == "--findings" && i + 1 < argc) {
      findings = argv[++i];
    } else {
      places.emplace_back(argument);
    }
  }
  std::vector<std::string> const corpus = corpus_in(places);
  if (corpus.empty()) {
    std::fprintf(stderr, "no corpus: name its files or their folder\n");
    return 2;
  }
  g_finding = (findings / (fs::path(argv[0]).filename().string() + ".finding")).string();
  watch_for_crashes();
  run({});
  for (std::string const& input : corpus) {
    run(input);
  }
  std::mt19937_64 random(1);
  for (unsigned long i = 0; i < mutations; ++i) {
    run(perfcheck::fuzz::mutated(corpus[i % corpus.size()], corpus[random() % corpus.size()], random));
  }
  std::printf("%zu inputs and %lu mutations of them\n", corpus.size(), mutations);
  return 0;
}

// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "bench_client.h"

#include "perfcheck/model/json.h"
#include "perfcheck/worker/sealed_bench.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

namespace perfcheck::sealed {
namespace {

/// For sending a line, which fits into a pipe's buffer.
constexpr double kSendPatienceS = 10;

}  // namespace

BenchClient::BenchClient(std::string const& program, session::Trust trust)
    : process_({program, worker::kSealedBenchArgument}, nullptr, trust) {
  process_.take_orphans_along();
}

void BenchClient::send(protocol::SealedRequest const& request) {
  if (!process_.write_line(protocol::encode(request), session::deadline_after(kSendPatienceS))) {
    lose("takes no more requests");
  }
}

void BenchClient::await(double timeout_s) {
  if (answered_) {
    answered_ = false;
    return;
  }
  std::string line;
  switch (process_.read_line(line, session::deadline_after(timeout_s))) {
    case session::ReadOutcome::line: break;
    case session::ReadOutcome::deadline: lose(fmt::format("gave no answer within {} s", timeout_s));
    case session::ReadOutcome::too_long: lose("answered with a line that does not end");
    case session::ReadOutcome::end_of_file: lose("closed its output");
  }
  take(line);
}

void BenchClient::watch(std::function<bool()> const& is_done, double timeout_s) {
  // Rare enough that a check, of a microsecond or two, hardly ever coincides with the end of a batch.
  constexpr double kLookS = 1e-3;
  auto const end = session::deadline_after(timeout_s);
  auto look = session::deadline_after(kLookS);
  while (!is_done()) {
    auto const now = std::chrono::steady_clock::now();
    if (now >= end) lose(fmt::format("did not come to the end of a batch within {} s", timeout_s));
    if (now >= look) {
      std::string line;
      auto const outcome = process_.read_line(line, now);
      if (outcome == session::ReadOutcome::line) {
        take(line);
        answered_ = true;
        if (!is_done()) lose("answered before the end of its batch");
      } else if (outcome != session::ReadOutcome::deadline) {
        lose("closed its output");
      }
      look = session::deadline_after(kLookS);
    }
    std::this_thread::yield();
  }
}

void BenchClient::take(std::string const& line) {
  protocol::SealedAnswer answer;
  try {
    answer = protocol::decode_sealed_answer(line, "its answer");
  } catch (model::FormatError const& error) {
    lose(fmt::format("answered what it should not: {}", error.what()));
  }
  if (!answer.error.empty()) throw BenchFailed(answer.error, answer.refused);
}

void BenchClient::lose(std::string const& how) {
  auto const exit = process_.wait(session::deadline_after(1));
  std::string const end = exit ? exit->describe() : "it was still running and was killed";
  if (!exit) (void)process_.kill();
  std::string tail = process_.error_tail();
  while (!tail.empty() && tail.back() == '\n') tail.pop_back();
  throw BenchLost(fmt::format("{} ({}){}", how, end, tail.empty() ? "" : "; last words: " + tail));
}

}  // namespace perfcheck::sealed

// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A worker with one operation, whose kernels compute nothing. A kernel's name decides the results of its verification
// and of its timed outputs.
#pragma once

#include "server.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace perfcheck::worker {

/// How often the fake kernels were verified and launched.
struct Calls {
  int verifications = 0;
  int launches = 0;
};

/// Kernels `fake/set/*` in the file kFakeFile: good, hungry (for memory), needs_gpu, reference (of a library), refuses,
/// spoils_later, throws and wrong. Problems: all launches of "long" and the second one of "hiccup" take longer;
/// "bad_reference" has a wrong reference and "no_reference" none; "only_good" concerns one kernel; "nonsense" is not a
/// problem; any other text is an ordinary problem.
std::unique_ptr<Operation> fake_operation(Calls& calls);
/// The source file that the fake kernels name.
extern char const* const kFakeFile;

class ServerTest : public testing::Test {
 protected:
  ServerTest() {
    setup_.name = "fake-worker";
    setup_.backend = "cpu";
    setup_.make_backend = [](int index) {
      if (index > 0) {
        throw device::DeviceError("there is no device 1", false);
      }
      return device::make_cpu_backend();
    };
    setup_.operations.push_back(fake_operation(calls_));
    setup_.omitted = {{.set = "fake/tensor", .reason = "needs 90a"}};
  }

  /// The answers to one request.
  std::vector<protocol::Answer> ask(protocol::Request const& request) { return ask_line(protocol::encode(request)); }
  std::vector<protocol::Answer> ask_line(std::string const& line) {
    if (!server_) {
      server_.emplace(setup_, [this](std::string const& text) {
        lines_.push_back(text);
        if (text.find(R"("phase":"measure")") != std::string::npos) {
          launches_before_rounds_ = calls_.launches;
        }
      });
    }
    lines_.clear();
    alive_ = server_->handle(line);
    std::vector<protocol::Answer> answers;
    for (auto const& text : lines_) {
      answers.push_back(protocol::decode_answer(text, "server"));
    }
    return answers;
  }
  template <typename Kind>
  Kind last(std::vector<protocol::Answer> const& answers) {
    EXPECT_FALSE(answers.empty());
    return std::get<Kind>(answers.back());
  }
  model::CaseResult measure(std::string const& id, protocol::MeasureOptions options = {}) {
    options.max_seconds = 0.02;
    options.replay_ms = 0.2;
    return last<protocol::ResultAnswer>(ask(protocol::MeasureRequest{.case_id = id, .options = options})).result;
  }
  void hello() { (void)last<protocol::HelloAnswer>(ask(protocol::HelloRequest{.client = "test"})); }

  Calls calls_;
  int launches_before_rounds_ = 0;
  bool alive_ = true;
  WorkerSetup setup_;
  std::vector<std::string> lines_;
  std::optional<Server> server_;
};

}  // namespace perfcheck::worker

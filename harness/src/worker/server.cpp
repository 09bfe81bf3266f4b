// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "server.h"

#include "launches_of.h"
#include "object_launch.h"
#include "registry.h"

#include "perfcheck/model/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <type_traits>

namespace perfcheck::worker {
namespace {

/// Which way of timing this is (model::Environment). 2: every replay has inputs of its own and a clean cache, and is
/// proven (docs/trust.md).
constexpr int kTiming = 2;

}  // namespace

Server::Server(WorkerSetup& setup, std::function<void(std::string const&)> send)
    : setup_(setup),
      send_(std::move(send)),
      operations_(names_of(setup.operations)),
      kernels_(registered_kernels(operations_, setup.kernel_sources)) {}

void Server::send(protocol::Answer const& answer) { send_(protocol::encode(answer)); }

void Server::fail(std::string const& code, std::string const& message) {
  send(protocol::ErrorAnswer{.code = code, .message = message});
}

bool Server::handle(std::string const& line) {
  protocol::Request request;
  try {
    request = protocol::decode_request(line, "standard input");
  } catch (model::FormatError const& error) {
    fail("protocol", error.what());
    return true;
  }
  if (std::holds_alternative<protocol::ByeRequest>(request)) {
    return false;
  }
  if (!backend_ && !std::holds_alternative<protocol::HelloRequest>(request)) {
    fail("protocol", "the first request must be hello");
    return true;
  }
  std::visit(
      [this](auto const& message) {
        using Message = std::decay_t<decltype(message)>;
        if constexpr (std::is_same_v<Message, protocol::HelloRequest>) {
          hello(message);
        } else if constexpr (std::is_same_v<Message, protocol::PlanRequest>) {
          plan(message);
        } else if constexpr (std::is_same_v<Message, protocol::MeasureRequest>) {
          measure(message);
        } else if constexpr (std::is_same_v<Message, protocol::LaunchesRequest>) {
          launches(message);
        }
      },
      request);
  return !context_lost_;
}

void Server::hello(protocol::HelloRequest const& request) {
  if (request.protocol != protocol::kProtocolVersion) {
    fail("protocol", fmt::format("{} speaks protocol {}, not {}: use a perfcheck and a worker of the same version",
                                 setup_.name, protocol::kProtocolVersion, request.protocol));
    return;
  }
  if (backend_) {
    fail("protocol", "hello was already said");
    return;
  }
  try {
    backend_ = setup_.make_backend(request.device);
  } catch (device::DeviceError const& error) {
    fail("no_device", error.what());
    return;
  }
  protocol::HelloAnswer answer;
  answer.worker = {.name = setup_.name,
                   .backend = setup_.backend,
                   .operation = operations_.front(),
                   .operations = operations_.size() > 1 ? operations_ : std::vector<std::string>{},
                   .build = setup_.build};
  answer.device = backend_->info();
  present_device() = answer.device.slug;
  answer.environment = backend_->environment();
  answer.environment.libraries = library_versions(kernels_);
  answer.environment.timing = kTiming;
  answer.state = backend_->state();
  answer.skips_verification = true;
  answer.tells_launches = true;
  for (auto const* kernel : kernels_) {
    model::KernelEntry entry{.id = kernel->id(),
                             .summary = kernel->summary,
                             .file = kernel->file,
                             .arch = arch_text(kernel->arch),
                             .library = kernel->library == nullptr ? "" : kernel->library->name,
                             .line = kernel->line,
                             .executes = kernel->executes,
                             .work_share = kernel->work_share,
                             .unavailable = std::nullopt,
                             .reason = ""};
    if (auto const refusal = backend_->refusal(kernel->arch)) {
      entry.unavailable = model::SkipReason::architecture;
      entry.reason = *refusal;
    }
    answer.kernels.push_back(entry);
  }
  for (auto const& omitted : setup_.omitted) {
    answer.kernels.push_back({.id = omitted.set + "/*",
                              .summary = "left out of this build",
                              .file = "",
                              .arch = "",
                              .library = "",
                              .line = 0,
                              .executes = "",
                              .unavailable = model::SkipReason::not_built,
                              .reason = omitted.reason});
  }
  send(answer);
}

KernelInfo const* Server::kernel(std::string const& id) const {
  auto const found = std::find_if(kernels_.begin(), kernels_.end(), [&](auto const* k) { return k->id() == id; });
  return found == kernels_.end() ? nullptr : *found;
}

NamedProblem& Server::problem(std::string const& text) {
  auto const found = problems_.find(text);
  return found != problems_.end() ? found->second
                                  : problems_.emplace(text, parse_problem(setup_.operations, text)).first->second;
}

std::string Server::reference_id(NamedProblem const& problem, KernelInfo const& kernel, std::string const& id) const {
  auto const reference = problem.reference(kernel);
  auto const* other = this->kernel(reference.kernel);
  // No reference in this program, or one that cannot run here: the case is its own control.
  if (other == nullptr || backend_->refusal(other->arch)) {
    return id;
  }
  return model::case_id(reference.kernel, reference.problem);
}

void Server::plan(protocol::PlanRequest const& request) {
  protocol::PlanAnswer answer;
  std::map<std::string, std::string> asked;  // the text that was asked for, by canonical text
  for (auto const& text : request.problems) {
    std::optional<NamedProblem> problem;
    try {
      problem.emplace(parse_problem(setup_.operations, text));
    } catch (std::invalid_argument const& error) {
      answer.rejected.push_back({.problem = text, .message = error.what()});
      continue;
    }
    if (auto const [same, is_new] = asked.emplace(problem->text(), text); !is_new) {
      answer.rejected.push_back(
          {.problem = text, .message = fmt::format("it means the same as \"{}\"; leave one out", same->second)});
      continue;
    }
    if (auto axes = (*problem)->axes(); !axes.empty()) {
      model::add_problems(answer.problems, {{.text = problem->text(), .axes = std::move(axes)}});
    }
    for (auto const* kernel : kernels_) {
      if (!problem->concerns(*kernel)) {
        continue;
      }
      protocol::PlannedCase planned;
      planned.id = model::case_id(kernel->id(), problem->text());
      planned.reference = reference_id(*problem, *kernel, planned.id);
      planned.work = (*problem)->work();
      planned.arithmetic = (*problem)->arithmetic();
      if (auto const arch = backend_->refusal(kernel->arch)) {
        planned.skip_reason = model::SkipReason::architecture;
        planned.reason = *arch;
      } else if (auto const refusal = (*problem)->refusal(*kernel)) {
        planned.skip_reason = model::SkipReason::refused;
        planned.reason = *refusal;
      }
      answer.cases.push_back(planned);
    }
  }
  std::sort(answer.cases.begin(), answer.cases.end(), [](auto const& a, auto const& b) { return a.id < b.id; });
  send(answer);
}

Subject Server::subject_of(std::string const& case_id) {
  auto const name = model::split_case_id(case_id);
  auto const* kernel = this->kernel(name.kernel);
  if (kernel == nullptr) {
    throw std::invalid_argument(fmt::format("no kernel {} in {}", name.kernel, setup_.name));
  }
  // Reference results of earlier problems are freed first: two large ones may not fit side by side.
  std::erase_if(problems_, [&](auto const& entry) { return entry.first != name.problem; });
  NamedProblem const& asked = problem(name.problem);
  if (asked.operation() != kernel->operation) {
    throw std::invalid_argument(
        fmt::format("{} is a kernel of {}, the problem is of {}", name.kernel, kernel->operation, asked.operation()));
  }
  return {.kernel = kernel, .problem = &*asked, .case_id = case_id};
}

void Server::measure(protocol::MeasureRequest const& request) {
  if (request.options.seed != known_seed_ || request.options.replay_ms != known_replay_ms_) {
    known_ = {};
    known_seed_ = request.options.seed;
    known_replay_ms_ = request.options.replay_ms;
  }
  try {
    Subject const subject = subject_of(request.case_id);
    NamedProblem const& asked = problem(model::split_case_id(request.case_id).problem);
    Subject reference = subject;
    if (auto const id = reference_id(asked, *subject.kernel, request.case_id); id != request.case_id) {
      auto const other = model::split_case_id(id);
      reference = {.kernel = this->kernel(other.kernel), .problem = &*problem(other.problem), .case_id = id};
    }
    auto measured = measure_case(*backend_, subject, reference, request.options, known_, [&](char const* phase) {
      send(protocol::ProgressAnswer{.case_id = request.case_id, .phase = phase});
    });
    if (measured.result.status == model::CaseStatus::measured && measured.result.launches.empty()) {
      measured.result.launches = launch_of_object(*subject.kernel, setup_.kernel_objects);
    }
    bool const asks_for_another = measured.wants_fresh_process && measured_cases_ > 0;
    if (asks_for_another) measured.result.status = model::CaseStatus::failed;  // that is how the protocol asks
    context_lost_ = measured.context_lost || asks_for_another;
    ++measured_cases_;
    send(protocol::ResultAnswer{.result = measured.result, .context_lost = context_lost_});
  } catch (std::invalid_argument const& error) {
    fail("unknown_case", fmt::format("{}: {}", request.case_id, error.what()));
  }
}

void Server::launches(protocol::LaunchesRequest const& request) {
  try {
    auto const answer = launches_of(*backend_, subject_of(request.case_id), setup_.kernel_objects);
    context_lost_ = answer.context_lost;
    send(answer);
  } catch (std::invalid_argument const& error) {
    fail("unknown_case", fmt::format("{}: {}", request.case_id, error.what()));
  }
}

}  // namespace perfcheck::worker

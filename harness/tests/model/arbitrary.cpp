// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Random valid values, including ones that nobody would think of.
#include "perfcheck/model/one_line.h"
#include "samples.h"

#include <cmath>
#include <limits>

namespace perfcheck::model::samples {
namespace {

class Dice {
 public:
  explicit Dice(std::mt19937_64& random) : random_(random) {}

  std::size_t below(std::size_t count) { return random_() % count; }
  bool flip() { return below(2) == 0; }
  int integer() { return static_cast<int>(below(std::numeric_limits<int>::max())); }
  int64_t wide() { return static_cast<int64_t>(random_() >> (1 + below(60))); }
  uint64_t bits() { return random_(); }

  /// A positive number, from subnormal to the largest, sometimes a whole number.
  double positive() {
    switch (below(8)) {
      case 0: return std::numeric_limits<double>::denorm_min();
      case 1: return std::numeric_limits<double>::max();
      case 2: return static_cast<double>(1 + below(1000000000));
      case 3: return 0.9999995;  // rounds up to a different number of digits
      default: {
        double const mantissa = 1.0 + static_cast<double>(random_() >> 11) / 9007199254740992.0;
        return std::ldexp(mantissa, static_cast<int>(below(200)) - 100);
      }
    }
  }
  double not_negative() { return flip() ? (flip() ? 0.0 : -0.0) : positive(); }

  std::string text() {
    static std::vector<std::string> const pieces = {"a",  "Z",    "0", " ",   "\"", "\\",       "\n",
                                                    "\t", "\x01", "{", "[",   ",",  "\xC3\xA9", "\xF0\x9F\x9A\x80",
                                                    "@",  "/",    ":", "null"};
    std::string text;
    for (std::size_t i = below(12); i > 0; --i) {
      text += pieces[below(pieces.size())];
    }
    return text;
  }
  std::string name() { return text() + "n" + std::to_string(below(1000)); }
  std::string slug() { return slug_of(name()); }
  std::string id(std::string const& unique) { return one_line("k" + name() + unique + "@" + name()); }

  template <typename F>
  auto some(F f, std::size_t most = 4) {
    std::vector<decltype(f())> values;
    for (std::size_t i = below(most + 1); i > 0; --i) {
      values.push_back(f());
    }
    return values;
  }
  std::vector<std::string> texts() {
    return some([this] { return text(); });
  }
  std::vector<double> column(std::size_t count) {
    std::vector<double> values(count);
    for (double& value : values) {
      value = positive();
    }
    return values;
  }
  std::optional<double> maybe() { return flip() ? std::optional(positive()) : std::nullopt; }
  template <typename F>
  auto map_of(F f) {
    std::map<std::string, decltype(f())> values;
    for (std::size_t i = below(4); i > 0; --i) {
      values[text()] = f();
    }
    return values;
  }

 private:
  std::mt19937_64& random_;
};

DeviceInfo device(Dice& dice) {
  DeviceInfo device;
  device.backend = dice.name();
  device.index = dice.integer();
  device.name = dice.name();
  device.slug = dice.slug();
  device.uuid = dice.text();
  device.compute_capability = dice.text();
  device.multiprocessors = dice.integer();
  device.memory_bytes = dice.wide();
  device.cache_bytes = dice.wide();
  device.max_clock_mhz = dice.not_negative();
  device.peak_tflops = dice.map_of([&dice] { return dice.positive(); });
  device.peak_gb_s = dice.maybe();
  device.peak_cache_gb_s = dice.maybe();
  device.empty_launch_ns = dice.maybe();
  return device;
}

Environment environment(Dice& dice) {
  Environment environment;
  for (std::string* field : {&environment.driver, &environment.cuda_driver, &environment.cuda_runtime,
                             &environment.persistence_mode, &environment.ecc, &environment.mig,
                             &environment.compute_mode, &environment.host, &environment.os, &environment.cpu}) {
    *field = dice.text();
  }
  environment.libraries = dice.map_of([&dice] { return dice.text(); });
  environment.power_limit_w = dice.maybe();
  environment.timing = 1 + dice.integer();
  environment.warnings = dice.texts();
  return environment;
}

LaunchAttributes launch(Dice& dice) {
  return {.function = dice.name(),
          .grid = {1 + dice.integer(), 1 + dice.integer(), 1},
          .block = {1 + dice.integer(), 1, 1 + dice.integer()},
          .registers = dice.integer(),
          .shared_bytes = dice.wide(),
          .local_bytes = dice.wide(),
          .blocks_per_sm = dice.integer(),
          .occupancy = static_cast<double>(dice.below(1001)) / 1000,
          .machine_code = dice.text(),
          .called_code = dice.text(),
          .constants = dice.text(),
          .arguments = dice.text(),
          .attributes = dice.text(),
          .other_nodes = dice.text(),
          .graph = dice.text()};
}

Check check(Dice& dice, bool passed) {
  return {.name = dice.name(), .passed = passed, .error_over_bound = dice.maybe(), .detail = dice.text()};
}

Verification verification(Dice& dice, bool passed) {
  Verification verification{.passed = passed, .checks = {check(dice, passed)}};
  for (std::size_t i = dice.below(4); i > 0; --i) {
    verification.checks.push_back(check(dice, true));
  }
  return verification;
}

Rounds rounds(Dice& dice) {
  std::size_t const count = 1 + dice.below(20);
  return {.launches = 1 + dice.integer() / 2,
          .reference_launches = 1 + dice.integer() / 2,
          .time_ns = dice.column(count),
          .reference_time_ns = dice.column(count),
          .clock_mhz = dice.column(dice.flip() ? count : 0),
          .reference_clock_mhz = dice.column(dice.flip() ? count : 0)};
}

Proof proof(Dice& dice) {
  int const compared = static_cast<int>(dice.below(100));
  return {.replays = compared + static_cast<int>(dice.below(100)),
          .compared = compared,
          .outputs_compared = compared + static_cast<int64_t>(dice.below(1000)),
          .clock_deviation = dice.not_negative()};
}

DeviceState state(Dice& dice) {
  return {.sm_clock_mhz = dice.maybe(),
          .memory_clock_mhz = dice.maybe(),
          .power_w = dice.maybe(),
          .temperature_c = dice.maybe(),
          .throttle_reasons = dice.texts(),
          .other_processes = dice.flip() ? std::optional(dice.integer()) : std::nullopt,
          .processes = dice.texts(),
          .faults = dice.texts()};
}

CaseResult case_result(Dice& dice, std::string const& unique) {
  CaseResult result;
  result.id = dice.id(unique);
  result.reference = dice.flip() ? result.id : dice.id("reference");
  result.status = static_cast<CaseStatus>(dice.below(case_status_texts().size()));
  bool const measured = result.status == CaseStatus::measured;
  result.message = measured ? dice.text() : dice.name();
  if (result.status == CaseStatus::skipped) {
    result.skip_reason = static_cast<SkipReason>(dice.below(skip_reason_texts().size()));
  }
  if (measured || result.skip_reason == SkipReason::verify_only) {
    result.verification = verification(dice, true);
  } else if (result.status == CaseStatus::incorrect || dice.flip()) {
    result.verification = verification(dice, false);
  }
  result.launches = dice.some([&dice] { return launch(dice); }, 2);
  result.work = {.flop = dice.not_negative(), .bytes = static_cast<double>(dice.wide())};
  result.arithmetic = dice.text();
  if (measured) {
    result.rounds = rounds(dice);
    if (dice.flip()) {
      result.proof = proof(dice);
    }
  }
  if (dice.flip()) {
    result.state = state(dice);
  }
  result.stop_reason = dice.text();
  result.injected_percent = dice.not_negative();
  result.unfit = dice.texts();
  result.seconds = dice.not_negative();
  if (dice.flip()) {
    result.device_seconds = dice.not_negative();
  }
  return result;
}

KernelEntry kernel(Dice& dice, std::string const& unique) {
  KernelEntry kernel{.id = dice.name() + unique,
                     .summary = dice.text(),
                     .file = dice.text(),
                     .arch = dice.text(),
                     .library = dice.text(),
                     .line = dice.integer(),
                     .executes = dice.text(),
                     .work_share = dice.not_negative(),
                     .unavailable = std::nullopt,
                     .reason = ""};
  if (dice.flip()) {
    kernel.unavailable = static_cast<SkipReason>(dice.below(skip_reason_texts().size()));
    kernel.reason = dice.name();
  }
  return kernel;
}

/// Makes a result an imported one: without verification, and without reference times if the case is its own control.
CaseResult imported(Dice& dice, CaseResult result) {
  if (result.status == CaseStatus::measured && dice.flip()) {
    result.verification.reset();
  }
  if (result.rounds && result.reference == result.id && dice.flip()) {
    result.rounds->reference_launches = 0;
    result.rounds->reference_time_ns.clear();
  }
  return result;
}

Session session(Dice& dice, std::string const& unique, bool is_imported) {
  Session session;
  session.id = dice.name() + unique;
  session.started = dice.name();
  session.purpose = static_cast<SessionPurpose>(dice.below(session_purpose_texts().size()));
  session.device = device(dice);
  session.environment = environment(dice);
  session.seed = dice.bits();
  session.restarts = dice.integer();
  for (std::size_t i = dice.below(5); i > 0; --i) {
    CaseResult result = case_result(dice, "#" + std::to_string(i));
    session.cases.push_back(is_imported ? imported(dice, std::move(result)) : std::move(result));
  }
  return session;
}

}  // namespace

Run arbitrary_run(std::mt19937_64& random) {
  Dice dice(random);
  Run run;
  run.id = dice.name();
  run.started = dice.name();
  run.seconds = dice.not_negative();
  run.tool_version = dice.text();
  run.imported_from = dice.text();
  run.source = {.commit = dice.text(),
                .branch = dice.text(),
                .subject = dice.text(),
                .author = dice.text(),
                .committed = dice.text(),
                .repository = dice.text(),
                .dirty = dice.flip()};
  run.worker = {.name = dice.name(),
                .backend = dice.name(),
                .operation = dice.slug(),
                .build = {.version = dice.text(),
                          .compiler = dice.text(),
                          .cuda_toolkit = dice.text(),
                          .architectures = dice.text(),
                          .build_type = dice.text(),
                          .flags = dice.text()}};
  if (dice.flip()) {
    run.worker.operations = {run.worker.operation, run.worker.operation + "-2"};
  }
  for (std::size_t i = dice.below(3); i > 0; --i) {
    run.problems.push_back({.text = dice.name() + std::to_string(i),
                            .axes = {{dice.name() + "1", dice.name()}, {dice.name() + "2", dice.integer()}}});
  }
  run.suite = dice.text();
  run.filters = dice.texts();
  run.injected = dice.texts();
  if (dice.flip()) {
    int const count = 1 + static_cast<int>(dice.below(9));
    run.shard = Shard{.index = static_cast<int>(dice.below(count + 1)), .count = count, .fan_out = dice.text()};
  }
  for (std::size_t i = dice.below(4); i > 0; --i) {
    run.kernels.push_back(kernel(dice, "#" + std::to_string(i)));
    run.sessions.push_back(session(dice, "#" + std::to_string(i), !run.imported_from.empty()));
    if (dice.flip()) {
      run.base_sessions.push_back(session(dice, "#" + std::to_string(i), !run.imported_from.empty()));
    }
  }
  return run;
}

Baseline arbitrary_baseline(std::mt19937_64& random) {
  Dice dice(random);
  Baseline baseline{.operation = dice.slug(),
                    .device_slug = dice.slug(),
                    .device_name = dice.name(),
                    .accepted = {},
                    .sessions = {},
                    .cases = {}};
  baseline.accepted = dice.some([&dice] {
    return Acceptance{.who = dice.text(),
                      .when = dice.text(),
                      .commit = dice.text(),
                      .why = dice.text(),
                      .sessions = dice.texts(),
                      .cases = dice.integer(),
                      .despite = dice.some([&dice] {
                        return Despite{.finding = dice.name(), .text = dice.text(), .why = dice.name()};
                      })};
  });
  for (std::size_t i = 1 + dice.below(5); i > 0; --i) {
    baseline.sessions.push_back({.id = dice.text() + std::to_string(i),
                                 .started = dice.name(),
                                 .device_uuid = dice.text(),
                                 .driver = dice.text(),
                                 .cuda_runtime = dice.text(),
                                 .libraries = dice.map_of([&dice] { return dice.text(); }),
                                 .power_limit_w = dice.maybe(),
                                 .timing = 1 + dice.integer(),
                                 .commit = dice.text(),
                                 .suite = dice.text(),
                                 .run_session = dice.text()});
  }
  for (std::size_t i = dice.below(5); i > 0; --i) {
    std::size_t const count = 1 + dice.below(baseline.sessions.size());
    BaselineCase entry{.reference = dice.id(""),
                       .machine_code = dice.text(),
                       .launches = dice.text(),
                       .work = dice.text(),
                       .session = {},
                       .time_ns = dice.column(count),
                       .ratio = dice.column(count),
                       .cycles = dice.column(dice.flip() ? count : 0),
                       .launched = dice.some([&dice] { return launch(dice); }, 3),
                       .input_policy = std::nullopt,
                       .clock_mhz = dice.column(dice.flip() ? count : 0),
                       .power_w = dice.column(dice.flip() ? count : 0),
                       .tail = dice.column(dice.flip() ? count : 0)};
    if (dice.flip()) {
      entry.input_policy = InputPolicy{.arithmetic = dice.text(),
                                       .work = {.flop = dice.not_negative(), .bytes = static_cast<double>(dice.wide())},
                                       .replay_launches = 1 + dice.integer() / 2};
    }
    for (std::size_t k = 0; k < count; ++k) {
      entry.session.push_back(baseline.sessions[k].id);
    }
    baseline.cases[dice.id("")] = std::move(entry);
  }
  return baseline;
}

}  // namespace perfcheck::model::samples

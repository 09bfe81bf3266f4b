// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Google Benchmark's JSON. A file becomes one session, its repetitions the rounds.
#include "foreign_run.h"
#include "formats.h"
#include "names.h"
#include "perfcheck/model/json.h"
#include "perfcheck/model/object_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>
#include <set>

namespace perfcheck::importing {
namespace {

using model::ObjectReader;
using nlohmann::json;

constexpr double kBytesPerMiB = 1024.0 * 1024.0;

/// The results of one benchmark with its arguments.
struct Benchmark {
  std::string name;
  std::string registration;         ///< tells two benchmarks of the same name apart; empty where the file has none
  std::set<int64_t> repetitions;    ///< indices seen
  std::vector<double> times_ns;     ///< of the repetitions
  std::optional<double> median_ns;  ///< the program's own median; used if the file leaves out the repetitions
  int64_t iterations = 0;
  double seconds = 0;
  std::string error, skipped;
};

class Reader {
 public:
  Reader(json const& root, std::string_view origin, ImportOptions const& options)
      : origin_(origin), options_(options), root_(root, origin, "") {}

  ForeignRun read() {
    ForeignRun run{.tool = "Google Benchmark", .library = "google-benchmark", .operation = "gbench"};
    read_context(run);
    read_benchmarks();
    for (Benchmark const& benchmark : benchmarks_) {
      run.cases.push_back(case_of(benchmark, run.program));
    }
    return run;
  }

 private:
  void read_context(ForeignRun& run) {
    ObjectReader context(root_.object("context"), origin_, root_.place_of("context"));
    run.version = context.text_or("library_version", "");
    if (run.version.starts_with('v')) {
      run.version.erase(0, 1);
    }
    run.program = program_of(context.text_or("executable", ""), "benchmark");
    if (context.has("date")) {
      std::string const date = context.text("date");
      std::optional<std::string> const utc = utc_of(date);
      if (!utc) {
        context.fail("date", fmt::format("is {}, not a moment such as 2026-11-22T07:40:36+00:00; record the file again "
                                         "with Google Benchmark 1.5.1 or newer",
                                         shown(date)));
      }
      run.started = *utc;
    }
    // Google Benchmark itself does not record the commit; --benchmark_context=commit=... adds it.
    run.source.commit = context.text_or("commit", "");
    run.source.branch = context.text_or("branch", "");
    run.source.subject = context.text_or("subject", "");
    read_machine(run, context);
  }

  void read_machine(ForeignRun& run, ObjectReader& context) {
    run.device.backend = "cpu";
    run.device.multiprocessors = context.small_integer("num_cpus", 1);
    run.device.max_clock_mhz = context.number_or("mhz_per_cpu", 0, 0);
    int64_t const level = read_last_cache(run.device, context);
    // The clock is not part of the name: where the system does not report it, the library measures it, and it differs
    // from run to run.
    run.device.name = fmt::format("{} CPU{}", run.device.multiprocessors, run.device.multiprocessors == 1 ? "" : "s");
    if (level > 0) {
      run.device.name +=
          fmt::format(", {:g} MiB L{}", static_cast<double>(run.device.cache_bytes) / kBytesPerMiB, level);
    }
    run.environment.host = one_line(context.text_or("host_name", ""));
    if (context.has("library_build_type") && context.text("library_build_type") == "debug") {
      run.environment.warnings.emplace_back(
          "the Google Benchmark library was built with assertions (debug), which may slow down what it times; link a "
          "release build");
    }
    if (context.has("cpu_scaling_enabled") && context.boolean("cpu_scaling_enabled")) {
      run.environment.warnings.emplace_back(
          "the CPU's clock scales with the load, and times with it; choose the performance governor");
    }
    if (options_.device_name.empty()) {
      run.environment.warnings.emplace_back(
          "Google Benchmark does not name the processor; tell machines apart with --device-name");
    }
  }

  /// Level of the last-level cache; 0 when the file names none.
  int64_t read_last_cache(model::DeviceInfo& device, ObjectReader& context) {
    int64_t last = 0;
    if (!context.has("caches")) {
      return last;
    }
    json const& caches = context.array("caches");
    for (std::size_t i = 0; i < caches.size(); ++i) {
      ObjectReader cache(caches[i], origin_, context.place_of("caches", i));
      int64_t const level = cache.integer("level", 0);
      int64_t const size = cache.integer("size", 0);
      if (level > last && size > 0) {
        last = level;
        device.cache_bytes = size;
      }
    }
    return last;
  }

  void read_benchmarks() {
    json const& entries = root_.array("benchmarks");
    for (std::size_t i = 0; i < entries.size(); ++i) {
      ObjectReader entry(entries[i], origin_, root_.place_of("benchmarks", i));
      std::string const name = entry.nonempty_text(entry.has("run_name") ? "run_name" : "name");
      if (entry.choice("run_type", {"iteration", "aggregate"}) == "iteration") {
        add_repetition(benchmark(name, entry), entry);
      } else if (entry.text_or("aggregate_name", "") == "median") {
        Benchmark& aggregated = benchmark(name, entry);
        if (aggregated.median_ns) {
          fail_as_twin(name, entry);
        }
        aggregated.median_ns = time_ns(name, entry);
      }
    }
  }

  Benchmark& benchmark(std::string const& name, ObjectReader& entry) {
    std::string const registration =
        entry.has("family_index") && entry.has("per_family_instance_index")
            ? fmt::format("{}.{}", entry.integer("family_index", 0), entry.integer("per_family_instance_index", 0))
            : "";
    auto const [place, is_new] = index_.emplace(name, benchmarks_.size());
    if (is_new) {
      benchmarks_.push_back({.name = name, .registration = registration});
    } else if (benchmarks_[place->second].registration != registration) {
      fail_as_twin(name, entry);
    }
    return benchmarks_[place->second];
  }

  [[noreturn]] static void fail_as_twin(std::string const& name, ObjectReader const& entry) {
    entry.fail("name", fmt::format("two benchmarks are named {}, so nothing tells their times apart; give one another "
                                   "name",
                                   shown(name)));
  }

  static double time_ns(std::string const& name, ObjectReader& entry) {
    std::string const unit = entry.choice("time_unit", {"ns", "us", "ms", "s"});
    double const factor = unit == "ns" ? 1 : unit == "us" ? 1e3 : unit == "ms" ? 1e6 : 1e9;
    return entry.positive(wants_process_time(name) ? "cpu_time" : "real_time") * factor;
  }

  static void add_repetition(Benchmark& benchmark, ObjectReader& entry) {
    if (entry.has("repetition_index") && !benchmark.repetitions.insert(entry.integer("repetition_index", 0)).second) {
      fail_as_twin(benchmark.name, entry);
    }
    if (entry.has("error_occurred") && entry.boolean("error_occurred")) {
      std::string const message = one_line(entry.text_or("error_message", ""));
      benchmark.error = message.empty() ? "the benchmark reported an error without a message" : message;
      return;
    }
    if (entry.has("skipped") && entry.boolean("skipped")) {
      std::string const message = one_line(entry.text_or("skip_message", ""));
      benchmark.skipped = message.empty() ? "the benchmark gave no reason" : message;
      return;
    }
    double const time = time_ns(benchmark.name, entry);
    benchmark.times_ns.push_back(time);
    int64_t const iterations = entry.integer("iterations", 1);
    benchmark.iterations = benchmark.iterations == 0 ? iterations : benchmark.iterations;
    benchmark.seconds += time * 1e-9 * static_cast<double>(iterations);
  }

  static model::CaseResult case_of(Benchmark const& benchmark, std::string const& program) {
    model::CaseResult result = foreign_case(google_benchmark_name(program, benchmark.name));
    if (!benchmark.error.empty()) {
      result.status = model::CaseStatus::failed;
      result.message = benchmark.error;
      return result;
    }
    if (!benchmark.skipped.empty()) {
      result.status = model::CaseStatus::skipped;
      result.skip_reason = model::SkipReason::refused;
      result.message = benchmark.skipped;
      return result;
    }
    result.status = model::CaseStatus::measured;
    result.seconds = benchmark.seconds;
    model::Rounds rounds{.launches = static_cast<int>(std::clamp<int64_t>(benchmark.iterations, 1, INT_MAX))};
    rounds.time_ns = benchmark.times_ns.empty() ? std::vector{benchmark.median_ns.value()} : benchmark.times_ns;
    result.rounds = std::move(rounds);
    return result;
  }

  std::string_view origin_;
  ImportOptions const& options_;
  ObjectReader root_;
  std::vector<Benchmark> benchmarks_;  ///< in the order of the file
  std::map<std::string, std::size_t> index_;
};

}  // namespace

std::string with_quoted_non_numbers(std::string_view text) {
  static constexpr std::array<std::string_view, 4> kNonNumbers = {"NaN", "-NaN", "Infinity", "-Infinity"};
  std::string result;
  result.reserve(text.size());
  bool in_text = false;
  while (!text.empty()) {
    std::size_t taken = in_text && text.front() == '\\' && text.size() > 1 ? 2 : 1;
    auto const* const found = std::find_if(kNonNumbers.begin(), kNonNumbers.end(),
                                           [text](std::string_view word) { return text.starts_with(word); });
    if (!in_text && found != kNonNumbers.end()) {
      result += '"';
      result += *found;
      result += '"';
      taken = found->size();
    } else {
      in_text = text.front() == '"' ? !in_text : in_text;
      result += text.substr(0, taken);
    }
    text.remove_prefix(taken);
  }
  return result;
}

model::Run run_from_google_benchmark(std::string_view text, std::string_view origin, ImportOptions const& options) {
  json const root = model::parse_strict(with_quoted_non_numbers(text), origin);
  ForeignRun run = Reader(root, origin, options).read();
  run.id = id_from_text("gbench", text);
  return assembled(std::move(run), options, origin);
}

}  // namespace perfcheck::importing

// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// NVBench's JSON. A file becomes one session, its samples (or their median or mean) the rounds.
#include "foreign_run.h"
#include "formats.h"
#include "names.h"
#include "nvbench_summaries.h"
#include "perfcheck/model/json.h"
#include "perfcheck/model/object_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace perfcheck::importing {
namespace {

using model::ObjectReader;
using nlohmann::json;

// The format version that is read here; NVBench raises it when old readers would misread the format.
constexpr int64_t kFormatVersion = 1;
constexpr double kNsPerSecond = 1e9;
constexpr double kHzPerMhz = 1e6;
// Prefix of the skip reason when NVBench gives up a state because of an exception.
constexpr char const* kErrorPrefix = "Unexpected error";

/// The rounds of a case, from the best data that the state has: all samples, else their median, else their mean.
model::Rounds rounds_of(ObjectReader& state, std::string_view origin, ImportOptions const& options) {
  Summaries const summaries(state, origin);
  model::Rounds rounds{.launches = 1};
  if (auto const samples = summaries.side_file("nv/json/bin:nv/cold/sample_times", options)) {
    rounds.time_ns = *samples;
    // Without clocks per sample there are none: the mean clock of all samples belongs to no single one.
    rounds.clock_mhz =
        summaries.side_file("nv/json/freqs-bin:nv/cold/sample_freqs", options).value_or(std::vector<double>());
    if (!rounds.clock_mhz.empty() && rounds.clock_mhz.size() != rounds.time_ns.size()) {
      state.fail("summaries", fmt::format("there are {} clocks for {} samples; record the file again",
                                          rounds.clock_mhz.size(), rounds.time_ns.size()));
    }
  } else {
    std::optional<double> time = summaries.positive("nv/cold/time/gpu/median");
    time = time ? time : summaries.positive("nv/cold/time/gpu/mean");
    if (!time) {
      state.fail("summaries",
                 "hold no time on the GPU (nv/cold/time/gpu/median or mean); leave this benchmark out with -b, or let "
                 "it call exec");
    }
    rounds.time_ns = {*time};
    if (auto const clock = summaries.positive("nv/cold/sm_clock_rate/mean")) {
      rounds.clock_mhz = {*clock};
    }
  }
  for (double& time : rounds.time_ns) {
    time *= kNsPerSecond;
  }
  for (double& clock : rounds.clock_mhz) {
    clock /= kHzPerMhz;
  }
  return rounds;
}

/// Number of bytes that the benchmark declares to move; 0 if it declares none.
double bytes_of(Summaries const& summaries) {
  auto const rate = summaries.if_positive("nv/cold/bw/global/bytes_per_second");
  auto const mean = summaries.if_positive("nv/cold/time/gpu/mean");
  return rate && mean ? std::round(*rate * *mean) : 0;
}

class Reader {
 public:
  Reader(json const& root, std::string_view origin, ImportOptions const& options)
      : origin_(origin), options_(options), root_(root, origin, "") {}

  ForeignRun read() {
    ForeignRun run{.tool = "NVBench", .library = "nvbench", .operation = "nvbench"};
    read_meta(run);
    int const device = the_device();
    read_device(run, device);
    json const& benchmarks = root_.array("benchmarks");
    for (std::size_t i = 0; i < benchmarks.size(); ++i) {
      ObjectReader benchmark(benchmarks[i], origin_, root_.place_of("benchmarks", i));
      std::string const kernel = run.program + "/" + escaped(benchmark.nonempty_text("name"));
      for_each_state(benchmark, [&](json const& source, ObjectReader& state, std::optional<int> on) {
        if (!on || *on == device) {
          run.cases.push_back(case_of(kernel, source, state, on.has_value()));
        }
      });
    }
    return run;
  }

  /// Tells the runs of several devices in one file apart; empty if there is only one device. Valid after read().
  std::string const& id_suffix() const { return id_suffix_; }

 private:
  void read_meta(ForeignRun& run) {
    ObjectReader meta(root_.object("meta"), origin_, "meta");
    ObjectReader version(meta.object("version"), origin_, "meta.version");
    ObjectReader format(version.object("json"), origin_, "meta.version.json");
    int64_t const major = format.integer("major", 0);
    if (major != kFormatVersion) {
      format.fail("major",
                  fmt::format("is {}, but this perfcheck reads version {} of NVBench's JSON; use the perfcheck "
                              "that goes with your NVBench",
                              major, kFormatVersion));
    }
    if (version.has("nvbench")) {
      ObjectReader tool(version.object("nvbench"), origin_, "meta.version.nvbench");
      run.version = one_line(tool.text_or("string", ""));
    }
    std::vector<std::string> const arguments = meta.has("argv") ? meta.texts("argv") : std::vector<std::string>();
    run.program = program_of(arguments.empty() ? "" : arguments.front(), "nvbench");
  }

  /// Calls `visit(source, reader, device)` for every state of a benchmark; `device` is empty for a state that is timed
  /// on the CPU alone.
  template <typename Visit>
  void for_each_state(ObjectReader& benchmark, Visit visit) {
    json const& states = benchmark.array("states");
    for (std::size_t i = 0; i < states.size(); ++i) {
      ObjectReader state(states[i], origin_, benchmark.place_of("states", i));
      bool const has_device = state.has("device") && !states[i].at("device").is_null();
      int64_t const device = has_device ? state.integer("device", -1, INT32_MAX) : -1;
      visit(states[i], state, device < 0 ? std::nullopt : std::optional(static_cast<int>(device)));
    }
  }

  /// The device whose results are imported.
  int the_device() {
    std::set<int> devices;
    json const& benchmarks = root_.array("benchmarks");
    for (std::size_t i = 0; i < benchmarks.size(); ++i) {
      ObjectReader benchmark(benchmarks[i], origin_, root_.place_of("benchmarks", i));
      for_each_state(benchmark, [&](json const&, ObjectReader&, std::optional<int> device) {
        if (device) {
          devices.insert(*device);
        }
      });
    }
    if (devices.empty()) {
      root_.fail("benchmarks", "hold no result of a GPU; record the file again");
    }
    if (options_.device && !devices.contains(*options_.device)) {
      root_.fail("benchmarks", fmt::format("hold no result of device {}; there are those of device {}",
                                           *options_.device, fmt::join(devices, " and ")));
    }
    if (!options_.device && devices.size() > 1) {
      root_.fail("benchmarks", fmt::format("hold results of devices {}, and a run is about one; say which with "
                                           "--device, or record each on its own (NVBench's --devices)",
                                           fmt::join(devices, ", ")));
    }
    int const device = options_.device.value_or(*devices.begin());
    id_suffix_ = devices.size() > 1 ? fmt::format("-d{}", device) : "";
    return device;
  }

  void read_device(ForeignRun& run, int id) {
    json const& devices = root_.array("devices");
    for (std::size_t i = 0; i < devices.size(); ++i) {
      ObjectReader device(devices[i], origin_, root_.place_of("devices", i));
      if (device.small_integer("id") == id) {
        read_device(run, device);
        run.device.index = id;
        return;
      }
    }
    root_.fail("devices", fmt::format("there is no device {}, of which there are results; record the file again", id));
  }

  static void read_device(ForeignRun& run, ObjectReader& device) {
    run.device.backend = "cuda";
    run.device.name = one_line(device.nonempty_text("name"));
    run.device.multiprocessors = device.has("number_of_sms") ? device.small_integer("number_of_sms") : 0;
    run.device.memory_bytes = device.has("global_memory_size") ? device.integer("global_memory_size", 0) : 0;
    run.device.cache_bytes = device.has("l2_cache_size") ? device.integer("l2_cache_size", 0) : 0;
    run.device.max_clock_mhz = device.number_or("sm_default_clock_rate", 0, 0) / kHzPerMhz;
    if (device.has("sm_version")) {
      int const version = device.small_integer("sm_version");  // 1030 is 10.3
      run.device.compute_capability = fmt::format("{}.{}", version / 100, version % 100 / 10);
    }
    if (auto const bandwidth = device.optional_number("global_memory_bus_bandwidth", 0)) {
      run.device.peak_gb_s = *bandwidth / kNsPerSecond;
    }
    if (device.has("ecc_state")) {
      run.environment.ecc = device.boolean("ecc_state") ? "on" : "off";
    }
    run.environment.warnings.emplace_back(
        "NVBench does not tell cards of one model apart; keep to one card, or to one name (--device-name) per card");
  }

  model::CaseResult case_of(std::string const& kernel, json const& source, ObjectReader& state, bool has_device) {
    model::CaseResult result = foreign_case({.kernel = kernel, .problem = problem_of(source, state)});
    if (!ids_.insert(result.id).second) {
      state.fail("axis_values",
                 fmt::format("there are two results of {}; give one of the benchmarks another name", shown(result.id)));
    }
    bool const skipped = state.has("is_skipped") && state.boolean("is_skipped");
    if (skipped || !has_device) {
      result.message = skipped ? one_line(state.text_or("skip_reason", "")) : "it is timed on the CPU alone";
      result.message = result.message.empty() ? "the benchmark gave no reason" : result.message;
      bool const failed = result.message.starts_with(kErrorPrefix);
      result.status = failed ? model::CaseStatus::failed : model::CaseStatus::skipped;
      result.skip_reason = failed ? std::nullopt : std::optional(model::SkipReason::refused);
      return result;
    }
    result.status = model::CaseStatus::measured;
    result.rounds = rounds_of(state, origin_, options_);
    Summaries const summaries(state, origin_);
    result.work.bytes = bytes_of(summaries);
    for (char const* const walltime : {"nv/cold/walltime", "nv/batch/walltime"}) {
      result.seconds += summaries.if_positive(walltime).value_or(0);
    }
    return result;
  }

  /// "Elements=1024,T=F32", sorted by the names of the axes, so that their order in the program does not matter.
  std::string problem_of(json const& source, ObjectReader& state) {
    std::map<std::string, std::string> values;
    if (state.has("axis_values") && !source.at("axis_values").is_null()) {
      json const& axes = state.array("axis_values");
      for (std::size_t i = 0; i < axes.size(); ++i) {
        ObjectReader axis(axes[i], origin_, state.place_of("axis_values", i));
        std::string const name = axis.nonempty_text("name");
        json const value = axis.has("value") ? axes[i].at("value") : json();
        if (!value.is_string() && !value.is_number()) {
          axis.fail("value", "must be a text or a number; record the file again");
        }
        if (!values.emplace(name, value.is_string() ? value.get<std::string>() : value.dump()).second) {
          axis.fail("name", fmt::format("the axis {} appears twice; record the file again", shown(name)));
        }
      }
    }
    std::vector<std::string> parts;
    for (auto const& [name, value] : values) {
      parts.push_back(escaped(name, ",=") + "=" + escaped(value, ","));
    }
    return parts.empty() ? "default" : fmt::format("{}", fmt::join(parts, ","));
  }

  std::string_view origin_;
  ImportOptions const& options_;
  ObjectReader root_;
  std::string id_suffix_;
  std::set<std::string> ids_;
};

}  // namespace

model::Run run_from_nvbench(std::string_view text, std::string_view origin, ImportOptions const& options) {
  json const root = model::parse_strict(text, origin);
  Reader reader(root, origin, options);
  ForeignRun run = reader.read();
  run.id = id_from_text("nvbench", text) + reader.id_suffix();
  return assembled(std::move(run), options, origin);
}

}  // namespace perfcheck::importing

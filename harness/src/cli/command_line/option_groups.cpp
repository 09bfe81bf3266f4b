// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "command_line/option_groups.h"

#include "perfcheck/console/errors.h"
#include "perfcheck/model/nearest.h"
#include "perfcheck/protocol/messages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

namespace perfcheck::cli {
namespace {

/// Parses I/N, as in "2/8".
model::Shard shard_from(std::string const& text) {
  model::Shard shard;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%6d/%6d%c", &shard.index, &shard.count, &rest) != 2 || shard.index < 1 ||
      shard.index > shard.count) {
    throw UsageError(fmt::format("--shard {}: must be I/N with I from 1 to N, as in 2/8", text));
  }
  return shard;
}

results::ResultFile result_file(std::string const& text) {
  std::size_t const at = text.find('=');
  std::string const name = text.substr(0, at), file = at == std::string::npos ? "" : text.substr(at + 1);
  std::optional<report::ResultFormat> const format = report::result_format_from(name);
  if (!format && name != "json") {
    std::vector<std::string> names = report::result_format_names();
    names.emplace_back("json");
    auto const nearest = model::nearest_name(name, names);
    throw UsageError(fmt::format(
        "--result {}: there is no format '{}'; {}", text, name,
        nearest ? fmt::format("did you mean {}?", *nearest) : fmt::format("known: {}", fmt::join(names, ", "))));
  }
  if (file.empty()) {
    throw UsageError(
        fmt::format("--result {}: name a file, as in {}=out/{}.txt, or - for standard output", text, name, name));
  }
  return {.format = format, .file = file};
}

/// The shard that --shard and --fan-out fill in; the first of them creates it.
model::Shard& made(std::optional<model::Shard>& shard) {
  if (!shard) {
    shard = model::Shard{.index = 1, .count = 1, .fan_out = ""};
  }
  return *shard;
}

}  // namespace

void add_results(CLI::App* sub, results::ShowOptions& options) {
  std::vector<std::string> names = report::result_format_names();
  names.emplace_back("json");
  sub->add_option_function<std::vector<std::string>>(
         "--result",
         [&options](std::vector<std::string> const& texts) {
           for (std::string const& text : texts) {
             options.results.push_back(result_file(text));
           }
         },
         fmt::format("write the result for other programs, - for standard output; repeatable; formats: {}",
                     fmt::join(names, ", ")))
      ->type_name("FORMAT=FILE")
      ->allow_extra_args(false);
  sub->add_option(
         "--results-dir", options.results_dir,
         "write the run file and the result in every format into this folder, under the names of docs/ci-formats.md")
      ->type_name("DIR");
  sub->add_option("--result-name", options.result_name,
                  "name of the result where several are shown together (default: the device's slug)")
      ->type_name("NAME");
  sub->add_option("--report-url", options.report_url, "page with the trends, for results to link to")->type_name("URL");
  sub->add_option(
         "--repro", options.repro,
         "beginning of the command that measures a failed case again on another machine; replaces this command's "
         "program, worker, device, policy and baselines")
      ->type_name("COMMAND");
}

void add_retry(CLI::App* sub, measuring::Options& options, char const* help) {
  sub->add_option("--retry-budget", options.retry_budget_s, help)->check(CLI::Range(0.0, 1e6))->type_name("SECONDS");
}

void add_time_budget(CLI::App* sub, measuring::Options& options, char const* help) {
  sub->add_option("--time-budget", options.time_budget_s, help)->check(CLI::Range(0.001, 1e7))->type_name("SECONDS");
}

void add_fan_out_id(CLI::App* sub, std::optional<model::Shard>& shard, char const* help) {
  sub->add_option_function<std::string>(
         "--fan-out", [&shard](std::string const& id) { made(shard).fan_out = id; }, help)
      ->type_name("ID");
}

void add_shard(CLI::App* sub, std::optional<model::Shard>& shard, char const* help) {
  sub->add_option_function<std::string>(
         "--shard",
         [&shard](std::string const& text) {
           model::Shard const given = shard_from(text);
           made(shard).index = given.index;
           made(shard).count = given.count;
         },
         help)
      ->type_name("I/N");
}

void add_fan_out(CLI::App* sub, measuring::Options& options) {
  add_shard(sub, options.shard, "measure only this part of the cases; perfcheck merge puts all parts together");
  add_fan_out_id(sub, options.shard,
                 "name of the fan-out that the shard belongs to, so that shards of different ones are not mixed up");
  sub->add_option("--devices", options.devices,
                  "measure on several GPUs of this machine at once, each a shard, and put them together")
      ->type_name("all|I,I,...")
      ->excludes("--shard")
      ->excludes("--device")
      ->check([](std::string const& text) { return text.empty() ? "name at least one" : ""; });
}

void add_worker(CLI::App* sub, measuring::Options& options) {
  sub->add_option("--backend", options.backend, "auto (CUDA where an NVIDIA driver is loaded), cuda or cpu")
      ->check(CLI::IsMember({"auto", "cuda", "cpu"}))
      ->type_name("NAME");
  sub->add_option("--worker", options.worker,
                  "worker program and its arguments, as one word of the shell (default: [workers] of perfcheck.toml)")
      ->type_name("'PROGRAM ARGS'");
  sub->add_option("--device", options.device, "index of the device, as the driver counts")
      ->check(CLI::Range(0, 1023))
      ->type_name("N");
  sub->add_option("--start-timeout", options.start_timeout_s,
                  fmt::format("how long a worker may take to start (default {:g}); under a sanitizer it takes longer",
                              session::kStartTimeoutS))
      ->check(CLI::Range(0.001, 1e6))
      ->type_name("SECONDS");
  add_baselines(sub, options.baselines);
}

void add_sealed(CLI::App* sub, measuring::Options& options) {
  sub->add_option_function<std::string>(
         "--sealed", [&options](std::string const& when) { options.sealed = config::sealed_from_text(when); },
         "which cases a judge times as well, apart from the worker: never, new (no baseline yet), changed (new, or "
         "other machine code) or always (default: as [measure] says, else never)")
      ->check(CLI::IsMember(config::sealed_texts()))
      ->type_name("WHEN");
  add_judge(sub, options);
}

void add_judge(CLI::App* sub, measuring::Options& options) {
  sub->add_option("--judge", options.judge,
                  "program that times sealed (default: as [measure] says, else the worker's path with -judge appended)")
      ->type_name("PROGRAM");
}

void add_baselines(CLI::App* sub, std::string& folder) {
  sub->add_option("--baselines", folder, "folder of the baselines (default: as perfcheck.toml says)")->type_name("DIR");
}

CLI::Option* add_filter(CLI::App* sub, std::vector<std::string>& filters) {
  return sub->add_option("--filter", filters, "only cases whose whole id or kernel matches; repeatable")
      ->type_name("GLOB")
      ->allow_extra_args(false);
}

void add_selection(CLI::App* sub, measuring::Options& options) {
  sub->add_option("--suite", options.suite, "suite of perfcheck.toml (default: default)")->type_name("NAME");
  add_filter(sub, options.filters);
}

void add_of_suite(CLI::App* sub, std::string& suite) {
  sub->add_option("--suite", suite,
                  "suite of perfcheck.toml that was to be measured (default: the one that the run names; if only that "
                  "leaves stored cases out, the run cannot pass)")
      ->type_name("NAME");
}

void add_seed(CLI::App* sub, measuring::Options& options) {
  sub->add_option("--seed", options.seed,
                  "seed of verification's data and of the order of cases (default: drawn, and recorded)")
      ->check(CLI::Range(uint64_t{0}, protocol::kMaxSeed))
      ->type_name("N");
}

void add_measuring(CLI::App* sub, measuring::Options& options, std::string& out, results::ShowOptions& show) {
  add_worker(sub, options);
  add_selection(sub, options);
  sub->add_option("--out", out, "write the run file, with every round")->type_name("FILE");
  add_seed(sub, options);
  add_time_budget(sub, options, "start no case after this time; the remaining cases fail");
  add_retry(sub, options,
            "wait, and measure again, this long while the machine is not fit (default: as [fitness] says)");
  add_results(sub, show);
  sub->add_option("--inject-slowdown", options.inject, "lengthen matching cases, to test the gate; repeatable")
      ->type_name("GLOB=PERCENT")
      ->allow_extra_args(false);
  add_flag(sub, "--verify-only", options.timing, measuring::Options::Timing::verify_only,
           "check results, measure no time");
}

void add_import(CLI::App* sub, importing::ImportOptions& options) {
  options.tool_version = PERFCHECK_VERSION;
  sub->add_option("--device-name", options.device_name,
                  "what to call the device of an imported file; Google Benchmark names none")
      ->type_name("NAME");
  sub->add_option("--device", options.device, "whose results to take from an NVBench file of several devices")
      ->check(CLI::Range(0, 1023))
      ->type_name("N");
}

void add_base(CLI::App* sub, measuring::Options& options) {
  CLI::Option* const base =
      sub->add_option("--base", options.base, "worker program of the build to compare with, and its arguments")
          ->type_name("'PROGRAM ARGS'");
  sub->add_option("--base-ref", options.base_ref, "commit to build the base from, as [base] in perfcheck.toml says")
      ->type_name("COMMIT")
      ->excludes(base);
}

void add_demote(CLI::App* sub, std::vector<std::string>& verdicts, std::string& change_config) {
  sub->add_option(
         "--config-of-change", change_config,
         "perfcheck.toml of the change, while --config judges it: a rename that it adds counts if a base build "
         "measured the old id beside the new one")
      ->type_name("FILE");
  sub->add_option("--demote", verdicts,
                  "let this verdict pass, in addition to those that perfcheck.toml demotes: a person's decision; "
                  "repeatable")
      ->check(CLI::IsMember(config::demotable_verdicts()))
      ->type_name("VERDICT")
      ->allow_extra_args(false);
}

void add_history(CLI::App* sub, std::string& place, char const* help) {
  sub->add_option("--history", place, help)->type_name("FILE|postgresql://...");
}

}  // namespace perfcheck::cli

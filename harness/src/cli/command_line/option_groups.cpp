// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "command_line/option_groups.h"

#include "command_line/errors.h"
#include "perfcheck/model/nearest.h"
#include "perfcheck/protocol/messages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

namespace perfcheck::cli {
namespace {

/// "2/8".
model::Shard shard_from(std::string const& text) {
  model::Shard shard;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%6d/%6d%c", &shard.index, &shard.count, &rest) != 2 || shard.index < 1 ||
      shard.index > shard.count) {
    throw UsageError(fmt::format("--shard {}: must be I/N with I from 1 to N, as in 2/8", text));
  }
  return shard;
}

ResultFile result_file(std::string const& text) {
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

}  // namespace

void OptionGroups::add_results(CLI::App* sub) {
  std::vector<std::string> names = report::result_format_names();
  names.emplace_back("json");
  sub->add_option_function<std::vector<std::string>>(
         "--result",
         [this](std::vector<std::string> const& texts) {
           for (std::string const& text : texts) {
             options_.results.push_back(result_file(text));
           }
         },
         fmt::format("write the result for other programs, - for standard output; repeatable; formats: {}",
                     fmt::join(names, ", ")))
      ->type_name("FORMAT=FILE")
      ->allow_extra_args(false);
  sub->add_option("--result-name", options_.result_name,
                  "what it is called where several are shown together (default: the device's slug)")
      ->type_name("NAME");
  sub->add_option("--report-url", options_.report_url, "page with the trends, for results to link to")
      ->type_name("URL");
  sub->add_option(
         "--repro", options_.repro,
         "how a command line begins that measures a failed case again elsewhere, instead of this one's program, "
         "worker, device, policy and baselines")
      ->type_name("COMMAND");
}

void OptionGroups::add_retry(CLI::App* sub, char const* help) {
  sub->add_option("--retry-budget", options_.retry_budget_s, help)->check(CLI::Range(0.0, 1e6))->type_name("SECONDS");
}

void OptionGroups::add_time_budget(CLI::App* sub, char const* help) {
  sub->add_option("--time-budget", options_.time_budget_s, help)->check(CLI::Range(0.001, 1e7))->type_name("SECONDS");
}

void OptionGroups::add_label(CLI::App* sub) {
  auto const is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
  sub->add_option("--label", options_.label, "name of the blocks, as for a rebuild of the same commit")
      ->type_name("TEXT")
      ->check(CLI::Validator(
          [is_plain](std::string const& label) {
            return std::ranges::all_of(label, is_plain) ? "" : "a label is of lower-case letters, digits, - and _";
          },
          ""));
}

model::Shard& OptionGroups::shard() {
  if (!options_.shard) {
    options_.shard = model::Shard{.index = 1, .count = 1, .fan_out = ""};
  }
  return *options_.shard;
}

void OptionGroups::add_fan_out_id(CLI::App* sub, char const* help) {
  sub->add_option_function<std::string>(
         "--fan-out", [this](std::string const& id) { shard().fan_out = id; }, help)
      ->type_name("ID");
}

void OptionGroups::add_shard(CLI::App* sub, char const* help) {
  sub->add_option_function<std::string>(
         "--shard",
         [this](std::string const& text) {
           model::Shard const given = shard_from(text);
           shard().index = given.index;
           shard().count = given.count;
         },
         help)
      ->type_name("I/N");
}

void OptionGroups::add_fan_out(CLI::App* sub) {
  add_shard(sub, "measure only this part of the cases; perfcheck merge puts all parts together");
  add_fan_out_id(sub, "name of the whole that the shard is a part of, so that shards of two are not mixed up");
  sub->add_option("--devices", options_.devices,
                  "measure on several GPUs of this machine at once, each a shard, and put them together")
      ->type_name("all|I,I,...")
      ->excludes("--shard")
      ->excludes("--device")
      ->check([](std::string const& text) { return text.empty() ? "name at least one" : ""; });
}

void OptionGroups::add_worker(CLI::App* sub) {
  sub->add_option("--backend", options_.backend, "auto (CUDA where an NVIDIA driver is loaded), cuda or cpu")
      ->check(CLI::IsMember({"auto", "cuda", "cpu"}))
      ->type_name("NAME");
  sub->add_option("--worker", options_.worker, "worker program and its arguments, as one word of the shell")
      ->type_name("'PROGRAM ARGS'");
  sub->add_option("--device", options_.device, "index of the device, as the driver counts")
      ->check(CLI::Range(0, 1023))
      ->type_name("N");
  add_baselines(sub);
}

void OptionGroups::add_sealed(CLI::App* sub) {
  sub->add_option_function<std::string>(
         "--sealed", [this](std::string const& when) { options_.sealed = sealed_from_text(when); },
         "which cases a judge times as well, apart from the worker: never, new (no baseline yet), changed (new, or "
         "other machine code) or always (default: as [measure] says, else never)")
      ->check(CLI::IsMember(sealed_texts()))
      ->type_name("WHEN");
  add_judge(sub);
}

void OptionGroups::add_judge(CLI::App* sub) {
  sub->add_option(
         "--judge", options_.judge,
         "program that times sealed (default: as [measure] says, else the worker's path with -judge behind it)")
      ->type_name("PROGRAM");
}

void OptionGroups::add_baselines(CLI::App* sub) {
  sub->add_option("--baselines", options_.baselines, "folder of the baselines (default: as perfcheck.toml says)")
      ->type_name("DIR");
}

CLI::Option* OptionGroups::add_filter(CLI::App* sub) {
  return sub->add_option("--filter", options_.filters, "only cases whose whole id or kernel matches; repeatable")
      ->type_name("GLOB")
      ->allow_extra_args(false);
}

void OptionGroups::add_selection(CLI::App* sub) {
  sub->add_option("--suite", options_.suite, "suite of perfcheck.toml (default: default)")->type_name("NAME");
  add_filter(sub);
}

void OptionGroups::add_of_suite(CLI::App* sub) {
  sub->add_option("--suite", options_.of_suite,
                  "suite of perfcheck.toml that was to be measured (default: the one that the run names, which is no "
                  "pass where that alone leaves stored cases out)")
      ->type_name("NAME");
}

void OptionGroups::add_seed(CLI::App* sub) {
  sub->add_option("--seed", options_.seed, "seed of input data and order (default: drawn, and recorded)")
      ->check(CLI::Range(uint64_t{0}, protocol::kMaxSeed))
      ->type_name("N");
}

void OptionGroups::add_measuring(CLI::App* sub) {
  add_worker(sub);
  add_selection(sub);
  sub->add_option("--out", options_.out, "write the run file, with every round")->type_name("FILE");
  add_seed(sub);
  add_time_budget(sub, "start no case after this time; what is left fails");
  add_retry(sub, "wait, and measure again, this long while the machine is not fit (default: as [fitness] says)");
  add_results(sub);
  sub->add_option("--inject-slowdown", options_.inject, "lengthen matching cases, to test the gate; repeatable")
      ->type_name("GLOB=PERCENT")
      ->allow_extra_args(false);
  flag(sub, "--verify-only", options_.timing, Options::Timing::verify_only, "check results, measure no time");
}

void OptionGroups::add_import(CLI::App* sub) {
  sub->add_option("--device-name", options_.device_name,
                  "what to call the device of an imported file; Google Benchmark names none")
      ->type_name("NAME");
  sub->add_option("--device", options_.import_device, "whose results to take from an NVBench file of several devices")
      ->check(CLI::Range(0, 1023))
      ->type_name("N");
}

void OptionGroups::add_base(CLI::App* sub) {
  CLI::Option* const base =
      sub->add_option("--base", options_.base, "worker program of the build to compare with, and its arguments")
          ->type_name("'PROGRAM ARGS'");
  sub->add_option("--base-ref", options_.base_ref, "commit to build it from, as [base] in perfcheck.toml says")
      ->type_name("COMMIT")
      ->excludes(base);
}

void OptionGroups::add_demote(CLI::App* sub) {
  sub->add_option(
         "--config-of-change", options_.change_config,
         "perfcheck.toml of the change that --config judges: what its [renamed] adds counts where a base build "
         "measured the old id beside the new one")
      ->type_name("FILE");
  sub->add_option("--demote", options_.demote,
                  "let this verdict pass, besides what perfcheck.toml says: somebody's decision, not the gate's; "
                  "repeatable")
      ->check(CLI::IsMember(demotable_verdicts()))
      ->type_name("VERDICT")
      ->allow_extra_args(false);
}

void OptionGroups::add_history(CLI::App* sub, char const* help) {
  sub->add_option("--history", options_.history, help)->type_name("FILE|postgresql://...");
}

void OptionGroups::add_calibrated_against(CLI::App* sub) {
  CLI::Option* const stored = sub->add_flag_callback(
      "--stored", [this] { options_.against = Options::Against::stored; },
      "compare with the stored baseline, as a check here would, instead of with sessions of the same card");
  CLI::Option* const held_out = sub->add_flag_callback(
      "--held-out", [this] { options_.against = Options::Against::others; },
      "compare with the other cards' sessions (of each, of each two, of all), as where a card is unknown");
  CLI::Option* const simulate =
      sub->add_option_function<std::vector<int>>(
             "--simulate",
             // Without a number CLI11 hands over none, or a 0 that no check lets through otherwise.
             [this](std::vector<int> const& checks) {
               options_.simulate = checks.empty() || checks.front() == 0 ? kSimulatedChecks : checks.front();
             },
             fmt::format("simulate so many checks of unchanged code with the recorded noise (default {}), and measure "
                         "nothing",
                         kSimulatedChecks))
          ->expected(0, 1)
          ->check(CLI::Range(1, 1'000'000))
          ->type_name("[N]");
  stored->excludes(held_out);
  simulate->excludes(stored)->excludes(held_out);
  sub->add_option("--repetitions", options_.repetitions,
                  "times that each session is decided about with slowdowns added to its numbers (default 20)")
      ->check(CLI::Range(0, 1000))
      ->type_name("N");
}

}  // namespace perfcheck::cli

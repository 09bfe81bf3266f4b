// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/config/config.h"

#include "names.h"
#include "perfcheck/config/asked.h"
#include "perfcheck/model/nearest.h"
#include "perfcheck/model/one_line.h"
#include "perfcheck/store/store.h"
#include "toml_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

namespace perfcheck::config {
namespace {

namespace fs = std::filesystem;

constexpr Range kShare{.low = 0, .high = 1, .low_end = Range::Ends::open};
constexpr Range kAlpha{.low = 0, .high = 0.5, .low_end = Range::Ends::open};
constexpr Range kNotNegative{.low = 0, .high = 1e15};
constexpr Range kSeconds{.low = 0, .high = 86400, .low_end = Range::Ends::open};
// On a shared device, its other users make rounds slow now and then.
constexpr double kTailMarginOfShared = 0.5;
constexpr double kTailRateOfShared = 0.04;
constexpr char const* kBackends[] = {"cpu", "cuda"};
constexpr std::array<std::pair<Sealed, std::string_view>, 4> kSealed = {
    {{Sealed::never, "never"}, {Sealed::fresh, "new"}, {Sealed::changed, "changed"}, {Sealed::always, "always"}}};
/// The workers that perfcheck ships, used unless [workers] names others.
constexpr std::array<std::pair<char const*, char const*>, 2> kShippedWorkers = {
    {{"cpu", "perfcheck-gemm-cpu"}, {"cuda", "perfcheck-gemm"}}};
/// In a line. Each dot nests a table in another, and the code that handles them later is recursive.
constexpr int kMostDots = 200;

/// Overwrites the values that the table has and leaves the others.
void read_policy(TomlReader& reader, gate::Policy& policy) {
  policy.margin = reader.number_or("margin", policy.margin, kShare);
  policy.alpha = reader.number_or("alpha", policy.alpha, kAlpha);
  policy.screen_alpha = reader.number_or("screen_alpha", policy.screen_alpha, kAlpha);
  policy.floor_ns = reader.number_or("floor_ns", policy.floor_ns, kNotNegative);
  policy.min_baseline_sessions = reader.integer_or("min_baseline_sessions", policy.min_baseline_sessions, 2, 1000);
  policy.confirm_sessions = reader.integer_or("confirm_sessions", policy.confirm_sessions, 1, 1000);
  policy.kernel_margin_share = reader.number_or("kernel_margin_share", policy.kernel_margin_share,
                                                {.low = 0, .high = 1, .low_end = Range::Ends::open});
  policy.min_sd = reader.number_or("min_sd", policy.min_sd, kShare);
  policy.ratio_card_sd = reader.number_or("ratio_card_sd", policy.ratio_card_sd, {.low = 0, .high = 1});
  policy.cycles_card_sd = reader.number_or("cycles_card_sd", policy.cycles_card_sd, {.low = 0, .high = 1});
  policy.ratio_day_sd = reader.number_or("ratio_day_sd", policy.ratio_day_sd, {.low = 0, .high = 1});
  policy.cycles_day_sd = reader.number_or("cycles_day_sd", policy.cycles_day_sd, {.low = 0, .high = 1});
  policy.clock_step = reader.number_or("clock_step", policy.clock_step, kShare);
  if (reader.flag_or("shared_device", policy.shared_device) && !policy.shared_device) {
    policy.shared_device = true;
    policy.tail_margin = kTailMarginOfShared;
    policy.tail_rate = kTailRateOfShared;
  }
  policy.tail_margin = reader.number_or("tail_margin", policy.tail_margin, kNotNegative);
  policy.tail_rate = reader.number_or("tail_rate", policy.tail_rate, kAlpha);
  policy.max_detectable = reader.number_or("max_detectable", policy.max_detectable, kNotNegative);
  policy.shared_device = reader.flag_or("shared_device", policy.shared_device);
  policy.reference_tolerance = reader.number_or("reference_tolerance", policy.reference_tolerance, kShare);
  if (reader.has("demote")) {
    policy.demoted.clear();
  }
  reader.for_each_element("demote", [&](toml::node const& node, std::string const& place) {
    std::string const text = reader.element_text(node, place);
    std::vector<std::string> const allowed = demotable_verdicts();
    if (std::find(allowed.begin(), allowed.end(), text) == allowed.end()) {
      reader.fail(node, place, fmt::format("\"{}\" cannot be demoted; only {} can", text, fmt::join(allowed, ", ")));
    }
    policy.demoted.push_back(*model::verdict_from_text(text));
  });
  for (auto& margin : reader.numbers_or_empty("margins", kShare)) {
    policy.margins.push_back(std::move(margin));
  }
}

void read_fitness(TomlReader& reader, gate::FitnessPolicy& fitness) {
  fitness.driver = reader.text_or("driver", fitness.driver);
  fitness.max_other_processes = reader.integer_or("max_other_processes", fitness.max_other_processes, 0, 100000);
  if (reader.has("throttle")) {
    fitness.throttle = reader.texts_or_empty("throttle");
  }
  fitness.retry_s = reader.number_or("retry_s", fitness.retry_s, {.low = 0, .high = 1e6});
}

void read_base(TomlReader& reader, BaseConfig& base) {
  base.folder = reader.text_or("folder", base.folder);
  for (char const* backend : kBackends) {
    if (std::optional<TomlReader> recipe = reader.table(backend)) {
      base.recipes[backend] = {.build = recipe->text("build"), .worker = recipe->text("worker")};
      recipe->finish();
    }
  }
  reader.finish();
}

void read_workers(TomlReader& root, std::map<std::string, std::string>& workers) {
  std::optional<TomlReader> table = root.table("workers");
  for (auto const& [backend, shipped] : kShippedWorkers) {
    workers[backend] = table ? table->text_or(backend, shipped) : shipped;
    if (table && workers[backend].find_first_not_of(" \t") == std::string::npos) {
      table->fail(backend, "is empty; name a program, by its path or as it is called beside perfcheck");
    }
  }
  if (table) {
    table->finish();
  }
}

void read_measure(TomlReader& reader, MeasureConfig& measure) {
  protocol::MeasureOptions& options = measure.options;
  options.replay_ms =
      reader.number_or("replay_ms", options.replay_ms, {.low = 0, .high = 1e4, .low_end = Range::Ends::open});
  options.max_seconds = reader.number_or("max_seconds", options.max_seconds, kSeconds);
  options.idle_share = reader.number_or("idle_share", options.idle_share, {.low = 0, .high = 100});
  options.precision = reader.number_or("precision", options.precision, kShare);
  options.min_rounds = reader.integer_or("min_rounds", options.min_rounds, 3, 100000);
  options.max_rounds = reader.integer_or("max_rounds", options.max_rounds, 3, 100000);
  measure.case_timeout_s = reader.number_or("case_timeout_s", measure.case_timeout_s, kSeconds);
  std::string const sealed = reader.text_or("sealed", std::string(to_text(measure.sealed)));
  if (!sealed_from_text(sealed)) {
    reader.fail("sealed", fmt::format("is \"{}\", but must be one of {}", sealed, fmt::join(sealed_texts(), ", ")));
  }
  measure.sealed = *sealed_from_text(sealed);
  measure.judge = reader.text_or("judge", measure.judge);
  if (options.max_rounds < options.min_rounds) {
    reader.fail("max_rounds", fmt::format("is {}, less than min_rounds ({})", options.max_rounds, options.min_rounds));
  }
}

/// The common keys, then those of [<section>.cpu] and [<section>.cuda] over them.
template <typename Read, typename Member>
void read_section(TomlReader& root, char const* section, Config& config, Read read, Member member) {
  std::optional<TomlReader> common = root.table(section);
  if (!common) {
    return;
  }
  for (char const* name : kBackends) {
    read(*common, config.backends[name].*member);
    if (std::optional<TomlReader> own = common->table(name)) {
      read(*own, config.backends[name].*member);
      own->finish();
    }
  }
  common->finish();
}

SuiteProblem read_problem(TomlReader const& suite, toml::node const& node, std::string const& place) {
  if (!node.is_table()) {
    return {.name = "", .problem = suite.element_text(node, place)};
  }
  TomlReader reader = suite.element_table(node, place);
  SuiteProblem problem{.name = reader.text("name"), .problem = reader.text("problem")};
  reader.finish();
  return problem;
}

Suite read_suite(TomlReader& reader, std::string const& name, std::string const& backend) {
  Suite suite;
  suite.name = name;
  suite.backend = backend;
  suite.description = reader.text_or("description", "");
  suite.types = reader.texts_or_empty("types");
  std::set<std::string> seen;
  reader.for_each_element("problems", [&](toml::node const& node, std::string const& place) {
    suite.problems.push_back(read_problem(reader, node, place));
    std::string const& problem = suite.problems.back().problem;
    if (!seen.insert(problem).second) {
      reader.fail(node, place, fmt::format("\"{}\" is listed twice; leave one out", problem));
    }
    if (problem.find("{types}") != std::string::npos && suite.types.empty()) {
      reader.fail(node, place, "uses {types}, but the suite has no types; add types = [...]");
    }
  });
  if (suite.problems.empty()) {
    reader.fail("problems", "is missing or empty; list at least one problem");
  }
  if (reader.has("kernels")) {
    suite.kernels = reader.texts("kernels");
    if (suite.kernels.front().starts_with(kLeavesOut)) {
      reader.fail("kernels", "begins by leaving out, where nothing takes part yet; begin with \"*\"");
    }
    if (std::ranges::find(suite.kernels, std::string(1, kLeavesOut)) != suite.kernels.end()) {
      reader.fail("kernels", "has a \"!\" without a pattern; write \"!gemm/simt/*\", say");
    }
  }
  reader.for_each_element("rules", [&](toml::node const& node, std::string const& place) {
    TomlReader rule = reader.element_table(node, place);
    suite.rules.push_back(
        {.kernels = rule.texts("kernels"),
         .max_gflop = rule.number("max_gflop", {.low = 0, .high = 1e15, .low_end = Range::Ends::open}),
         .reason = rule.text("reason")});
    rule.finish();
  });
  reader.finish();
  return suite;
}

void read_suites(TomlReader& root, Config& config) {
  root.for_each_table("suites", [&](std::string const& name, TomlReader& by_backend) {
    for (char const* backend : kBackends) {
      if (std::optional<TomlReader> reader = by_backend.table(backend)) {
        config.suites.push_back(read_suite(*reader, name, backend));
      }
    }
    by_backend.finish();
  });
}

/// A key of 200,000 parts overflows the stack. Dots in texts and comments count too, because no real file has that
/// many.
void refuse_many_dots(std::string_view text, fs::path const& file) {
  int line = 1;
  int dots = 0;
  for (char const c : text) {
    dots = c == '\n' ? 0 : dots + (c == '.' ? 1 : 0);
    if (dots > kMostDots) {
      throw ConfigError(fmt::format("{}:{}: more than {} dots; no line of perfcheck.toml needs as many", file.string(),
                                    line, kMostDots));
    }
    line += c == '\n' ? 1 : 0;
  }
}

}  // namespace

std::optional<Sealed> sealed_from_text(std::string_view text) {
  auto const found = std::ranges::find(kSealed, text, &std::pair<Sealed, std::string_view>::second);
  return found == kSealed.end() ? std::nullopt : std::optional(found->first);
}

std::string_view to_text(Sealed sealed) {
  return std::ranges::find(kSealed, sealed, &std::pair<Sealed, std::string_view>::first)->second;
}

std::vector<std::string> sealed_texts() {
  std::vector<std::string> texts;
  for (auto const& [sealed, text] : kSealed) {
    texts.emplace_back(text);
  }
  return texts;
}

Suite const& Config::suite(std::string const& name, std::string const& backend) const {
  std::vector<std::string> known;
  for (Suite const& suite : suites) {
    if (suite.backend == backend) {
      if (suite.name == name) {
        return suite;
      }
      known.push_back(suite.name);
    }
  }
  auto const nearest = model::nearest_name(name, known);
  throw ConfigError(fmt::format("{}: there is no suite \"{}\" for {}; {}", file.string(), name, backend,
                                nearest         ? fmt::format("did you mean {}?", *nearest)
                                : known.empty() ? fmt::format("add [suites.{}.{}]", name, backend)
                                                : fmt::format("known: {}", fmt::join(known, ", "))));
}

BackendConfig const& Config::backend(std::string const& name) const {
  auto const found = backends.find(name);
  if (found == backends.end()) {
    throw ConfigError(fmt::format("{}: nothing is known of backend \"{}\"; a worker's backend must be cpu or cuda",
                                  file.string(), name));
  }
  return found->second;
}

Config parse_config(std::string_view text, fs::path const& file) {
  refuse_many_dots(text, file);
  toml::table table;
  try {
    table = toml::parse(text, file.string());
  } catch (toml::parse_error const& error) {
    throw ConfigError(
        fmt::format("{}:{}: {}", file.string(), error.source().begin.line, model::one_line(error.description())));
  } catch (TomlAssertionFailed const&) {
    throw ConfigError(fmt::format("{}: is not TOML: a name or a quote is expected behind every '['", file.string()));
  }
  Config config;
  config.file = file;
  for (char const* name : kBackends) {
    config.backends[name] = {};
  }
  TomlReader root(table, file.string(), "");
  std::string baselines = "baselines";
  if (std::optional<TomlReader> paths = root.table("paths")) {
    baselines = paths->text_or("baselines", baselines);
    config.history = paths->text_or("history", "");
    paths->finish();
  }
  config.baselines = file.parent_path() / baselines;
  if (!config.history.empty() && config.history.find("://") == std::string::npos) {
    config.history = (file.parent_path() / config.history).string();
  }
  if (std::optional<TomlReader> base = root.table("base")) {
    read_base(*base, config.base);
  }
  read_workers(root, config.workers);
  if (std::optional<TomlReader> creep = root.table("creep")) {
    config.releases = creep->text_or("releases", config.releases);
    creep->finish();
  }
  read_section(root, "policy", config, read_policy, &BackendConfig::policy);
  read_section(root, "fitness", config, read_fitness, &BackendConfig::fitness);
  read_section(root, "measure", config, read_measure, &BackendConfig::measure);
  for (auto& [name, backend] : config.backends) {
    if (!backend.measure.judge.empty()) {
      backend.measure.judge = (file.parent_path() / backend.measure.judge).string();
    }
  }
  read_suites(root, config);
  config.names = read_names(root);
  for (auto& [name, backend] : config.backends) {
    backend.policy.renamed = config.names.renamed;
  }
  root.finish();
  return config;
}

std::filesystem::path baselines_folder(std::string const& given, Config const& config) {
  return given.empty() ? config.baselines : std::filesystem::path(given);
}

std::vector<std::string> demotable_verdicts() {
  std::vector<std::string> names;
  for (std::string const& text : model::verdict_texts()) {
    if (model::exit_code_of(*model::verdict_from_text(text)) == model::ExitCode::undecided) {
      names.push_back(text);
    }
  }
  return names;
}

namespace {

Config read_config(fs::path const& file) {
  if (!file.empty()) {
    return parse_config(store::read_file(file), file);
  }
  std::error_code ignored;
  fs::path const start = fs::current_path(ignored);
  for (fs::path folder = start; !folder.empty(); folder = folder.parent_path()) {
    fs::path const candidate = folder / "perfcheck.toml";
    if (fs::exists(candidate, ignored)) {
      fs::path const shown = folder == start ? fs::path("perfcheck.toml") : candidate;
      return parse_config(store::read_file(candidate), shown);
    }
    if (folder == folder.parent_path()) {
      break;
    }
  }
  throw ConfigError("there is no perfcheck.toml in this folder or above it; go to the project or give --config FILE");
}

}  // namespace

Config load_config(fs::path const& file, std::vector<std::string> const& demoted, fs::path const& change) {
  Config config = read_config(file);
  if (!change.empty()) {
    add_names_of_change(config.names, read_config(change).names);
  }
  for (auto& [name, backend] : config.backends) {
    for (std::string const& text : demoted) {
      backend.policy.demoted.push_back(model::verdict_from_text(text).value());
    }
  }
  return config;
}

}  // namespace perfcheck::config

// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "command_line/command_line.h"

#include "command_line/option_groups.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/model/nearest.h"

#include <fmt/format.h>

namespace perfcheck::cli {
namespace {

ColorChoice color_choice(std::string const& text) {
  return text == "always" ? ColorChoice::always : text == "never" ? ColorChoice::never : ColorChoice::automatic;
}

std::string path_of(CLI::App const* app) {
  return app->get_parent() == nullptr ? "" : path_of(app->get_parent()) + " " + app->get_name();
}

}  // namespace

CommandLine::CommandLine() {
  app_.name("perfcheck");
  app_.description("Checks and times kernels, compares with the stored baseline, fails when one became slower.");
  app_.footer(kExitCodes);
  app_.set_version_flag("--version", "perfcheck " PERFCHECK_VERSION);
  app_.require_subcommand(1);
}

CLI::App& CommandLine::add_group(char const* name, char const* description) {
  CLI::App* const group = app_.add_subcommand(name, description);
  group->require_subcommand(1);
  return *group;
}

CLI::App* CommandLine::declare(CLI::App& parent, char const* name, char const* description, Run run) {
  CLI::App* const sub = parent.add_subcommand(name, description);
  sub->callback([this, run = std::move(run)] { chosen_ = run; });
  sub->add_option("--config", config_, "perfcheck.toml to read (default: here or in a folder above)")
      ->type_name("FILE");
  add_flag(sub, "--json", output_, Output::json, "machine-readable output on standard output");
  add_flag(sub, "-q,--quiet", detail_, Detail::quiet, "only what needs attention");
  add_flag(sub, "-v,--verbose", detail_, Detail::verbose, "everything, skipped cases included");
  sub->add_option_function<std::string>(
         "--color", [this](std::string const& when) { color_ = color_choice(when); },
         "colours in the table (default: auto)")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
  return sub;
}

std::optional<std::string> CommandLine::parse(int argc, char** argv) {
  arguments_.assign(argv + 1, argv + argc);
  try {
    app_.parse(argc, argv);
    return std::nullopt;
  } catch (CLI::CallForHelp const&) {
    return app_.help();
  } catch (CLI::CallForAllHelp const&) {
    return app_.help("", CLI::AppFormatMode::All);
  } catch (CLI::CallForVersion const& version) {
    return std::string(version.what()) + "\n";
  } catch (CLI::ParseError const& error) {
    throw UsageError(
        fmt::format("{}{}; `perfcheck{} --help` shows what there is", error.what(), hint(error), path_of(deepest())));
  }
}

model::ExitCode CommandLine::execute(Terminal& terminal, session::Interrupt const& interrupt) const {
  Context context{.terminal = terminal,
                  .interrupt = interrupt,
                  .config = config_,
                  .output = output_,
                  .detail = detail_,
                  .color = color_,
                  .arguments = arguments_};
  return chosen_(context);
}

CLI::App* CommandLine::deepest() {
  CLI::App* at = &app_;
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands().front();
  }
  return at;
}

std::string CommandLine::hint(CLI::ParseError const& error) {
  // The parser reports a mistyped command as a missing one.
  bool const about_a_word = dynamic_cast<CLI::ExtrasError const*>(&error) != nullptr ||
                            dynamic_cast<CLI::RequiredError const*>(&error) != nullptr;
  if (!about_a_word) {
    return "";
  }
  std::vector<std::string> words = app_.remaining(true), known;
  for (CLI::Option const* option : deepest()->get_options()) {
    for (std::string const& name : option->get_lnames()) {
      known.push_back("--" + name);
    }
  }
  for (CLI::App const* sub : deepest()->get_subcommands([](CLI::App*) { return true; })) {
    known.push_back(sub->get_name());
  }
  auto const nearest = words.empty() ? std::nullopt : model::nearest_name(words.front(), known);
  return nearest ? fmt::format("; did you mean {}?", *nearest) : "";
}

}  // namespace perfcheck::cli

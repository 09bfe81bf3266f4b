// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "command_line/arguments.h"

#include "command_line/help_texts.h"
#include "command_line/option_groups.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/model/nearest.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace perfcheck::cli {
namespace {

ColorChoice color_choice(std::string const& text) {
  return text == "always" ? ColorChoice::always : text == "never" ? ColorChoice::never : ColorChoice::automatic;
}

class Parser : private OptionGroups {
 public:
  explicit Parser(Arguments& arguments) : OptionGroups(arguments.options), arguments_(arguments) {
    app_.name("perfcheck");
    app_.description("Checks and times kernels, compares with the stored baseline, fails when one became slower.");
    app_.footer(kExitCodes);
    app_.set_version_flag("--version", "perfcheck " PERFCHECK_VERSION);
    app_.require_subcommand(1);
    add_list();
    add_doctor();
    add_run();
    add_check();
    add_audit();
    add_compare();
    add_merge();
    add_ab();
    add_calibrate();
    add_tune();
    add_baseline();
    add_history_commands();
    add_report();
  }

  std::optional<Explanation> parse(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
      return std::nullopt;
    } catch (CLI::CallForHelp const&) {
      return Explanation{app_.help()};
    } catch (CLI::CallForAllHelp const&) {
      return Explanation{app_.help("", CLI::AppFormatMode::All)};
    } catch (CLI::CallForVersion const& version) {
      return Explanation{std::string(version.what()) + "\n"};
    } catch (CLI::ParseError const& error) {
      throw UsageError(
          fmt::format("{}{}; `perfcheck{} --help` shows what there is", error.what(), hint(error), path_of(deepest())));
    }
  }

 private:
  using Command = model::ExitCode (*)(Options const&, Context&);

  CLI::App* command(CLI::App& parent, char const* name, char const* description, Command run) {
    CLI::App* const sub = parent.add_subcommand(name, description);
    sub->callback([this, run] { arguments_.command = run; });
    sub->add_option("--config", options_.config, "perfcheck.toml to read (default: here or in a folder above)")
        ->type_name("FILE");
    flag(sub, "--json", options_.output, Output::json, "machine-readable output on standard output");
    sub->add_flag_callback("-q,--quiet", [this] { options_.detail = Detail::quiet; }, "only what needs attention");
    sub->add_flag_callback(
        "-v,--verbose", [this] { options_.detail = Detail::verbose; }, "everything, skipped cases included");
    sub->add_option_function<std::string>(
           "--color", [this](std::string const& when) { options_.color = color_choice(when); },
           "colours in the table (default: auto)")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->type_name("WHEN");
    return sub;
  }

  void add_list() {
    CLI::App* const sub = command(app_, "list", "Kernels, and the cases that a suite comes to", command_list);
    add_worker(sub);
    add_selection(sub);
    sub->footer("examples:\n  perfcheck list --suite smoke\n  perfcheck list --backend cpu --filter '*/naive'");
  }

  void add_doctor() {
    CLI::App* const sub =
        command(app_, "doctor", "What on this machine will hurt measurements, and how to mend it", command_doctor);
    add_worker(sub);
    flag(sub, "--fit", options_.doctor, Options::Doctor::require_fit,
         "only ask whether the machine can be measured on: 0 it can, 3 it cannot; warnings do not count");
    add_retry(sub, "wait this long for it to become fit (default 0)");
  }

  void add_run() {
    CLI::App* const sub = command(app_, "run", "Verify and time, compare with nothing", command_run);
    add_measuring(sub);
    add_sealed(sub);
    add_fan_out(sub);
    sub->add_option("--sessions", options_.sessions, "fresh worker processes, one after the other (default 1)")
        ->check(CLI::Range(1, 1000))
        ->type_name("N");
    sub->footer("examples:\n  perfcheck run --sessions 8 --out h100.run.json\n  perfcheck run --verify-only");
  }

  void add_check() {
    CLI::App* const sub = command(app_, "check", "Verify, time, compare with the baseline, decide", command_check);
    add_measuring(sub);
    add_sealed(sub);
    add_fan_out(sub);
    sub->add_option("--sessions", options_.sessions, "sessions that --record-missing-baseline measures (default 4)")
        ->check(CLI::Range(1, 1000))
        ->type_name("N");
    flag(sub, "--no-confirm", options_.confirm, Options::Confirm::no, "leave flagged cases inconclusive");
    add_demote(sub);
    add_base(sub);
    add_history(sub, "keep the run and the decision in this history, too");
    flag(sub, "--record-missing-baseline", options_.record, Options::Record::missing,
         "measure and store a baseline for cases that have none");
    sub->footer(std::string(kCheckExamples) + "\n\n" + kExitCodes);
  }

  void add_audit() {
    CLI::App* const sub =
        command(app_, "audit", "What stands behind each kernel's time, and a judge's time beside it", command_audit);
    add_worker(sub);
    add_selection(sub);
    add_judge(sub);
    sub->add_option("--batches", options_.batches,
                    fmt::format("batches that the judge times of each case (default {})", session::kUsualBatches))
        ->check(CLI::Range(1, 1000))
        ->type_name("N");
    add_seed(sub);
    add_retry(sub, "wait, and measure again, this long while the machine is not fit (default: as [fitness] says)");
    sub->footer(kAuditHelp);
  }

  void add_compare() {
    CLI::App* const sub = command(app_, "compare", "Decide about a run file; needs no device", command_compare);
    sub->add_option(
           "runs", options_.run_files,
           "the run to decide about, after an earlier one to compare with (default: the stored baseline); each "
           "a file, or a folder with a file per session")
        ->expected(1, 2)
        ->required()
        ->type_name("[BASE] NEW");
    add_of_suite(sub);
    add_filter(sub);
    add_shard(sub, "only this part of the cases had to be measured (default: all of them)");
    add_import(sub);
    add_baselines(sub);
    add_demote(sub);
    add_results(sub);
    sub->footer(
        "Record with several sessions: perfcheck run --sessions 5 --out FILE. JSON of Google Benchmark and NVBench is "
        "read "
        "too.");
  }

  void add_merge() {
    CLI::App* const sub =
        command(app_, "merge", "Put shards together and decide about the whole; needs no device", command_merge);
    sub->add_option("runs", options_.run_files,
                    "run files of the shards, or folders that hold them as *.run.json, however deep")
        ->type_name("RUN...");
    add_fan_out_id(sub, "take the shards that were kept under this name in the history");
    add_history(sub, "history to take shards from, and to keep the whole in");
    sub->add_option("--out", options_.out, "write the whole as a run file")->type_name("FILE");
    add_of_suite(sub);
    add_filter(sub)->description(kMeasuredFilter);
    add_baselines(sub);
    add_demote(sub);
    add_results(sub);
    sub->footer(std::string(kMergeExamples) + "\n\n" + kExitCodes);
  }

  void add_ab() {
    CLI::App* const sub =
        command(app_, "ab", "Two builds against each other on one device; needs no baseline", command_ab);
    add_base(sub);
    add_measuring(sub);
    sub->add_option("--head", options_.worker, "the same as --worker: the build that is judged")
        ->type_name("'PROGRAM ARGS'");
    sub->add_option("--pairs", options_.pairs, "screening sessions of either build (default 2)")
        ->check(CLI::Range(2, 1000))
        ->type_name("N");
    sub->add_option("--out-base", options_.out_base, "write the base build's run file")->type_name("FILE");
    flag(sub, "--no-confirm", options_.confirm, Options::Confirm::no, "leave flagged cases inconclusive");
    add_demote(sub);
    sub->footer(std::string(kAbExamples) + "\n\n" + kExitCodes);
  }

  void add_calibrate() {
    CLI::App* const sub =
        command(app_, "calibrate", "How small a slowdown is seen here, and how often without one", command_calibrate);
    sub->add_option("--data", options_.data, "folder that keeps the recordings of every card, and goes on with them")
        ->required()
        ->type_name("DIR");
    add_worker(sub);
    add_selection(sub);
    sub->add_option("--sessions", options_.sessions,
                    fmt::format("sessions without slowdown to compare with (default {})", kCalibrationBaselineSessions))
        ->check(CLI::Range(3, 1000))
        ->type_name("N");
    sub->add_option("--blocks", options_.blocks,
                    "blocks to measure now, each a screen and its confirmation with a third of the cases slowed down "
                    "(default 3; 0: only report what was measured)")
        ->check(CLI::Range(0, 1000))
        ->type_name("N");
    sub->add_option("--slowdowns", options_.slowdowns, "their sizes (default 0.5 1 2 3 5)")
        ->check(CLI::Range(0.01, 100.0))
        ->type_name("PERCENT...");
    add_calibrated_against(sub);
    add_label(sub);
    add_time_budget(sub, "start no session after this time; go on later");
    add_history(sub, "keep what was found in this history, too, for the report's page");
    sub->footer(kCalibrateExamples);
  }

  void add_tune() {
    CLI::App* const sub = command(
        app_, "tune", "Which tile shapes of kernels are fastest on this device, for the next build", command_tune);
    sub->callback([this] {
      arguments_.command = command_tune;
      options_.suite = tune_suite_;
    });
    add_worker(sub);
    sub->add_option("--suite", tune_suite_, "problems to tune for, a suite of perfcheck.toml (default: tune)")
        ->type_name("NAME");
    add_filter(sub);
    add_time_budget(sub, "start no batch after this time; go on later");
    flag(sub, "--again", options_.again, Options::Again::yes, "measure everything anew, also what the file holds");
    add_retry(sub, "wait, and measure again, this long while the machine is not fit (default: as [fitness] says)");
    sub->add_option("--out", options_.out, "file to go on with (default: OPERATION.tuned.json beside the baseline)")
        ->type_name("FILE");
    sub->footer(kTuneExamples);
  }

  void add_baseline() {
    CLI::App* const baseline =
        app_.add_subcommand("baseline", "Accept measured sessions, show what was accepted, upgrade its files");
    baseline->require_subcommand(1);
    CLI::App* const accept =
        command(*baseline, "accept", "Make the sessions of run files part of the baseline", command_baseline_accept);
    accept->add_option("runs", options_.run_files, "run files, or folders of them")
        ->required()
        ->expected(1, -1)
        ->type_name("RUN...");
    accept->add_option("--why", options_.why, "the reason, for those who review it")->required()->type_name("TEXT");
    accept->add_option("--who", options_.who, "who accepts (default: git's user.name)")->type_name("NAME");
    accept->add_option("--drop", options_.drop, "first remove matching cases from the baseline; repeatable")
        ->type_name("GLOB")
        ->allow_extra_args(false);
    flag(accept, "--replace", options_.replace, Options::Replace::yes,
         "forget the sessions that the measured cases have: after an accepted change");
    flag(accept, "--allow-dirty", options_.dirty, Options::Dirty::allow, "even if the tree had uncommitted changes");
    accept
        ->add_option("--despite", options_.despite,
                     "accept what findings of this name are about; the reason goes on record; repeatable")
        ->type_name("NAME REASON")
        ->allow_extra_args(false);
    add_import(accept);
    add_baselines(accept);
    accept->footer(kAcceptHelp);
    CLI::App* const show =
        command(*baseline, "show", "Baselines there are, by device, and what is odd about them", command_baseline_show);
    show->add_option("slug", options_.slug, "only this device's folder")->type_name("SLUG");
    add_baselines(show);
    CLI::App* const upgrade = command(
        *baseline, "upgrade", "Give files of older versions, or edited ones, a new digest", command_baseline_upgrade);
    upgrade
        ->add_option("place", options_.baseline_place,
                     "a file, or a folder with a folder for each device (default: as perfcheck.toml says)")
        ->type_name("FILE|DIR");
    add_baselines(upgrade);
    upgrade->footer(kUpgradeHelp);
  }

  void add_history_commands() {
    constexpr char const* kPlace = "SQLite file or PostgreSQL database (default: as perfcheck.toml says)";
    CLI::App* const history = app_.add_subcommand("history", "Every run ever recorded: add, look, take along");
    history->require_subcommand(1);
    CLI::App* const add =
        command(*history, "add", "Decide about runs against the stored baseline and keep both", command_history_add);
    CLI::App* const import =
        command(*history, "import", "The same for exported histories and other programs' results", command_history_add);
    for (CLI::App* const sub : {add, import}) {
      sub->add_option("files", options_.files,
                      "run files, exported histories (- for standard input), Google Benchmark's and NVBench's JSON")
          ->required()
          ->expected(1, -1)
          ->type_name("FILE...");
      add_history(sub, kPlace);
      add_of_suite(sub);
      add_filter(sub)->description(kMeasuredFilter);
      add_import(sub);
      sub->add_option("--commit", options_.commit, "what an imported file measured; it does not say")
          ->type_name("COMMIT");
      add_baselines(sub);
    }
    CLI::App* const show =
        command(*history, "show", "Which runs there are, or a case over its runs", command_history_show);
    CLI::Option* const run = show->add_option("run", options_.run_id, "only this run, with what was decided");
    run->type_name("ID");
    add_filter(show)->excludes(run);
    add_history(show, kPlace);
    CLI::App* const creep =
        command(*history, "creep", "Cases that became slower by many small steps, and with which commits",
                command_history_creep);
    creep->add_option("--anchor", options_.anchor, "compare with this commit or tag (default: the last release's tag)")
        ->type_name("COMMIT");
    add_filter(creep);
    add_baselines(creep);
    add_history(creep, kPlace);
    creep->footer(kCreepHelp);
    CLI::App* const out =
        command(*history, "export", "All of it as text, to standard output or a file", command_history_export);
    add_history(out, kPlace);
    out->add_option_function<std::string>(
           "--format",
           [this](std::string const& format) {
             options_.format = format == "csv" ? Options::Format::csv : Options::Format::jsonl;
           },
           "jsonl (everything; `history import` reads it) or csv (a line per case and run)")
        ->check(CLI::IsMember({"jsonl", "csv"}))
        ->type_name("NAME");
    out->add_option("--out", options_.out, "write here instead of to standard output")->type_name("FILE");
    add_history(command(*history, "upgrade", "Bring an older history's tables up to date", command_history_upgrade),
                kPlace);
    history->footer(kHistoryExamples);
  }

  void add_report() {
    CLI::App* const sub =
        command(app_, "report", "Trends, ladders and comparisons as a page for a browser", command_report);
    add_history(sub, "SQLite file or PostgreSQL database to draw (default: as perfcheck.toml says)");
    sub->add_option("--out", options_.out, "write one page that holds everything (default: report.html)")
        ->type_name("FILE");
    sub->add_option("--site", options_.site,
                    "write the page and its data beside each other, for large histories and the web")
        ->type_name("DIR");
    sub->add_option("--svg", options_.svg, "write pictures of the ladders and of the trend that changed last")
        ->type_name("DIR");
    sub->add_option("--title", options_.title, "headline of the page")->type_name("TEXT");
    add_filter(sub);
    add_baselines(sub);
    sub->footer(kReportExamples);
  }

  /// The subcommand that was being parsed.
  CLI::App* deepest() {
    CLI::App* at = &app_;
    while (!at->get_subcommands().empty()) {
      at = at->get_subcommands().front();
    }
    return at;
  }

  static std::string path_of(CLI::App const* app) {
    return app->get_parent() == nullptr ? "" : path_of(app->get_parent()) + " " + app->get_name();
  }

  /// What an unknown word was probably meant to be.
  std::string hint(CLI::ParseError const& error) {
    // A mistyped command is a missing one to the parser.
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

  Arguments& arguments_;
  std::string tune_suite_ = "tune";
  CLI::App app_;
};

}  // namespace

Arguments parse_arguments(int argc, char** argv, std::optional<Explanation>& explanation) {
  Arguments arguments;
  arguments.options.given.assign(argv + 1, argv + argc);
  Parser parser(arguments);
  explanation = parser.parse(argc, argv);
  return arguments;
}

}  // namespace perfcheck::cli

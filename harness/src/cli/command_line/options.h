// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What the command line said, and what every command needs to act on it.
#pragma once

#include "command_line/terminal.h"
#include "config/config.h"
#include "perfcheck/report/result_formats.h"
#include "perfcheck/session/interrupt.h"
#include "perfcheck/session/sealed_client.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfcheck::cli {

/// Sessions without slowdown that a calibration compares with.
inline constexpr int kCalibrationBaselineSessions = 8;

/// Checks that a calibration simulates where --simulate names no number: with no alarm, false ones are below 0.3 %.
inline constexpr int kSimulatedChecks = 1000;

enum class Output { text, json };

/// What a command measures that names no suite.
inline constexpr char const* kDefaultSuite = "default";

enum class Detail { quiet, normal, verbose };

/// One --result FORMAT=FILE.
struct ResultFile {
  std::optional<report::ResultFormat> format;  ///< empty: JSON, as --json prints it
  std::string file;                            ///< "-" is standard output
};

/// Options of several commands; a command reads those it has.
struct Options {
  std::vector<std::string> given;  ///< the command line, without the program
  std::string config;              ///< --config; empty: look for perfcheck.toml
  std::string change_config;       ///< --config-of-change; empty: the change is not told from what judges it
  std::string baselines;           ///< --baselines; empty: as perfcheck.toml says
  std::string backend = "auto";    ///< --backend
  std::string worker;              ///< --worker; empty: the one beside this program
  int device = 0;
  ColorChoice color = ColorChoice::automatic;
  Output output = Output::text;
  Detail detail = Detail::normal;

  std::string suite = kDefaultSuite;
  std::vector<std::string> filters;
  std::vector<std::string> inject;  ///< PATTERN=PERCENT
  std::optional<uint64_t> seed;
  double time_budget_s = 0;
  enum class Doctor { examine, require_fit } doctor = Doctor::examine;
  int sessions = 0;                      ///< 0: the command's default
  std::optional<double> retry_budget_s;  ///< absent: as [fitness] says
  std::optional<model::Shard> shard;     ///< --shard and --fan-out
  std::string devices;                   ///< --devices: "all" or indices with commas
  std::string out;
  std::vector<ResultFile> results;  ///< --result
  std::string result_name;          ///< --result-name; empty: the device's slug
  std::string report_url;           ///< --report-url
  std::string repro;                ///< --repro; empty: this command with its options
  enum class Timing { measure, verify_only } timing = Timing::measure;
  enum class Confirm { yes, no } confirm = Confirm::yes;
  enum class Record { no, missing } record = Record::no;
  std::vector<std::string> demote;  ///< --demote: verdicts that do not fail, besides those of perfcheck.toml

  std::optional<Sealed> sealed;          ///< --sealed; absent: as [measure] says
  std::string judge;                     ///< --judge; empty: as [measure] says, else the worker's own
  int batches = session::kUsualBatches;  ///< audit: for the judge to time

  std::string base;      ///< worker of the build to compare with
  std::string base_ref;  ///< commit to build it from
  int pairs = 2;         ///< ab: screening sessions of either build
  std::string out_base;

  std::string data;                                                   ///< calibrate: folder of its recordings
  std::string label;                                                  ///< calibrate: goes into the names of the blocks
  int blocks = 3;                                                     ///< calibrate: blocks to measure now
  enum class Against { own, others, stored } against = Against::own;  ///< calibrate
  std::vector<double> slowdowns{0.5, 1, 2, 3, 5};                     ///< calibrate: percent
  int repetitions = 20;         ///< calibrate: of each session, with slowdowns added afterwards
  std::optional<int> simulate;  ///< calibrate: checks to simulate, instead of those recorded

  enum class Again { no, yes } again = Again::no;  ///< tune: measure what the file holds, too

  std::string of_suite;  ///< compare, merge, history add: what was to be measured; empty: what the run names
  std::vector<std::string> run_files;  ///< compare, merge, baseline accept
  std::string device_name;             ///< imported files: of the device that they do not name
  std::optional<int> import_device;    ///< imported files: whose results to take
  std::string why, who;
  std::vector<std::string> drop;
  std::vector<std::pair<std::string, std::string>> despite;  ///< --despite: names of findings, and why they are none
  enum class Replace { no, yes } replace = Replace::no;
  enum class Dirty { refuse, allow } dirty = Dirty::refuse;
  std::string slug;            ///< baseline show
  std::string baseline_place;  ///< baseline upgrade: a file or a folder; empty: as for --baselines

  std::string history;                                      ///< --history; empty: as perfcheck.toml says
  std::vector<std::string> files;                           ///< history add, import
  enum class Format { jsonl, csv } format = Format::jsonl;  ///< history export
  std::string commit;                                       ///< history import: what was measured
  std::string run_id;                                       ///< history show
  std::string anchor;                                       ///< history creep; empty: the last release
  std::string site, svg, title;                             ///< report
};

/// Where text goes and what may interrupt. One per process.
struct Context {
  Terminal& terminal;
  session::Interrupt const& interrupt;
};

}  // namespace perfcheck::cli

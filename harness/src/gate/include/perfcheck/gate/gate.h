// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The decision: one pure function from (baseline sessions, new sessions, policy) to verdicts with reasons and numbers.
// docs/how-the-gate-decides.md explains it to the person who has to trust it.
#pragma once

#include "perfcheck/gate/differences.h"
#include "perfcheck/model/baseline.h"
#include "perfcheck/model/renames.h"
#include "perfcheck/model/run.h"
#include "perfcheck/model/summary.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfcheck::gate {

/// When confirmation is looked at.
enum class Look {
  glance,  ///< after one fresh session: nothing is decided, but what the screen only failed to exclude may be excluded
  first,   ///< after a few: what is clear by then, either way, is not measured again; spends a fifth of alpha
  last,    ///< after all of them; spends the rest, so that both together keep it
};

/// A look, and the fresh sessions that there are by then.
struct PlannedLook {
  Look look = Look::last;
  int sessions = 0;
};

struct Policy {
  double margin = 0.01;  ///< a slowdown up to this share is accepted
  /// Margins for cases whose id or kernel matches a glob; the last match wins.
  std::vector<std::pair<std::string, double>> margins;
  /// A margin of an old id holds for what it is called now.
  model::Renames renamed;
  double alpha = 0.05;         ///< family-wise error rate over the flagged cases of one check
  double screen_alpha = 0.05;  ///< per-case rate at which the screen asks for confirmation
  double floor_ns = 0;         ///< changes of the time per launch below this are never a regression
  int min_baseline_sessions = 3;
  int confirm_sessions = 4;

  /// When confirmation is looked at, earliest first; the last look has `confirm_sessions`. One pair of sessions beside
  /// a base build shows nothing, and one session of a shared device next to nothing: there is no glance at these.
  std::vector<PlannedLook> looks(bool beside_base) const;
  /// All cases of a kernel together may be slower by this share of their margins, in the mean: what no single case
  /// shows, many do that go the same way.
  double kernel_margin_share = 0.5;
  /// Smallest between-session standard deviation of log ratio and log cycles that the decision believes in.
  double min_sd = 0.0005;
  /// Standard deviation from card to card of one model: at least this, more where the baseline's cards show it
  /// (docs/how-the-gate-decides.md).
  double ratio_card_sd = 0.007;
  double cycles_card_sd = 0.005;
  /// The same from day to day on one card: other boots, loads of the driver, neighbours.
  double ratio_day_sd = 0.001;
  double cycles_day_sd = 0.0004;
  /// What time may differ by at equal cycles, because the clock is another one from session to session.
  double clock_step = 0.02;
  /// What slow rounds of a session may cost, as a share of its median round, and in which share of the sessions of
  /// unchanged code they cost more.
  double tail_margin = 0.03;
  double tail_rate = 0.01;
  /// A pass that would not have seen a slowdown of this share is none: the case is inconclusive. 0: any passes.
  double max_detectable = 0;
  /// Others use the device at the same time, as they do a CPU's caches and memory. That disturbs time and cycles and
  /// not the ratio: it alone decides, and two of three witnesses are not asked for.
  bool shared_device = false;
  /// On a shared device: a reference that costs this share more or less than in the baseline tells that the machine is
  /// not as it was, and a ratio to it says nothing.
  double reference_tolerance = 0.05;
  /// Verdicts that do not fail the command (exit code 0); reports still show them.
  std::vector<model::Verdict> demoted;
};

/// One observed case: the results of the sessions of this run, by purpose.
struct Observation {
  std::string id;
  std::vector<model::CaseResult const*> screen;
  std::vector<model::CaseResult const*> confirm;
  /// The libraries that the case's kernel and its reference merely call; empty for the program's own code.
  std::string library, reference_library;
  /// Why results that are left out say nothing: the machine was not fit (fitness.h).
  std::vector<std::string> unfit;
  int unfit_results = 0;  ///< how many of them
  std::size_t place = 0;  ///< where all of them were measured, an index into Observations::places
};

/// Of one session of a case, time per launch.
struct FastRounds {
  double fastest_ns = 0;  ///< of its fastest round
  double median_ns = 0;   ///< of the median of its rounds
};

/// What one run saw, and where.
struct Observations {
  /// Card, driver and libraries of the run's sessions: one, or one for each card of a fan-out.
  std::vector<model::BaselineSession> places;
  std::vector<Observation> cases;  ///< sorted by id
  /// Sessions of the base build that were measured beside the confirmation, on the same card; then these are what
  /// confirmation compares with, not the stored baseline. Null: the stored one.
  model::Baseline const* confirm_base = nullptr;
  /// Of the same sessions of the base build, fastest_rounds(): what a shared device is asked for where neighbours hide
  /// the rest. Empty: nobody asks.
  std::map<std::string, std::vector<FastRounds>> base_fastest;
  /// Where builds are compared, what was accepted: how far the new one is behind it is told, and decides nothing. Null:
  /// `baseline` where confirmation has a base of its own, otherwise none.
  model::Baseline const* anchor = nullptr;
  /// Before the last one, cases that are still open ask for more sessions (`wants_confirmation`).
  Look look = Look::last;
};

/// One witness's statement, as shares: +0.03 means 3 % slower.
struct Witness {
  double change = 0;
  double low = 0, high = 0;  ///< confidence limits of the change, each at the policy's alpha
  double sd = 0;             ///< between-session standard deviation used (log scale)
  int baseline_sessions = 0;
  int new_sessions = 0;
};

/// Reason code of a case without baseline whose sessions were stored as its baseline by this very check.
inline constexpr char const* kRecordedCode = "recorded";

/// Reason code of a case that was only measured while the machine was not fit for it.
inline constexpr char const* kUnfitCode = "machine_unfit";

/// Reason code of a case on a shared device whose reference shows that neighbours disturbed it.
inline constexpr char const* kDisturbedCode = "machine_disturbed";

struct CaseDecision {
  std::string id;
  model::Verdict verdict = model::Verdict::inconclusive;
  std::string reason_code;  ///< stable, for machines: "ratio_and_cycles_above_margin", "not_flagged", ...
  std::string reason;       ///< a sentence for a person, with its numbers and what to do next
  double margin = 0;  ///< in force for this case; wider than the policy's on a card that the baseline does not know
  std::optional<Witness> ratio, cycles, time;
  std::string decided_by;  ///< which of them speaks: "ratio", "cycles" or "time"; empty where no number is compared
  /// Smallest slowdown that this evidence would have called regressed with probability 0.8. Absent where neighbours
  /// disturbed the machine: none would have been.
  std::optional<double> detectable;
  /// What a pass says: the case is not slower by more than this share (95 %, one-sided; other cards of the model
  /// included where the baseline does not know this one). Absent for other verdicts.
  std::optional<double> at_most;
  /// Where builds are compared: by which share it is slower than what was accepted, if significantly by more than the
  /// margin.
  std::optional<double> behind;
  /// The screen flagged it, or an early look at its confirmation left it open: measure it again in fresh sessions
  /// before believing anything.
  bool wants_confirmation = false;
  /// Id under which what it is compared with was measured, where that is another one; see [renamed].
  std::string renamed_from;
  /// What else is not as in the baseline, for a case that regressed, improved or is inconclusive.
  std::vector<Difference> differences;

  /// The witness that `decided_by` names.
  std::optional<Witness> deciding() const;
};

struct Decisions {
  std::vector<CaseDecision> cases;  ///< union of scope and run, sorted by id
  /// One per kernel of at least three comparable cases: all of them together, `id` is the kernel's. Sorted by id.
  std::vector<CaseDecision> kernels;
  /// What concerns the whole run: no case matched, environment differences that matter to a reader.
  std::vector<std::string> notes;
  model::ExitCode exit_code = model::ExitCode::undecided;
};

/// Scope of a check: which cases were meant to run. A case in here that did not run is `missing`; a baseline case
/// outside of it is none of this check's business.
struct Scope {
  /// Every planned case, skipped ones included, and every baseline case that suite and filters select although no
  /// kernel offers it any more.
  std::vector<std::string> case_ids;
};

Decisions decide(model::Baseline const* baseline, Observations const& observations, Scope const& scope,
                 Policy const& policy);

/// Groups a run's sessions into observations; sessions of purpose `baseline` count as screen, and results of an unfit
/// machine are left out. The result points into
/// `run`. Throws std::invalid_argument when the run holds no session, sessions of devices of different models, or a
/// case that several cards measured.
Observations observations_of(model::Run const& run);

/// The fastest rounds of each session of a purpose, by case. Cases that were not measured, and results of an unfit
/// machine, are left out.
std::map<std::string, std::vector<FastRounds>> fastest_rounds(std::vector<model::Session> const& sessions,
                                                              model::SessionPurpose purpose);

/// For comparing finished runs: when a run has no confirmation but several sessions, its first becomes the screen and
/// the others the confirmation, so that one set of data asks the question and another answers it. A merged run stays as
/// it is: each of its shards had a screen of its own.
model::Run with_confirmation(model::Run run);

/// The margin in force for a case: the last matching entry of `margins`, else `margin`.
double margin_of(Policy const& policy, std::string const& case_id);

}  // namespace perfcheck::gate

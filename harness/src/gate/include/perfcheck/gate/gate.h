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

/// The points at which the gate evaluates the confirmation so far.
enum class Look {
  glance,  ///< after one fresh session: convicts nobody, but may clear a case whose screen was merely too noisy
  first,   ///< after a few: a case that is clear by then, either way, is not measured again; spends a fifth of alpha
  last,    ///< after all sessions; spends the rest, so that both together keep to alpha
};

/// A look, and the number of fresh sessions that exist by then.
struct PlannedLook {
  Look look = Look::last;
  int sessions = 0;
};

struct Policy {
  double margin = 0.01;  ///< a slowdown up to this share is accepted
  /// Margins for cases whose id or kernel matches a glob; the last match wins.
  std::vector<std::pair<std::string, double>> margins;
  /// A margin given for an old id applies to the case's new id.
  model::Renames renamed;
  double alpha = 0.05;         ///< family-wise error rate over the flagged cases of one check
  double screen_alpha = 0.05;  ///< per-case rate at which the screen asks for confirmation
  double floor_ns = 0;         ///< changes of the time per launch below this are never a regression
  int min_baseline_sessions = 3;
  int confirm_sessions = 4;

  /// The looks at the confirmation, earliest first; the last one has `confirm_sessions`. There is no glance beside a
  /// base build, where one pair of sessions shows nothing, or on a shared device, where one session shows next to
  /// nothing.
  std::vector<PlannedLook> looks(bool beside_base) const;
  /// All cases of a kernel together may be slower on average by this share of their margins. A small slowdown that no
  /// single case can show becomes visible when many cases move the same way.
  double kernel_margin_share = 0.5;
  /// Lower bound on the between-session standard deviation of log ratio and log cycles: smaller estimates are raised.
  double min_sd = 0.0005;
  /// Standard deviation between cards of one model: at least this, more where the cards in the baseline differ more
  /// (docs/how-the-gate-decides.md).
  double ratio_card_sd = 0.007;
  double cycles_card_sd = 0.005;
  /// The same between days on one card: reboots, driver reloads, neighbours.
  double ratio_day_sd = 0.001;
  double cycles_day_sd = 0.0004;
  /// How much time may differ at equal cycles, because the clock differs from session to session.
  double clock_step = 0.02;
  /// What slow rounds may cost in a session, as a share of its median round, and the share of sessions of unchanged
  /// code in which they cost more.
  double tail_margin = 0.03;
  double tail_rate = 0.01;
  /// A pass that would not have detected a slowdown of this share becomes inconclusive. 0: every pass stands.
  double max_detectable = 0;
  /// Other processes use the device at the same time, as with a CPU's caches and memory. That disturbs time and cycles
  /// more than the ratio, so the ratio alone decides, without a second witness.
  bool shared_device = false;
  /// On a shared device: a reference that costs more or less than in the baseline by over this share shows that the
  /// machine has changed, so that the ratio to it says nothing.
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
  /// Why some results were left out: the machine was not fit for measuring (fitness.h).
  std::vector<std::string> unfit;
  int unfit_results = 0;  ///< how many results were left out
  std::size_t place = 0;  ///< where the case was measured, an index into Observations::places
};

/// Time per launch in one session of a case.
struct FastRounds {
  double fastest_ns = 0;  ///< in its fastest round
  double median_ns = 0;   ///< median over its rounds
};

/// What one run saw, and where.
struct Observations {
  /// Card, driver and libraries of the run's sessions: one, or one for each card of a fan-out.
  std::vector<model::BaselineSession> places;
  std::vector<Observation> cases;  ///< sorted by id
  /// Sessions of the base build, measured beside the confirmation on the same card. Confirmation compares with them
  /// instead of with the stored baseline. Null: it compares with the stored baseline.
  model::Baseline const* confirm_base = nullptr;
  /// fastest_rounds() of the same sessions of the base build. On a shared device they decide cases that the medians
  /// leave open because of neighbours. Empty: they are not used.
  std::map<std::string, std::vector<FastRounds>> base_fastest;
  /// The accepted baseline, where two builds are compared: reports say how much slower than it the new build is, but no
  /// verdict depends on that. Null: `baseline` if there is a `confirm_base`, otherwise none.
  model::Baseline const* anchor = nullptr;
  /// At any look but the last, cases that are still open ask for more sessions (`wants_confirmation`).
  Look look = Look::last;
};

/// What one witness says, as shares: +0.03 means 3 % slower.
struct Witness {
  double change = 0;
  double low = 0, high = 0;  ///< confidence limits of the change, each at the policy's alpha
  double sd = 0;             ///< between-session standard deviation used (log scale)
  int baseline_sessions = 0;
  int new_sessions = 0;
};

/// Reason code of a case that had no baseline and whose sessions this very check stored as its baseline.
inline constexpr char const* kRecordedCode = "recorded";

/// Reason code of a case that was only measured while the machine was not fit for measuring.
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
  std::string decided_by;  ///< the deciding witness: "ratio", "cycles" or "time"; empty where no number is compared
  /// Smallest slowdown that this evidence would have called regressed with probability 0.8. Absent where neighbours
  /// disturbed the machine: then no slowdown would have been detected.
  std::optional<double> detectable;
  /// What a pass guarantees: the case is not slower by more than this share (95 %, one-sided; includes what other cards
  /// of the model differ by where the baseline does not know this card). Absent for other verdicts.
  std::optional<double> at_most;
  /// Where builds are compared: the share by which the case is slower than in the accepted baseline, if that exceeds
  /// the margin significantly.
  std::optional<double> behind;
  /// The screen flagged the case, or an early look left it open: measure it again in fresh sessions before believing
  /// anything.
  bool wants_confirmation = false;
  /// The old id under which the case's baseline or base build was measured, if it was renamed; see [renamed].
  std::string renamed_from;
  /// What else differs from the baseline, for a case that regressed, improved or is inconclusive.
  std::vector<Difference> differences;

  /// The witness that `decided_by` names.
  std::optional<Witness> deciding() const;
};

struct Decisions {
  std::vector<CaseDecision> cases;  ///< union of scope and run, sorted by id
  /// One decision for each kernel with at least three comparable cases, about all of them together; `id` is the
  /// kernel's. Sorted by id.
  std::vector<CaseDecision> kernels;
  /// Notes about the whole run: that no case matched, or differences of the environment that matter to a reader.
  std::vector<std::string> notes;
  model::ExitCode exit_code = model::ExitCode::undecided;
};

/// Scope of a check: the cases that were meant to run. A case in scope that did not run is `missing`; a baseline case
/// out of scope is ignored.
struct Scope {
  /// Every planned case, skipped ones included, and every baseline case that suite and filters select, even if no
  /// kernel offers it any more.
  std::vector<std::string> case_ids;
};

Decisions decide(model::Baseline const* baseline, Observations const& observations, Scope const& scope,
                 Policy const& policy);

/// Groups a run's sessions into observations. Sessions of purpose `baseline` count as screen, and results of an unfit
/// machine are left out. The result points into `run`. Throws std::invalid_argument when the run holds no session,
/// sessions of devices of different models, or a case that several cards measured.
Observations observations_of(model::Run const& run);

/// The fastest round of each session of a purpose, by case. Cases that were not measured and results of an unfit
/// machine are left out.
std::map<std::string, std::vector<FastRounds>> fastest_rounds(std::vector<model::Session> const& sessions,
                                                              model::SessionPurpose purpose);

/// For comparing finished runs. If a run has no confirmation but several sessions, the first becomes the screen and the
/// others the confirmation, so that one set of data asks the question and another answers it. A merged run stays as it
/// is, because each of its shards had its own screen.
model::Run with_confirmation(model::Run run);

/// The margin in force for a case: the last matching entry of `margins`, else `margin`.
double margin_of(Policy const& policy, std::string const& case_id);

}  // namespace perfcheck::gate

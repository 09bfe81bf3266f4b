// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measuring/sealing.h"

#include "perfcheck/session/sealed_objection.h"

namespace perfcheck::measuring {
namespace {

/// Unknown code counts as changed.
bool same_code(model::BaselineCase const& stored, model::CaseResult const& now) {
  return !stored.machine_code.empty() && stored.machine_code == model::machine_code_of(now) &&
         stored.launches == model::launch_hash_of(now);
}

}  // namespace

bool wants_sealed(config::Sealed when, model::Baseline const* baseline, model::CaseResult const& result) {
  if (when == config::Sealed::never || result.status != model::CaseStatus::measured || !result.unfit.empty()) {
    return false;
  }
  if (when == config::Sealed::always || baseline == nullptr) {
    return true;
  }
  auto const stored = baseline->cases.find(result.id);
  if (stored == baseline->cases.end() || stored->second.session.empty()) {
    return true;
  }
  return when == config::Sealed::changed && !same_code(stored->second, result);
}

void Sealing::apply(model::Session& session, std::string const& label, Progress& progress,
                    std::function<bool()> const& out_of_time) {
  std::vector<model::CaseResult*> concerned;
  for (model::CaseResult& result : session.cases) {
    if (wants_sealed(when_, baseline_, result)) {
      concerned.push_back(&result);
    }
  }
  if (concerned.empty()) {
    return;
  }
  progress.session_started(label + ", sealed", concerned.size());
  for (std::size_t i = 0; i < concerned.size(); ++i) {
    model::CaseResult& result = *concerned[i];
    progress.case_started(result.id, i, concerned.size());
    std::string const objection = out_of_time()
                                      ? "the time budget was used up before it; raise it or choose fewer cases"
                                      : judge_.objection_to(result);
    if (!objection.empty()) {
      session::uphold(objection, result);
    }
    progress.case_finished(result, i, concerned.size());
  }
  progress.session_finished();
}

std::unique_ptr<Sealing> sealing_of(Options const& options, Workbench const& bench, model::Baseline const* baseline,
                                    Context& context) {
  config::Sealed const when = options.sealed.value_or(bench.backend().measure.sealed);
  if (when == config::Sealed::never || options.timing == Options::Timing::verify_only) {
    return nullptr;
  }
  return std::make_unique<Sealing>(when, Judge(options, bench, context), baseline);
}

}  // namespace perfcheck::measuring

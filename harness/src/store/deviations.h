// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How far each session of a baseline is from those it should agree with, case by case, and how far it may be.
#pragma once

#include "perfcheck/store/audit.h"

#include <cstddef>
#include <string>
#include <vector>

namespace perfcheck::store {

enum class Witness { cycles, ratio, time };
char const* name_of(Witness witness);

/// What a session is compared with.
enum class Against {
  acceptance,  ///< the others of its card that were accepted together with it
  card,        ///< sessions of its card that were accepted before
  cards,       ///< other cards of the model, or sessions under other settings: larger changes are usual
};

/// One comparison: sessions that agree with each other against the median of the others.
struct Deviation {
  std::vector<std::size_t> sessions;       ///< indices into Baseline::sessions, ascending
  std::string const* case_id = nullptr;    ///< a key of Baseline::cases
  std::string const* reference = nullptr;  ///< that of the case
  Witness witness = Witness::cycles;
  Against against = Against::acceptance;
  double change = 0;  ///< log scale, +: slower
  double limit = 0;   ///< a larger change is more than chance
  bool outlying = false;
};

/// All comparisons. For each case and witness: sessions within an acceptance, then acceptances within a card, then
/// cards. What is outlying on one level is left out on the next. A level with fewer than three sessions passes them on
/// to the next, wider one.
std::vector<Deviation> deviations_of(model::Baseline const& baseline, AuditPolicy const& policy);

}  // namespace perfcheck::store

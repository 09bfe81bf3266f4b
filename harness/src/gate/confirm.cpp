// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/gate/confirm.h"

#include <utility>

namespace perfcheck::gate {

std::set<std::string> wanting(Decisions const& decisions) {
  std::set<std::string> ids;
  for (CaseDecision const& decision : decisions.cases) {
    if (decision.wants_confirmation) ids.insert(decision.id);
  }
  return ids;
}

Decisions confirm(Decisions decisions, std::vector<PlannedLook> const& looks,
                  std::function<void(std::set<std::string> const& cases, int from, int to)> const& measure,
                  std::function<Decisions(Look)> const& decide) {
  std::set<std::string> open = wanting(decisions), let_go;
  int measured = 0;
  for (auto const& [look, sessions] : looks) {
    if (open.empty()) {
      return measured > 0 ? decide(Look::last) : decisions;
    }
    measure(open, measured, sessions);
    measured = sessions;
    decisions = decide(look);
    std::set<std::string> still = wanting(decisions);
    for (std::string const& id : open) {
      if (!still.contains(id)) let_go.insert(id);
    }
    std::erase_if(still, [&](std::string const& id) { return let_go.contains(id); });
    open = std::move(still);
  }
  return decisions;
}

}  // namespace perfcheck::gate

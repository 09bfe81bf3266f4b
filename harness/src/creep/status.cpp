// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/creep/creep.h"

#include <stdexcept>

namespace perfcheck::creep {

std::string_view to_text(Reason reason) {
  switch (reason) {
    case Reason::none: return "";
    case Reason::library: return "a library's kernel, which no commit of ours changes";
    case Reason::gone: return "no longer measured";
    case Reason::few_runs: return "too few runs";
    case Reason::other_cards: return "no card ran both then and now";
    case Reason::not_finite: return "some of its numbers are not finite";
    case Reason::controls_moved: return "cases of unchanged machine code moved as well";
  }
  throw std::logic_error("unknown reason");
}

std::string_view to_text(Status status) {
  switch (status) {
    case Status::steady: return "steady";
    case Status::creeping: return "creeping";
    case Status::drifted: return "drifted";
    case Status::unknown: return "unknown";
    case Status::left_out: return "left_out";
  }
  throw std::logic_error("unknown status");
}

std::string_view to_text(AnchorKind kind) {
  switch (kind) {
    case AnchorKind::first_runs: return "the first runs";
    case AnchorKind::release: return "the release";
    case AnchorKind::accepted: return "the accepted baseline";
    case AnchorKind::improved: return "the last improvement";
  }
  throw std::logic_error("unknown anchor");
}

}  // namespace perfcheck::creep

// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The edits of docs/evidence/adversarial.md, one function per item.
#pragma once

#include "desk.h"

#include <functional>
#include <string>
#include <vector>

namespace perfcheck::adversarial {

/// Does an edit hide a slowdown?
enum class Hides {
  yes,   ///< it must not end with 0
  no,    ///< it must end with 0, unless the table gives a reason
  told,  ///< this check cannot or should not fail for it: 0 only if the output says so
};

struct Edit {
  std::string id;    ///< "1.3": item and number
  std::string what;  ///< the edit, in one line
  Hides hides = Hides::yes;
  std::function<Answer(Desk&)> ask;
  std::string reason = {};  ///< for `no`: why it does not end with 0 all the same; for `told`: why 0 is right
  std::string word = {};    ///< for `told`: what the output must say, or
  double within = 0;        ///< the slowdown, as a share, that a pass must not claim to exclude
};

std::vector<Edit> code_edits();      ///< 1: equal machine code does not acquit
std::vector<Edit> baseline_edits();  ///< 2: baselines audit themselves
std::vector<Edit> forged_edits();    ///< careful edits of baselines, which no gate can see in a file
std::vector<Edit> bound_edits();     ///< 3: a pass says something
std::vector<Edit> anchor_edits();    ///< 4: two anchors, and creep
std::vector<Edit> card_edits();      ///< 5: cards and days
std::vector<Edit> scope_edits();     ///< 6: what must be there
std::vector<Edit> mixture_edits();   ///< 7: mixtures
/// More edits of an item: run files that contradict themselves or hold less than was measured.
std::vector<Edit> file_edits(int item);

}  // namespace perfcheck::adversarial

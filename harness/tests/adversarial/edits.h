// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The edits of docs/evidence/adversarial.md, a function for each item.
#pragma once

#include "desk.h"

#include <functional>
#include <string>
#include <vector>

namespace perfcheck::adversarial {

/// Does an edit hide a slowdown?
enum class Hides {
  yes,   ///< it must not end with 0
  no,    ///< it must end with 0, but for a reason that the table gives
  told,  ///< one that this check cannot or shall not fail for: 0 only with a word about it
};

struct Edit {
  std::string id;    ///< "1.3": item, number
  std::string what;  ///< one line
  Hides hides = Hides::yes;
  std::function<Answer(Desk&)> ask;
  std::string reason = {};  ///< harmless: why it does not end with 0 all the same; told: why 0 is right
  std::string word = {};    ///< told: what must be said; or
  double within = 0;        ///< told: the slowdown, a share, which a pass must not claim to exclude
};

std::vector<Edit> code_edits();      ///< 1: equal machine code does not acquit
std::vector<Edit> baseline_edits();  ///< 2: baselines audit themselves
std::vector<Edit> forged_edits();    ///< of baselines, with care: what no gate can see in a file
std::vector<Edit> bound_edits();     ///< 3: a pass says something
std::vector<Edit> anchor_edits();    ///< 4: two anchors, and creep
std::vector<Edit> card_edits();      ///< 5: cards and days
std::vector<Edit> scope_edits();     ///< 6: what must be there
std::vector<Edit> mixture_edits();   ///< 7: mixtures
/// Of an item: run files that contradict themselves, or hold less than was measured.
std::vector<Edit> file_edits(int item);

}  // namespace perfcheck::adversarial

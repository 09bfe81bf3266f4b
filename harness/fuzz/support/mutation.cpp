// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "support/mutation.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace perfcheck::fuzz {
namespace {

// Deep nesting, long keys and long columns need size.
constexpr std::size_t kLargest = std::size_t{1} << 16;

constexpr std::array<std::string_view, 24> kHostile = {"-1",
                                                       "0",
                                                       "1e309",
                                                       "-0.0",
                                                       "4.9e-324",
                                                       "1e308",
                                                       "18446744073709551615",
                                                       "9223372036854775807",
                                                       "nan",
                                                       "null",
                                                       "2147483648",
                                                       "{}",
                                                       "[]",
                                                       "\"\"",
                                                       "\"\\u0000\"",
                                                       "\"\\n\"",
                                                       "\x1b[2J",
                                                       "\xff",
                                                       "\xc2\x9b",
                                                       "\n",
                                                       "@",
                                                       "%00",
                                                       "\\",
                                                       "*"};

/// Where a part of `text` begins and how long it is; nothing of an empty text.
struct Part {
  std::size_t at, size;
};

class Mutator {
 public:
  Mutator(std::string& text, std::mt19937_64& random) : text_(text), random_(random) {}

  void change(std::string const& other) {
    switch (below(9)) {
      case 0: flip_bit(); break;
      case 1: insert_byte(); break;
      case 2: remove(some_part()); break;
      case 3: repeat_a_little(); break;
      case 4: repeat(some_part(), kLargest); break;
      case 5: insert_hostile(); break;
      case 6: replace_number(); break;
      case 7: text_.resize(below(text_.size() + 1)); break;
      default: splice(other); break;
    }
  }

 private:
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }

  Part part_of(std::string const& of) {
    if (of.empty()) {
      return {.at = 0, .size = 0};
    }
    std::size_t const at = below(of.size());
    std::size_t const most = below(4) == 0 ? of.size() : 24;
    std::size_t const longest = std::min<std::size_t>(of.size() - at, most);
    return {.at = at, .size = 1 + below(longest)};
  }
  Part some_part() { return part_of(text_); }

  void flip_bit() {
    if (!text_.empty()) {
      std::size_t const at = below(text_.size());
      std::size_t const bit = below(8);
      text_[at] = static_cast<char>(static_cast<unsigned char>(text_[at]) ^ (1U << bit));
    }
  }
  // Numbers are drawn one after the other into names: compilers differ in the order of a call's arguments.
  void insert_byte() {
    std::size_t const at = below(text_.size() + 1);
    text_.insert(at, 1, static_cast<char>(below(256)));
  }
  void repeat_a_little() {
    Part const part = some_part();
    repeat(part, 1 + below(3));
  }
  void remove(Part part) { text_.erase(part.at, part.size); }

  void repeat(Part part, std::size_t times) {
    if (part.size > 0 && text_.size() < kLargest) {
      std::string const unit = text_.substr(part.at, part.size);
      std::string more;
      for (times = std::min(times, (kLargest - text_.size()) / part.size); times > 0; --times) {
        more += unit;
      }
      text_.insert(part.at, more);
    }
  }

  void insert_hostile() {
    std::size_t const at = below(text_.size() + 1);
    text_.insert(at, kHostile[below(kHostile.size())]);
  }

  /// The digits at or behind some place.
  void replace_number() {
    constexpr std::string_view kOfNumbers = "0123456789.+-eE";
    if (text_.empty()) {
      return;
    }
    std::size_t const at = text_.find_first_of("0123456789", below(text_.size()));
    if (at != std::string::npos) {
      std::size_t const end = std::min(text_.find_first_not_of(kOfNumbers, at), text_.size());
      text_.replace(at, end - at, kHostile[below(kHostile.size())]);
    }
  }

  void splice(std::string const& other) {
    Part const part = part_of(other);
    text_.insert(below(text_.size() + 1), other, part.at, part.size);
  }

  std::string& text_;
  std::mt19937_64& random_;
};

}  // namespace

std::string mutated(std::string input, std::string const& other, std::mt19937_64& random) {
  Mutator mutator(input, random);
  for (std::size_t changes = 1 + static_cast<std::size_t>(random() % 4); changes > 0; --changes) {
    mutator.change(other);
  }
  return input;
}

}  // namespace perfcheck::fuzz

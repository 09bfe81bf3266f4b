// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Waits between attempts that fail because of concurrent ones.
#pragma once

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

namespace perfcheck::history {

/// Exponential backoff with random jitter, so that those who collided once do not collide again.
class Backoff {
 public:
  explicit Backoff(int attempts) : left_(attempts) {}

  /// Waits; returns false at once when the attempts are used up.
  bool wait() {
    if (--left_ <= 0) {
      return false;
    }
    std::uniform_real_distribution<double> share(0.5, 1.5);
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds_ * share(random_)));
    seconds_ = std::min(2 * seconds_, kLongest);
    return true;
  }

 private:
  static constexpr double kLongest = 2;
  int left_;
  double seconds_ = 0.02;
  std::minstd_rand random_{std::random_device{}()};
};

}  // namespace perfcheck::history

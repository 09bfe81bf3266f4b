// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Both sides of a meeting, on a CPU.
#include "perfcheck/device/meeting.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace perfcheck::device {
namespace {

TEST(Meetings, HoldABatchUntilTheJudgeTellsASecretAndShowWhatCameOfIt) {
  auto const backend = make_cpu_backend();
  Meeting meeting;
  auto const end = backend->join_meeting(meeting.handle());
  EXPECT_FALSE(meeting.reached());
  std::uint64_t secret = 1;
  std::thread batch([&] {
    end->enqueue_await(&secret);
    std::uint64_t const last = secret + 1;
    end->enqueue_tell(&last);
  });
  while (!meeting.reached()) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // a batch that does not wait would have ended by now
  EXPECT_FALSE(meeting.last().has_value());
  meeting.release(0xfedcba9876543210U);
  batch.join();
  EXPECT_EQ(secret, 0xfedcba9876543210U) << "all 64 bits of the secret must arrive";
  EXPECT_EQ(meeting.last(), 0xfedcba9876543211U);
}

TEST(Meetings, StartAnewForEachBatch) {
  auto const backend = make_cpu_backend();
  Meeting meeting;
  auto const end = backend->join_meeting(meeting.handle());
  for (std::uint64_t round = 1; round <= 3; ++round) {
    meeting.reset();
    EXPECT_FALSE(meeting.reached());
    EXPECT_FALSE(meeting.last().has_value());
    meeting.release(round);
    std::uint64_t secret = 0;
    end->enqueue_await(&secret);
    EXPECT_EQ(secret, round);
    end->enqueue_tell(&secret);
    EXPECT_EQ(meeting.last(), round);
  }
}

TEST(Meetings, CannotBeJoinedUnderAnotherName) {
  auto const backend = make_cpu_backend();
  EXPECT_THROW((void)backend->join_meeting("/elsewhere"), DeviceError);
  EXPECT_THROW((void)backend->join_meeting("/perfcheck-00"), DeviceError);
}

}  // namespace
}  // namespace perfcheck::device

// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a judge finds in the outputs of a batch. The operation is the simplest possible: each output repeats a word that
// is derived from the secret.
#include "batch_proof.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace perfcheck::sealed {
namespace {

using testing::HasSubstr;

constexpr std::size_t kOutputBytes = 256;
constexpr int kLaunches = 20;
constexpr std::uint64_t kSecret = 0x1234;

std::uint32_t word_for(std::uint64_t secret) { return static_cast<std::uint32_t>(secret * 2654435761U >> 8U) | 1U; }

class WordProof final : public worker::SealedProof {
 public:
  std::size_t output_bytes() const override { return kOutputBytes; }
  std::uint32_t poison_word() const override { return 0xfff0dead; }
  verify::Engine& engine() override { return *engine_; }
  std::string finding(void* output, std::uint64_t secret, std::uint64_t) override {
    auto const* words = static_cast<std::uint32_t const*>(output);
    bool const right =
        std::all_of(words, words + kOutputBytes / 4, [&](auto word) { return word == word_for(secret); });
    return right ? "" : "not the word of its secret";
  }

 private:
  std::unique_ptr<verify::Engine> engine_ = verify::make_host_engine();
};

class BatchProofs : public testing::Test {
 protected:
  BatchProofs()
      : backend_(device::make_cpu_backend()),
        proof_(*backend_, words_, kLaunches * kOutputBytes, 1000),
        memory_(backend_->open_shared(proof_.handle(), proof_.bytes())) {}

  std::uint32_t* output(int index) {
    return static_cast<std::uint32_t*>(
        static_cast<void*>(memory_.bytes_at(static_cast<std::size_t>(index) * kOutputBytes)));
  }
  void write(int index, std::uint32_t word) { std::fill_n(output(index), kOutputBytes / 4, word); }

  /// Does what the kernel's process does: each launch's secret is made from the previous launch's output. `change` may
  /// spoil an output before that.
  void run(std::function<void(int index)> const& change = [](int) {}) {
    proof_.poison(kLaunches);
    std::uint64_t secret = kSecret;
    for (int index = 0; index < kLaunches; ++index) {
      write(index, word_for(secret));
      change(index);
      std::uint64_t next = 0;
      words_.engine().chain(output(index), kOutputBytes, &secret, &next);
      secret = next;
    }
    last_ = secret;
  }
  std::string finding(int drawn = kLaunches) { return proof_.finding(kLaunches, kSecret, last_, drawn); }

  WordProof words_;
  std::unique_ptr<device::Backend> backend_;
  BatchProof proof_;
  device::Memory memory_;
  std::uint64_t last_ = 0;  ///< the last secret of the batch
};

TEST_F(BatchProofs, ABatchThatDidItsWorkIsRight) {
  run();
  EXPECT_EQ(finding(), "");
  EXPECT_EQ(proof_.verified(), kLaunches);
}

TEST_F(BatchProofs, HaveRoomForAsManyOutputsAsTheMemoryHoldsAndForTwoAtLeast) {
  EXPECT_EQ(proof_.most_launches(), kLaunches);
  EXPECT_EQ(BatchProof(*backend_, words_, 1, 1000).most_launches(), 2);
  EXPECT_EQ(BatchProof(*backend_, words_, 1U << 20U, 7).most_launches(), 7);
}

TEST_F(BatchProofs, AnyLaunchThatLeftAWrongOutputIsNamedWhenItIsDrawn) {
  for (int wrong : {0, 7, kLaunches - 2}) {
    run([&](int index) {
      if (index == wrong) output(index)[3] ^= 1U;
    });
    EXPECT_EQ(finding(), fmt::format("launch {} of 20: not the word of its secret", wrong + 1));
  }
}

TEST_F(BatchProofs, TheLastOutputIsAlwaysLookedAt) {
  run([&](int index) {
    if (index == kLaunches - 1) output(index)[63] = 0;
  });
  EXPECT_THAT(finding(0), HasSubstr("launch 20 of 20"));
}

TEST_F(BatchProofs, AnOutputThatWasSkippedAndPutRightAfterwardsBreaksTheChain) {
  run([&](int index) {
    if (index == 5) write(index, 0);
  });
  // Writes the right word for launch 6 afterwards; all later inputs were made from the wrong one.
  std::uint64_t secret = kSecret;
  for (int index = 0; index < 5; ++index) {
    std::uint64_t next = 0;
    words_.engine().chain(output(index), kOutputBytes, &secret, &next);
    secret = next;
  }
  write(5, word_for(secret));
  EXPECT_NE(finding(0), "");
}

TEST_F(BatchProofs, ALastOutputThatIsPutRightWhenTheClockHasStoppedIsNotWhatTheBatchEndedWith) {
  run([&](int index) {
    if (index == kLaunches - 1) write(index, 0);
  });
  std::uint64_t secret = kSecret;
  for (int index = 0; index + 1 < kLaunches; ++index) {
    std::uint64_t next = 0;
    words_.engine().chain(output(index), kOutputBytes, &secret, &next);
    secret = next;
  }
  write(kLaunches - 1, word_for(secret));
  EXPECT_THAT(finding(0), HasSubstr("written when the clock had stopped"));
}

TEST_F(BatchProofs, OutputsOfAnotherSecretAreWrong) {
  run();
  EXPECT_NE(proof_.finding(kLaunches, kSecret + 1, last_, 0), "");
}

TEST_F(BatchProofs, NothingWrittenIsWrong) {
  proof_.poison(kLaunches);
  EXPECT_NE(finding(), "");
}

/// If a share f of the launches is skipped, s drawn outputs find it with probability 1 - (1 - f)^s. Here 4 of 20 are
/// skipped, and 5 of 19 drawn.
TEST_F(BatchProofs, SkippedLaunchesAreFoundAsOftenAsPromised) {
  run([&](int index) {
    if (index % 5 == 2) write(index, 0);
  });
  int found = 0;
  constexpr int kTries = 400;
  for (int i = 0; i < kTries; ++i) found += finding(5).empty() ? 0 : 1;
  // 1 - C(15, 5) / C(19, 5) = 0.742; five standard deviations of 400 tries are 0.11.
  EXPECT_NEAR(static_cast<double>(found) / kTries, 0.742, 0.11);
}

}  // namespace
}  // namespace perfcheck::sealed

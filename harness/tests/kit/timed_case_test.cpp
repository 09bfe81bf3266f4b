// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How a timed case uses the answers of a proof, on a problem of one number.
#include "perfcheck/kit/timed_case.h"

#include <gmock/gmock.h>

namespace perfcheck::kit {
namespace {

using testing::HasSubstr;

Operand number(char const* name) {
  return {.name = name,
          .shape = {.element = Element::f32, .rows = 1, .columns = 1, .row_stride = 1, .column_stride = 1}};
}

class OneNumber final : public Definition {
 public:
  std::vector<Operand> inputs() const override { return {number("x")}; }
  Operand output() const override { return number("y"); }
  bool hot() const override { return false; }
  std::size_t workspace_bytes(KernelInfo const& /*kernel*/) const override { return 0; }
  std::unique_ptr<Launches> launches(KernelInfo const& /*kernel*/, Device& /*device*/, int /*most*/) const override {
    return make_launches([](Buffers const& buffers) { return buffers.output.data; },
                         [](void* y) { *static_cast<float*>(y) = 7; });
  }
};

struct ScriptedProof final : Proof {
  bool takes_outputs() const override { return takes; }
  bool accuses_by_chance() const override { return by_chance; }
  void enqueue(Outputs const& outputs) override {
    given = outputs.first.data;
    value = *static_cast<float const*>(given);
  }
  ProofResult collect() override { return result; }
  std::string what_is_wrong(Inputs const& /*inputs*/, verify::MatrixView const& output) override {
    ++looks;
    return output.data == wrong_output ? "it is wrong" : "";
  }

  bool takes = false, by_chance = false;
  ProofResult result{.right = 1, .judged = 1};
  void* wrong_output = nullptr;
  void* given = nullptr;
  float value = 0;
  int looks = 0;
};

class TimedCaseOfAProof : public testing::Test {
 protected:
  std::string replay() {
    timed_->renew({0, 1}, 3);
    timed_->launch(0);
    timed_->compare(1, 3, 4);
    return timed_->finding();
  }

  std::unique_ptr<device::Backend> backend_ = device::make_cpu_backend();
  Device device_ = make_device(*backend_, verify::make_host_engine());
  std::shared_ptr<OneNumber> definition_ = std::make_shared<OneNumber>();
  std::shared_ptr<ScriptedProof> proof_ = std::make_shared<ScriptedProof>();
  std::unique_ptr<worker::TimedCase> timed_ =
      make_timed_case(definition_, device_, std::make_shared<TimedInputs>(device_, *definition_, 2), proof_, {});
};

TEST_F(TimedCaseOfAProof, FindsNothingWhereAllJudgementsAreRight) {
  EXPECT_EQ(replay(), "");
  EXPECT_EQ(proof_->value, 7) << "the proof must see what the launch wrote";
  EXPECT_EQ(proof_->looks, 0);
}

TEST_F(TimedCaseOfAProof, LooksAgainAtWhatIsAccused) {
  proof_->result = {.right = 0, .judged = 1, .wrong_set = 0};
  (void)replay();
  proof_->wrong_output = proof_->given;
  EXPECT_EQ(replay(), "buffers 1 of 1: it is wrong");
}

TEST_F(TimedCaseOfAProof, ForgivesAnAccusationByChanceAndNoOther) {
  proof_->result = {.right = 0, .judged = 1, .wrong_set = 0};
  EXPECT_THAT(replay(), HasSubstr("something changed the outputs or the count"));
  proof_->by_chance = true;
  EXPECT_EQ(replay(), "");
  EXPECT_EQ(proof_->looks, 2);
}

TEST_F(TimedCaseOfAProof, DoesNotBelieveACountThatSomebodyCleared) {
  proof_->by_chance = true;
  proof_->result = {.right = 0, .judged = 1, .wrong_set = -1};
  EXPECT_THAT(replay(), HasSubstr("0 of 1 results were counted right, and a closer look finds none wrong: "));
}

TEST_F(TimedCaseOfAProof, GivesCopiesToAProofThatDoesNotTakeOutputsItself) {
  (void)replay();
  void* const copy = proof_->given;
  proof_->takes = true;
  (void)replay();
  EXPECT_NE(proof_->given, copy);
}

}  // namespace
}  // namespace perfcheck::kit

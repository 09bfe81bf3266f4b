// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What the comparison of timed outputs sees: single elements anywhere, and small errors everywhere.
#include "proof.h"

#include "data.h"

#include "perfcheck/verify/engine.h"

#include <gmock/gmock.h>

#include <random>
#include <vector>

namespace perfcheck::gemm {
namespace {

/// Right results for a few sets of buffers, made with FP64 and rounded once.
class Outputs {
 public:
  Outputs(char const* text, int sets, std::uint64_t secret) : problem_(parse_gemm_problem(text)) {
    auto const shapes = shapes_of(problem_);
    task_.a = {.first = shapes.a, .set_bytes = 0, .operand = 0};
    task_.b = {.first = shapes.b, .set_bytes = 0, .operand = 1};
    task_.c = {.first = shapes.d, .set_bytes = 0, .operand = 2};
    task_.d = shapes.d;
    elements_ = shapes.d.index(shapes.d.rows - 1, shapes.d.columns - 1) + 1;
    d_.resize(static_cast<std::size_t>(elements_ * sets));
    task_.d.data = d_.data();
    task_.d_set_bytes = elements_ * static_cast<std::int64_t>(sizeof(float));
    task_.sets = sets;
    task_.secret = secret;
    task_.draw = secret ^ 0x1234567;
    task_.alpha = static_cast<double>(problem_.alpha);
    task_.beta = static_cast<double>(problem_.beta);
    task_.bound = bound_for(Data::signed_values, problem_);
    for (int set = 0; set < sets; ++set) multiply(set);
  }

  float& at(int set, std::int64_t row, std::int64_t column) {
    return d_[static_cast<std::size_t>(set * elements_ + task_.d.index(row, column))];
  }
  std::vector<float>& all() { return d_; }
  ProofTask& task() { return task_; }

  ProofResult result() const {
    auto const engine = make_host_proof_engine();
    engine->enqueue(task_);
    return engine->collect();
  }
  bool right() const {
    auto const found = result();
    return found.right == found.judged;
  }

 private:
  double value(verify::SecretMatrices const& matrices, int set, std::int64_t row, std::int64_t column) const {
    return static_cast<double>(verify::secret_value(verify::secret_key(task_.secret, set, matrices.operand),
                                                    static_cast<std::uint32_t>(row),
                                                    static_cast<std::uint32_t>(column)));
  }

  void multiply(int set) {
    for (std::int64_t row = 0; row < task_.d.rows; ++row) {
      for (std::int64_t column = 0; column < task_.d.columns; ++column) {
        double sum = 0;
        for (std::int64_t k = 0; k < problem_.k; ++k)
          sum += value(task_.a, set, row, k) * value(task_.b, set, k, column);
        double result = task_.alpha * sum;
        if (task_.beta != 0) result += task_.beta * value(task_.c, set, row, column);
        at(set, row, column) = static_cast<float>(result);
      }
    }
  }

  GemmProblem problem_;
  ProofTask task_;
  std::int64_t elements_ = 0;
  std::vector<float> d_;
};

TEST(Proof, RightResultsOfAnyShapeAreRight) {
  for (char const* text : {"f32,nn,m1n1k1", "f32,nt,m17n33k5", "f32,nn,m40n70k90", "f32,nn,m3n600k31",
                           "f32,nn,m20n1100k16", "f32,nn,m33n20k64,ldd25,alpha-1.5,beta0.75", "f32,nt,m9n300k700"}) {
    for (std::uint64_t secret = 1; secret < 6; ++secret) {
      auto const found = Outputs(text, 3, secret).result();
      EXPECT_EQ(found.right, found.judged) << text;
      EXPECT_EQ(found.wrong_set, -1) << text;
    }
  }
}

TEST(Proof, AnElementThatWasNeverWrittenIsSeenWhereverItIs) {
  Outputs outputs("f32,nn,m64n520k32", 3, 5);
  std::mt19937 random(1);
  for (int trial = 0; trial < 50; ++trial) {
    int const set = static_cast<int>(random() % 3);
    float& element =
        outputs.at(set, static_cast<std::int64_t>(random() % 64), static_cast<std::int64_t>(random() % 520));
    float const before = element;
    std::uint32_t const poison = verify::poison_bits(verify::Element::f32);
    std::memcpy(&element, &poison, sizeof poison);
    EXPECT_EQ(outputs.result().wrong_set, set);
    element = before;
  }
  EXPECT_TRUE(outputs.right());
}

TEST(Proof, OneStaleElementIsSeenWhereverItIs) {
  Outputs outputs("f32,nn,m64n520k128", 2, 6);
  std::mt19937 random(2);
  int seen = 0;
  for (int trial = 0; trial < 200; ++trial) {
    float& element = outputs.at(1, static_cast<std::int64_t>(random() % 64), static_cast<std::int64_t>(random() % 520));
    float const before = element;
    element = outputs.at(0, 3, 4);
    seen += outputs.right() ? 0 : 1;
    element = before;
  }
  // One that happens to be close to the right value is no error that a sum could show.
  EXPECT_GE(seen, 195);
}

TEST(Proof, SumsOfLessPrecisionAreSeenInTheDrawnBlocks) {
  Outputs outputs("f32,nn,m64n64k256", 4, 7);
  for (float& element : outputs.all()) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &element, sizeof bits);
    bits = (bits + 0x1000U) & ~0x1fffU;  // ten bits of fraction, as TF32 has
    std::memcpy(&element, &bits, sizeof bits);
  }
  auto const found = outputs.result();
  EXPECT_LT(found.right, found.judged);
}

TEST(Proof, ResultsOfAnotherSecretAlphaOrBetaAreWrong) {
  Outputs outputs("f32,nn,m40n40k40,alpha0.5,beta2", 2, 8);
  for (auto const change : {0, 1, 2}) {
    ProofTask const before = outputs.task();
    outputs.task().secret += change == 0 ? 1 : 0;
    outputs.task().alpha += change == 1 ? 0.01 : 0;
    outputs.task().beta += change == 2 ? 0.01 : 0;
    EXPECT_FALSE(outputs.right()) << change;
    outputs.task() = before;
  }
  EXPECT_TRUE(outputs.right());
}

TEST(Proof, ColumnGroupsArePowersOfTwoOfAtLeast128Columns) {
  for (std::int64_t columns = 1; columns < 5000; ++columns) {
    int const groups = proof_groups(columns);
    EXPECT_EQ(groups & (groups - 1), 0);
    EXPECT_TRUE(groups == 1 || columns / groups >= 128) << columns;
  }
}

TEST(Proof, WhatIsReservedForSomeSetsIsEnoughForFewer) {
  for (int reserved = 1; reserved < 400; ++reserved) {
    for (int sets = 1; sets <= reserved; ++sets) {
      ASSERT_LE(sets * proof_blocks(sets), most_proof_blocks(reserved)) << sets << " of " << reserved;
    }
  }
}

}  // namespace
}  // namespace perfcheck::gemm

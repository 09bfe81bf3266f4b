// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What the comparison of timed outputs detects: single wrong elements anywhere, and small errors everywhere.
#include "proof.h"

#include "data.h"
#include "sparse.h"

#include "perfcheck/verify/engine.h"

#include <gmock/gmock.h>

#include <random>
#include <vector>

namespace perfcheck::gemm {
namespace {

/// Correct four-byte results for a few sets of buffers, computed in FP64 and rounded once.
class Outputs {
 public:
  Outputs(char const* text, int sets, std::uint64_t secret) : problem_(parse_gemm_problem(text)) {
    task_.types = problem_.types;
    task_.parts = row_parts(problem_);
    for (Operand const& operand : read_inputs_of(problem_)) {
      auto const number = static_cast<std::size_t>(operand.number);
      task_.inputs[number] = {.first = operand.shape,
                              .operand = static_cast<int>(number),
                              .scales = operand.scales,
                              .exponent = operand.exponent};
    }
    task_.inputs[static_cast<std::size_t>(Input::a_indices)] = indices_of_a(problem_);
    task_.d = shape_of_d(problem_);
    elements_ = task_.d.index(task_.d.rows - 1, task_.d.columns - 1) + 1;
    d_.resize(static_cast<std::size_t>(elements_ * sets));
    task_.d.data = d_.data();
    task_.d_set_bytes = elements_ * static_cast<std::int64_t>(sizeof(float));
    task_.sets = sets;
    task_.secret = secret;
    task_.draw = secret ^ 0x1234567;
    task_.epilogue = epilogue_of(problem_);
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
  double value(Input input, int set, std::int64_t row, std::int64_t column) const {
    verify::SecretMatrices const& matrices = task_.input(input);
    if (matrices.first.rows == 0) return 0;
    return verify::secret_element(matrices.format(), verify::secret_key(task_.secret, set, matrices.operand),
                                  static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column));
  }
  double a(int set, std::int64_t row, std::int64_t k) const {
    return element_at(task_.a(), keys_of(task_.a(), task_.secret, set), row, k);
  }
  double b(int set, std::int64_t matrix, std::int64_t k, std::int64_t column) const {
    bool const by_rows = problem_.b_layout == BLayout::row_major;
    return element_at(task_.b(), keys_of(task_.b(), task_.secret, set), by_rows ? matrix * problem_.k + k : k,
                      by_rows ? column : matrix * problem_.n + column);
  }

  /// Counts from the first row on, independently of RowParts.
  std::int64_t matrix_of(std::int64_t row) const {
    if (problem_.groups.empty()) return row / problem_.m;
    std::int64_t group = 0;
    for (; row >= problem_.groups[static_cast<std::size_t>(group)]; ++group) {
      row -= problem_.groups[static_cast<std::size_t>(group)];
    }
    return group;
  }

  void multiply(int set) {
    for (std::int64_t row = 0; row < task_.d.rows; ++row) {
      for (std::int64_t column = 0; column < task_.d.columns; ++column) {
        double sum = 0;
        for (std::int64_t k = 0; k < problem_.k; ++k) sum += a(set, row, k) * b(set, matrix_of(row), k, column);
        double const x = static_cast<double>(problem_.alpha) * sum +
                         static_cast<double>(problem_.beta) * value(Input::c, set, row, column) +
                         value(Input::bias, set, 0, column);
        double const result = activated(problem_.activation, x) + value(Input::residual, set, row, column);
        verify::store_bits(task_.d.element, &at(set, row, column), 0, verify::encode(task_.d.element, result));
      }
    }
  }

  GemmProblem problem_;
  ProofTask task_;
  std::int64_t elements_ = 0;
  std::vector<float> d_;
};

TEST(Proof, RightResultsOfAnyShapeAreRight) {
  for (char const* text : {"f32,nn,m1n1k1",
                           "f32,nt,m17n33k5",
                           "f32,nn,m40n70k90",
                           "f32,nn,m3n600k31",
                           "f32,nn,m20n1100k16",
                           "f32,nn,m33n20k64,ldd25,alpha-1.5,beta0.75",
                           "f32,nt,m9n300k700",
                           "f32,nn,m9n20k32,batch5",
                           "f32,nt,m18n20k32,beta2,batch3",
                           "f32,nn,m33n300k64,bias,residual",
                           "f32,nn,m33n40k64,beta0.5,gelu",
                           "f32,nt,m20n600k40,bias,silu,residual",
                           "e4m3.f32.f32,nt,m20n40k300",
                           "e4m3.f32.f32,scale,nt,m20n40k300",
                           "e5m2.f32.f32,scalerow,nn,m20n300k130",
                           "e4m3.f32.f32,scale128,nt,m140n300k300,beta1",
                           "s8.s32,nt,m40n300k100",
                           "u8*s8.s32,nn,m5n70k1000,beta3",
                           "f32,nn,m40n20k32,groups5+0+33+2",
                           "f32,nt,m40n300k32,beta2,groups0+2x20+0",
                           "f32,nn,m100n20k16,groups40x1+60,gelu",
                           "s8.s32,nt,m40n300k100,groups17+23",
                           "f32,nn,m33n70k64,sparse24",
                           "f32,nt,m20n600k40,beta1,sparse24,gelu"}) {
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
    auto const poison = static_cast<std::uint32_t>(verify::poison_bits(Element::f32));
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
  // A stale element that happens to be close to the right value is not visible in a sum.
  EXPECT_GE(seen, 195);
}

TEST(Proof, BehindAnActivationElementsThatWereNeverWrittenAreSeenWhereverTheyAre) {
  Outputs outputs("f32,nn,m64n520k32,gelu", 2, 5);
  EXPECT_TRUE(outputs.right());
  float& element = outputs.at(1, 63, 519);
  auto const poison = static_cast<std::uint32_t>(verify::poison_bits(Element::f32));
  std::memcpy(&element, &poison, sizeof poison);
  EXPECT_EQ(outputs.result().wrong_set, 1);
}

TEST(Proof, BehindAnActivationStaleResultsAreSeen) {
  Outputs outputs("f32,nn,m64n64k32,silu", 2, 5);
  for (int row = 0; row < 64; ++row) {
    for (int column = 0; column < 64; ++column) outputs.at(1, row, column) = outputs.at(0, row, column);
  }
  EXPECT_EQ(outputs.result().wrong_set, 1);
}

TEST(Proof, TheMatrixOfAnotherPlaceInTheBatchIsWrong) {
  Outputs outputs("f32,nn,m17n20k32,batch4", 1, 5);
  for (int row = 0; row < 17; ++row) {
    for (int column = 0; column < 20; ++column) outputs.at(0, 51 + row, column) = outputs.at(0, 34 + row, column);
  }
  EXPECT_FALSE(outputs.right());
}

TEST(Proof, ARowBesideABoundaryThatMetTheNeighboursBIsSeen) {
  for (bool const activated : {false, true}) {
    std::string const rest = activated ? ",relu" : "";
    int seen = 0;
    for (std::uint64_t secret = 1; secret <= 10; ++secret) {
      Outputs outputs(("f32,nn,m1000n20k8,groups400+0+600" + rest).c_str(), 1, secret);
      Outputs wrong(("f32,nn,m1000n20k8,groups399+1+600" + rest).c_str(), 1, secret);
      for (int column = 0; column < 20; ++column) outputs.at(0, 399, column) = wrong.at(0, 399, column);
      seen += outputs.right() ? 0 : 1;
    }
    EXPECT_EQ(seen, 10) << rest;
  }
}

TEST(Proof, AnIntegerThatIsOffByOneIsSeenWhereverItIs) {
  Outputs outputs("s8.s32,nt,m64n520k128", 1, 6);
  std::mt19937 random(2);
  for (int trial = 0; trial < 50; ++trial) {
    float& element = outputs.at(0, static_cast<std::int64_t>(random() % 64), static_cast<std::int64_t>(random() % 520));
    float const before = element;
    std::int32_t value = 0;
    std::memcpy(&value, &element, sizeof value);
    ++value;
    std::memcpy(&element, &value, sizeof value);
    EXPECT_FALSE(outputs.right());
    element = before;
  }
  EXPECT_TRUE(outputs.right());
}

TEST(Proof, SumsOfLessPrecisionAreSeenInTheDrawnBlocks) {
  Outputs outputs("f32,nn,m64n64k256", 4, 7);
  for (float& element : outputs.all()) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &element, sizeof bits);
    bits = (bits + 0x1000U) & ~0x1fffU;  // ten fraction bits, like TF32
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
    outputs.task().epilogue.alpha += change == 1 ? 0.01 : 0;
    outputs.task().epilogue.beta += change == 2 ? 0.01 : 0;
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
      for (bool linear : {false, true}) {
        ASSERT_LE(sets * proof_blocks(sets, linear), most_proof_blocks(reserved, linear)) << sets << " of " << reserved;
      }
    }
  }
}

}  // namespace
}  // namespace perfcheck::gemm

// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "proof.h"

#include "perfcheck/verify/secret_line.h"

#include <algorithm>
#include <array>
#include <vector>

namespace perfcheck::gemm {
namespace {

using verify::SecretKey;

/// Lines of a secret matrix as its type holds them.
class SecretRows {
 public:
  SecretRows(verify::SecretMatrices const& matrices, std::uint64_t secret, int set)
      : element_(matrices.first.element),
        key_(verify::secret_key(secret, set, matrices.operand)),
        row_(static_cast<std::size_t>(matrices.first.columns)) {}

  std::vector<float> const& row(std::int64_t number) {
    verify::secret_line(key_, static_cast<std::uint32_t>(number), true, row_);
    if (element_ != verify::Element::f32) {
      for (float& value : row_) {
        value = static_cast<float>(verify::decode(element_, verify::encode_float(element_, value)));
      }
    }
    return row_;
  }
  double at(std::int64_t row, std::int64_t column) const {
    return static_cast<double>(
        verify::secret_element(element_, key_, static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column)));
  }

 private:
  verify::Element element_;
  SecretKey key_;
  std::vector<float> row_;
};

/// One set of buffers of a task.
class SetProof {
 public:
  SetProof(ProofTask const& task, int set, std::vector<float> const& signs)
      : task_(task),
        set_(set),
        signs_(signs),
        a_(task.a, task.secret, set),
        b_(task.b, task.secret, set),
        c_(task.c, task.secret, set),
        groups_(proof_groups(task.d.columns)) {
    d_ = task.d;
    d_.data = static_cast<std::byte*>(task.d.data) + set * task.d_set_bytes;
  }

  std::uint64_t right_judgements() { return right_sums() + right_elements(); }

 private:
  using Sums = std::array<double, kMostProofGroups>;

  double d_at(std::int64_t row, std::int64_t column) const {
    return verify::decode(d_.element, verify::load_bits(d_.element, d_.data, d_.index(row, column)));
  }

  /// B x, row by row, `groups_` numbers each.
  std::vector<double> weights() {
    std::vector<double> weights(static_cast<std::size_t>(task_.b.first.rows) * static_cast<std::size_t>(groups_));
    double* sums = weights.data();
    for (std::int64_t k = 0; k < task_.b.first.rows; ++k, sums += groups_) {
      auto const& row = b_.row(k);
      for (std::size_t column = 0; column < row.size(); ++column) {
        sums[column % static_cast<std::size_t>(groups_)] += static_cast<double>(signs_[column] * row[column]);
      }
    }
    return weights;
  }

  std::uint64_t right_sums() {
    SumTolerance const tolerance = sum_tolerance(task_);
    std::vector<double> const weights = this->weights();
    auto const groups = static_cast<std::size_t>(groups_);
    std::uint64_t right = 0;
    for (std::int64_t row = 0; row < d_.rows; ++row) {
      Sums expected{}, d{}, d_squares{}, c{}, c_squares{};
      double squares = 0;
      double const* weight = weights.data();
      for (float const a : a_.row(row)) {
        squares += static_cast<double>(a) * static_cast<double>(a);
        for (std::size_t group = 0; group < groups; ++group) expected[group] += static_cast<double>(a) * *weight++;
      }
      for (std::int64_t column = 0; column < d_.columns; ++column) {
        auto const at = static_cast<std::size_t>(column);
        double const value = d_at(row, column), sign = static_cast<double>(signs_[at]);
        d[at % groups] += sign * value;
        d_squares[at % groups] += value * value;
        if (task_.beta != 0) {
          double const addend = c_.at(row, column);
          c[at % groups] += sign * addend;
          c_squares[at % groups] += addend * addend;
        }
      }
      for (std::size_t group = 0; group < groups; ++group) {
        double const allowed = tolerance.per_row_norm * std::sqrt(squares) +
                               tolerance.per_c_norm * std::sqrt(c_squares[group]) +
                               tolerance.per_d_norm * std::sqrt(d_squares[group]) + tolerance.tiny;
        double const difference = d[group] - task_.alpha * expected[group] - task_.beta * c[group];
        right += std::fabs(difference) <= allowed ? 1U : 0U;  // false for NaN
      }
    }
    return right;
  }

  std::uint64_t right_elements() {
    std::uint64_t right = 0;
    for (int block = 0; block < proof_blocks(task_.sets); ++block) {
      std::int64_t const row0 = proof_place(task_.draw, set_, block, 0, d_.rows);
      std::int64_t const column0 = proof_place(task_.draw, set_, block, 1, d_.columns);
      for (std::int64_t row = row0; row < std::min(row0 + kProofBlock, d_.rows); ++row) {
        auto const& a = a_.row(row);
        for (std::int64_t column = column0; column < std::min(column0 + kProofBlock, d_.columns); ++column) {
          right += is_right(a, row, column) ? 1U : 0U;
        }
      }
    }
    return right;
  }

  bool is_right(std::vector<float> const& a, std::int64_t row, std::int64_t column) {
    double sum = 0, scale = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      double const product = static_cast<double>(a[k]) * b_.at(static_cast<std::int64_t>(k), column);
      sum += product;
      scale += std::fabs(product);
    }
    sum *= task_.alpha;
    scale *= std::fabs(task_.alpha);
    if (task_.beta != 0) {
      double const term = task_.beta * c_.at(row, column);
      sum += term;
      scale += std::fabs(term);
    }
    auto const bits = verify::load_bits(d_.element, d_.data, d_.index(row, column));
    return !verify::judge(d_.element, bits, sum, scale, task_.bound).wrong;
  }

  ProofTask const& task_;
  int set_;
  std::vector<float> const& signs_;
  SecretRows a_, b_, c_;
  int groups_;
  verify::MatrixView d_;
};

class HostProofEngine final : public ProofEngine {
 public:
  void reserve(ProofTask const&) override {}
  void enqueue(ProofTask const& task) override {
    result_ = {.judged = judgements_of(task)};
    std::vector<float> signs;
    for (std::int64_t column = 0; column < task.d.columns; ++column) {
      signs.push_back(verify::column_sign(task.draw, static_cast<std::uint32_t>(column)));
    }
    std::uint64_t const of_one_set = result_.judged / static_cast<std::uint64_t>(std::max(task.sets, 1));
    for (int set = 0; set < task.sets; ++set) {
      std::uint64_t const right = SetProof(task, set, signs).right_judgements();
      result_.right += right;
      if (right != of_one_set && result_.wrong_set < 0) result_.wrong_set = set;
    }
  }
  ProofResult collect() override { return result_; }

 private:
  ProofResult result_;
};

}  // namespace

std::unique_ptr<ProofEngine> make_host_proof_engine() { return std::make_unique<HostProofEngine>(); }

}  // namespace perfcheck::gemm

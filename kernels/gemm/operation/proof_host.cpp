// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "proof.h"

#include "perfcheck/verify/secret_line.h"

#include <algorithm>
#include <array>
#include <vector>

namespace perfcheck::gemm {
namespace {

/// Elements of one input of one set, as numbers.
class SecretRows {
 public:
  SecretRows(verify::SecretMatrices const& matrices, std::uint64_t secret, int set)
      : format_(matrices.format()),
        key_(verify::secret_key(secret, set, matrices.operand)),
        row_(static_cast<std::size_t>(matrices.first.columns)) {}

  std::vector<double>& row(std::int64_t number) {
    verify::secret_elements(format_, key_, static_cast<std::uint32_t>(number), true, row_);
    return row_;
  }
  double at(std::int64_t row, std::int64_t column) const {
    return verify::secret_element(format_, key_, static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column));
  }

 private:
  verify::SecretFormat format_;
  verify::SecretKey key_;
  std::vector<double> row_;
};

/// The same for A or B, with scale factors.
class SecretFactorRows {
 public:
  SecretFactorRows(SecretFactor const& factor, std::uint64_t secret, int set)
      : factor_(factor),
        keys_(keys_of(factor, secret, set)),
        elements_(factor.elements, secret, set),
        scales_(factor.scales, secret, set) {}

  std::vector<double> const& row(std::int64_t number) {
    if (factor_.indices != 0) return sparse_row(number);
    auto& row = elements_.row(number);
    if (!factor_.scaled()) return row;
    for (std::size_t column = 0; column < row.size(); ++column) {
      row[column] *= scale_at(number, static_cast<std::int64_t>(column));
    }
    return row;
  }
  double at(std::int64_t row, std::int64_t column) const {
    double const element = elements_.at(row, column);
    return factor_.scaled() ? element * scale_at(row, column) : element;
  }

 private:
  std::vector<double> const& sparse_row(std::int64_t number) {
    dense_.resize(2 * static_cast<std::size_t>(factor_.elements.first.columns));
    for (std::size_t column = 0; column < dense_.size(); ++column) {
      dense_[column] = element_at(factor_, keys_, number, static_cast<std::int64_t>(column));
    }
    return dense_;
  }
  double scale_at(std::int64_t row, std::int64_t column) const {
    return scales_.at(row / factor_.block.rows, column / factor_.block.columns);
  }

  SecretFactor factor_;
  SecretFactorKeys keys_;
  SecretRows elements_, scales_;
  std::vector<double> dense_;  ///< a row of a sparse matrix
};

/// One set of buffers of a task.
class SetProof {
 public:
  SetProof(ProofTask const& task, int set, std::vector<double> const& signs)
      : task_(task),
        set_(set),
        signs_(signs),
        a_(task.a(), task.secret, set),
        b_(task.b(), task.secret, set),
        c_(task.input(Input::c), task.secret, set),
        bias_(task.input(Input::bias), task.secret, set),
        residual_(task.input(Input::residual), task.secret, set),
        b_by_rows_(task.input(Input::b).first.column_stride == 1),
        groups_(static_cast<std::size_t>(proof_groups(task.d.columns))) {
    d_ = task.d;
    d_.data = static_cast<std::byte*>(task.d.data) + set * task.d_set_bytes;
  }

  std::uint64_t right_judgements() { return (task_.is_linear() ? right_sums() : rows_of_numbers()) + right_elements(); }

 private:
  using Sums = std::array<double, kMostProofGroups>;

  double d_at(std::int64_t row, std::int64_t column) const {
    return verify::decode(d_.element, verify::load_bits(d_.element, d_.data, d_.index(row, column)));
  }
  double b_at(int matrix, std::int64_t k, std::int64_t column) const {
    return b_by_rows_ ? b_.at(matrix * task_.k() + k, column) : b_.at(k, matrix * d_.columns + column);
  }
  double bias_at(std::int64_t column) const { return task_.reads(Input::bias) ? bias_.at(0, column) : 0; }
  double residual_at(std::int64_t row, std::int64_t column) const {
    return task_.reads(Input::residual) ? residual_.at(row, column) : 0;
  }
  double c_at(std::int64_t row, std::int64_t column) const { return task_.epilogue.beta != 0 ? c_.at(row, column) : 0; }
  bool adds() const { return task_.epilogue.beta != 0 || task_.reads(Input::bias) || task_.reads(Input::residual); }

  /// B x of one matrix, row by row, `groups_` numbers each.
  std::vector<double> weights(int matrix) {
    std::vector<double> weights(static_cast<std::size_t>(task_.k()) * groups_);
    double* sums = weights.data();
    for (std::int64_t k = 0; k < task_.k(); ++k, sums += groups_) {
      auto const& row = b_.row(b_by_rows_ ? matrix * task_.k() + k : k);
      std::size_t const first = b_by_rows_ ? 0 : static_cast<std::size_t>(matrix * d_.columns);
      for (std::size_t column = 0; column < signs_.size(); ++column) {
        sums[column % groups_] += signs_[column] * row[first + column];
      }
    }
    return weights;
  }

  std::uint64_t right_sums() {
    SumTolerance const tolerance = sum_tolerance(task_);
    std::uint64_t right = 0;
    RowParts const& parts = task_.parts;
    for (int part = 0; part < parts.count; ++part) {
      std::vector<double> const weights = this->weights(parts.matrix(part));
      for (std::int64_t row = parts.first(part); row < parts.first(part) + parts.rows(part); ++row) {
        right += right_sums_of(row, weights, tolerance);
      }
    }
    return right;
  }

  std::uint64_t right_sums_of(std::int64_t row, std::vector<double> const& weights, SumTolerance const& tolerance) {
    Sums expected{}, d{}, d_squares{}, added{}, added_squares{};
    double squares = 0;
    double const* weight = weights.data();
    for (double const a : a_.row(row)) {
      squares += a * a;
      for (std::size_t group = 0; group < groups_; ++group) expected[group] += a * *weight++;
    }
    for (std::int64_t column = 0; column < d_.columns; ++column) {
      auto const at = static_cast<std::size_t>(column);
      double const value = d_at(row, column), sign = signs_[at];
      d[at % groups_] += sign * value;
      d_squares[at % groups_] += value * value;
      if (!adds()) continue;
      double const term = task_.epilogue.beta * c_at(row, column) + bias_at(column) + residual_at(row, column);
      added[at % groups_] += sign * term;
      added_squares[at % groups_] += term * term;
    }
    std::uint64_t right = 0;
    for (std::size_t group = 0; group < groups_; ++group) {
      double const allowed = tolerance.per_row_norm * std::sqrt(squares) +
                             tolerance.per_added_norm * std::sqrt(added_squares[group]) +
                             tolerance.per_d_norm * std::sqrt(d_squares[group]) + tolerance.tiny;
      double const difference = d[group] - task_.epilogue.alpha * expected[group] - added[group];
      right += std::fabs(difference) <= allowed ? 1U : 0U;  // false for NaN
    }
    return right;
  }

  /// Counts the groups of a row whose elements are all numbers: as many judgements as there would be sums.
  std::uint64_t rows_of_numbers() const {
    std::uint64_t right = 0;
    for (std::int64_t row = 0; row < d_.rows; ++row) {
      Sums sums{};
      for (std::int64_t column = 0; column < d_.columns; ++column) {
        sums[static_cast<std::size_t>(column) % groups_] += d_at(row, column);
      }
      for (std::size_t group = 0; group < groups_; ++group) right += std::isnan(sums[group]) ? 0U : 1U;
    }
    return right;
  }

  std::uint64_t right_elements() {
    std::uint64_t right = 0;
    for (int index = 0; index < proof_blocks(task_.sets, task_.is_linear()); ++index) {
      ProofBlock const block = proof_block(task_.draw, set_, index, task_.parts, d_.columns);
      for (std::int64_t row = block.first_row; row < block.first_row + block.rows; ++row) {
        auto const& a = a_.row(row);
        for (std::int64_t column = block.first_column; column < block.first_column + block.columns; ++column) {
          right += is_right(a, block.matrix, row, column) ? 1U : 0U;
        }
      }
    }
    return right;
  }

  bool is_right(std::vector<double> const& a, int matrix, std::int64_t row, std::int64_t column) {
    double sum = 0, scale = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      double const product = a[k] * b_at(matrix, static_cast<std::int64_t>(k), column);
      sum += product;
      scale += std::fabs(product);
    }
    auto const expected =
        verify::finished(task_.epilogue, sum, scale, c_at(row, column), bias_at(column), residual_at(row, column));
    auto const bits = verify::load_bits(d_.element, d_.data, d_.index(row, column));
    return !verify::judge(d_.element, bits, expected, task_.bound).wrong;
  }

  ProofTask const& task_;
  int set_;
  std::vector<double> const& signs_;
  SecretFactorRows a_, b_;
  SecretRows c_, bias_, residual_;
  bool b_by_rows_;
  std::size_t groups_;
  verify::MatrixView d_;
};

class HostProofEngine final : public ProofEngine {
 public:
  bool takes_outputs() const override { return false; }
  void reserve(ProofTask const&) override {}
  void enqueue(ProofTask const& task) override {
    result_ = {.judged = judgements_of(task)};
    std::vector<double> signs;
    for (std::int64_t column = 0; column < task.d.columns; ++column) {
      signs.push_back(static_cast<double>(verify::column_sign(task.draw, static_cast<std::uint32_t>(column))));
    }
    for (int set = 0; set < task.sets; ++set) {
      std::uint64_t const right = SetProof(task, set, signs).right_judgements();
      result_.right += right;
      if (right != judgements_of_set(task, set) && result_.wrong_set < 0) result_.wrong_set = set;
    }
  }
  ProofResult collect() override { return result_; }

 private:
  ProofResult result_;
};

}  // namespace

std::unique_ptr<ProofEngine> make_host_proof_engine() { return std::make_unique<HostProofEngine>(); }

}  // namespace perfcheck::gemm

// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/verify/mismatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace perfcheck::verify {
namespace {

/// Rows are read back in pieces of about this many elements.
constexpr std::int64_t kElementsPerPiece = std::int64_t{1} << 22U;
/// Larger boxes are not tested for being the transpose of what they should be.
constexpr std::int64_t kLargestTransposedBlock = 1024;

template <class T>
std::vector<T> to_host(device::Backend& backend, T const* data, std::int64_t count) {
  std::vector<T> host(static_cast<std::size_t>(count));
  backend.copy_to_host(host.data(), data, host.size() * sizeof(T));
  return host;
}

/// Host copy of some rows of a matrix with contiguous rows.
struct HostRows {
  std::vector<std::byte> storage;
  MatrixView view;
};
HostRows rows_to_host(device::Backend& backend, MatrixView const& matrix, std::int64_t first, std::int64_t count) {
  HostRows rows;
  rows.view = matrix.block(first, 0, count, matrix.columns);
  auto const elements = rows.view.index(count - 1, matrix.columns - 1) + 1;
  rows.storage = to_host(backend, static_cast<std::byte const*>(rows.view.data), bytes_of(matrix.element, elements));
  rows.view.data = rows.storage.data();
  return rows;
}

/// One element of the result.
struct Place {
  std::int64_t row = 0, column = 0;
  Bits bits = 0;
  double reference = 0;
};

/// What is known about the wrong elements once all of them were seen.
struct Survey {
  std::uint64_t wrong = 0, poison = 0, nan = 0, zero = 0;
  Place first, worst;
  double worst_ratio = -1;
  /// Result and reference of the whole box of wrong elements, when it is a square small enough to look at.
  std::vector<double> block_result, block_reference;
};

class Surveyor {
 public:
  Surveyor(device::Backend& backend, MatrixView const& result, Expectation const& expectation, Found const& box)
      : backend_(backend), result_(result), expectation_(expectation), box_(box) {
    if (expectation.other_row >= 0) {
      other_row_ = to_host(backend, expectation.other_row_product, result.columns);
    }
    if (expectation.other_column >= 0) {
      other_column_ = to_host(backend, expectation.other_column_product, expectation.other_column_rows);
    }
  }

  Survey survey() {
    std::int64_t const step = std::max<std::int64_t>(1, kElementsPerPiece / result_.columns);
    for (std::int64_t row = box_.first_row; row <= box_.last_row; row += step) {
      look_at(row, std::min(step, box_.last_row - row + 1));
    }
    return survey_;
  }

 private:
  void look_at(std::int64_t first, std::int64_t count) {
    std::int64_t const columns = result_.columns;
    HostRows const result = rows_to_host(backend_, result_, first, count);
    auto const product = to_host(backend_, expectation_.product + first * columns, count * columns);
    std::vector<float> scale;
    Expectation local = expectation_;
    local.product = product.data();
    if (expectation_.scale != nullptr) {
      scale = to_host(backend_, expectation_.scale + first * columns, count * columns);
      local.scale = scale.data();
    }
    HostRows addend, bias, residual;
    Epilogue const& last = expectation_.epilogue;
    if (last.beta != 0) {
      addend = rows_to_host(backend_, last.addend, first, count);
      local.epilogue.addend = addend.view;
    }
    if (last.bias.data != nullptr) {
      bias = rows_to_host(backend_, last.bias, 0, 1);
      local.epilogue.bias = bias.view;
    }
    if (last.residual.data != nullptr) {
      residual = rows_to_host(backend_, last.residual, first, count);
      local.epilogue.residual = residual.view;
    }
    local.other_row = expectation_.other_row - first;  // negative, or past the piece, when it is elsewhere
    local.other_row_product = other_row_.data();
    local.other_column_first = expectation_.other_column_first - first;
    local.other_column_product = other_column_.data();

    for (std::int64_t row = 0; row < count; ++row) {
      for (std::int64_t column = box_.first_column; column <= box_.last_column; ++column) {
        auto const bits = load_bits(result_.element, result.view.data, result.view.index(row, column));
        note({first + row, column, bits, 0}, expected_at(local, columns, row, column));
      }
    }
  }

  void note(Place element, ExpectedElement const& expected) {
    element.reference = expected.reference;
    double const value = decode(result_.element, element.bits);
    if (is_small_square()) {
      survey_.block_result.push_back(value);
      survey_.block_reference.push_back(round_to(result_.element, expected.reference));
    }
    auto const judgement = judge(result_.element, element.bits, expected, expectation_.bound);
    if (!judgement.wrong) return;
    if (survey_.wrong++ == 0) survey_.first = element;
    if (element.bits == poison_bits(result_.element)) {
      ++survey_.poison;
    } else if (is_nan(value)) {
      ++survey_.nan;
    }
    if (value == 0) ++survey_.zero;
    if (judgement.error_over_bound > survey_.worst_ratio) {
      survey_.worst_ratio = judgement.error_over_bound;
      survey_.worst = element;
    }
  }

  bool is_small_square() const {
    auto const side = box_.last_row - box_.first_row;
    return side > 0 && side == box_.last_column - box_.first_column && side < kLargestTransposedBlock;
  }

  device::Backend& backend_;
  MatrixView result_;
  Expectation expectation_;
  Found box_;
  std::vector<double> other_row_, other_column_;
  Survey survey_;
};

std::string value_text(Element type, Bits bits) {
  if (bits == poison_bits(type)) return "the poison it held before";
  return fmt::format("{:.9g}", decode(type, bits));
}

std::string expected_text(Element type, Place const& element, Bound const& bound) {
  double const reference = bound.exact ? round_to(type, element.reference) : element.reference;
  return fmt::format("row {} column {}: got {}, expected {:.9g}", element.row, element.column,
                     value_text(type, element.bits), reference);
}

bool is_transposed(Survey const& survey) {
  auto const size = survey.block_result.size();
  if (size == 0) return false;
  std::size_t side = 1;
  while (side * side < size) ++side;
  for (std::size_t row = 0; row < side; ++row) {
    for (std::size_t column = 0; column < side; ++column) {
      if (!(survey.block_result[row * side + column] == survey.block_reference[column * side + row])) return false;
    }
  }
  return true;
}

/// What the wrong elements look like, each remark with a leading "; ".
std::string remarks(Survey const& survey) {
  std::string text;
  if (survey.poison == survey.wrong) {
    text += "; never written: the poison from before the launch is still there";
  } else if (survey.poison != 0) {
    text += fmt::format("; {} of them never written", survey.poison);
  }
  if (survey.nan != 0) {
    text += survey.nan == survey.wrong ? "; all of them NaN" : fmt::format("; {} of them NaN", survey.nan);
  }
  if (survey.zero == survey.wrong) text += "; all of them 0";
  if (is_transposed(survey)) text += "; the block holds its transpose";
  return text;
}

std::string range_text(char const* name, std::int64_t first, std::int64_t last) {
  return first == last ? fmt::format("{} {}", name, first) : fmt::format("{}s {}-{}", name, first, last);
}

}  // namespace

std::string describe_box(Found const& found, std::int64_t rows, std::int64_t columns) {
  auto const height = found.last_row - found.first_row + 1;
  auto const width = found.last_column - found.first_column + 1;
  bool const dense = found.count == static_cast<std::uint64_t>(height) * static_cast<std::uint64_t>(width);
  if (height == rows && width == columns) return dense ? "the whole matrix" : "spread over the whole matrix";
  std::string const row_text = range_text("row", found.first_row, found.last_row);
  std::string const column_text = range_text("column", found.first_column, found.last_column);
  if (width == columns) return (dense ? "all of " : "all in ") + row_text;
  if (height == rows) return (dense ? "all of " : "all in ") + column_text;
  bool const last = found.last_row == rows - 1 && found.last_column == columns - 1;
  return "all in " + row_text + ", " + column_text + (last && height > 1 && width > 1 ? " (the last tile)" : "");
}

std::string describe_mismatch(device::Backend& backend, MatrixView const& result, Expectation const& expectation,
                              Comparison const& comparison) {
  auto const survey = Surveyor(backend, result, expectation, comparison.wrong).survey();
  std::string text = fmt::format("{} of {} elements wrong, first at {}", comparison.wrong.count, result.size(),
                                 expected_text(result.element, survey.first, expectation.bound));
  if (!expectation.bound.exact && survey.worst_ratio > 0 && !is_infinite(survey.worst_ratio)) {
    text += fmt::format("; worst {:.3g} times the bound at {}", survey.worst_ratio,
                        expected_text(result.element, survey.worst, expectation.bound));
  }
  return text + "; " + describe_box(comparison.wrong, result.rows, result.columns) + remarks(survey);
}

}  // namespace perfcheck::verify

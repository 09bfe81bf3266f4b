// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "input_change.h"

#include "perfcheck/verify/engine.h"
#include "perfcheck/verify/mismatch.h"

#include <fmt/format.h>

namespace perfcheck::kit {
namespace {

std::size_t content_bytes(verify::MatrixView const& matrix) {
  return static_cast<std::size_t>(
      verify::bytes_of(matrix.element, matrix.index(matrix.rows - 1, matrix.columns - 1) + 1));
}

verify::Bits bits_at(verify::MatrixView const& matrix, std::int64_t row, std::int64_t column) {
  return verify::load_bits(matrix.element, matrix.data, matrix.index(row, column));
}

}  // namespace

HostMatrix::HostMatrix(verify::MatrixView const& like)
    : storage_((content_bytes(like) + 7) / 8,
               std::uint64_t{verify::poison_word(like.element)} << 32U | verify::poison_word(like.element)),
      view_(like) {
  view_.data = storage_.data();
}

HostMatrix HostMatrix::filled(verify::MatrixView const& like, verify::Fill const* fill) {
  HostMatrix matrix(like);
  if (fill != nullptr) verify::make_host_engine()->fill(matrix.view_, *fill);
  return matrix;
}

HostMatrix HostMatrix::renewed(verify::SecretMatrices const& like, std::uint64_t secret, int set) {
  HostMatrix matrix(like.of(set));
  verify::SecretKey const key = verify::secret_key(secret, set, like.operand);
  for (std::int64_t row = 0; row < like.first.rows; ++row) {
    for (std::int64_t column = 0; column < like.first.columns; ++column) {
      matrix.set(
          row, column,
          verify::secret_bits(like.format(), key, static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column)));
    }
  }
  return matrix;
}

HostMatrix HostMatrix::copied(device::Backend& backend, verify::MatrixView const& from) {
  HostMatrix matrix(from);
  backend.copy_to_host(matrix.view_.data, from.data, content_bytes(from));
  return matrix;
}

void HostMatrix::set(std::int64_t row, std::int64_t column, verify::Bits bits) {
  verify::store_bits(view_.element, view_.data, view_.index(row, column), bits);
}

std::string describe_input_change(device::Backend& backend, char const* name, verify::MatrixView const& now,
                                  HostMatrix const& before) {
  auto const changed = HostMatrix::copied(backend, now);
  auto const found = verify::make_host_engine()->find_different(changed.view(), before.view());
  if (found.count == 0) return fmt::format("{} changed in a way that a second look does not show", name);
  std::int64_t column = found.first_column;
  while (bits_at(changed.view(), found.first_row, column) == bits_at(before.view(), found.first_row, column)) ++column;
  auto const value = [&](verify::MatrixView const& matrix) {
    return verify::decode(matrix.element, bits_at(matrix, found.first_row, column));
  };
  return fmt::format("{} element{} of {} changed, first at row {} column {}: was {:.9g}, is {:.9g}; {}", found.count,
                     found.count == 1 ? "" : "s", name, found.first_row, column, value(before.view()),
                     value(changed.view()), verify::describe_box(found, now.rows, now.columns));
}

}  // namespace perfcheck::kit

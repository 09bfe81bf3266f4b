// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/verify/guarded_buffer.h"

#include <fmt/format.h>

namespace perfcheck::verify {
namespace {

std::string elements(std::uint64_t count) { return fmt::format("{} element{}", count, count == 1 ? "" : "s"); }

/// Elements in a line, for searching a guard band.
MatrixView line(void* data, Element element, std::int64_t count) {
  return {.data = data, .element = element, .rows = 1, .columns = count, .row_stride = count, .column_stride = 1};
}

}  // namespace

std::int64_t GuardedBuffer::content_elements() const {
  return matrix_.size() == 0 ? 0 : matrix_.index(matrix_.rows - 1, matrix_.columns - 1) + 1;
}

std::size_t GuardedBuffer::content_bytes() const {
  return static_cast<std::size_t>(bytes_of(matrix_.element, content_elements()));
}

MatrixView GuardedBuffer::place(device::Backend& backend, Engine& engine, MatrixView shape) {
  matrix_ = shape;
  // The poison is written in words of four bytes, and may need half a word more than the matrix.
  std::size_t const needed = 2 * kGuardBytes + content_bytes() + 4;
  if (memory_.size() < needed) {
    memory_ = device::Memory();  // frees first, so that old and new need not fit side by side
    memory_ = backend.allocate(needed);
  }
  matrix_.data = shape.size() == 0 ? nullptr : memory_.bytes_at(kGuardBytes);
  poison(engine);
  return matrix_;
}

void GuardedBuffer::poison(Engine& engine) {
  std::size_t const bytes = (2 * kGuardBytes + content_bytes() + 3) / 4 * 4;
  engine.fill_words(memory_.data(), poison_word(matrix_.element), bytes);
}

std::string GuardedBuffer::damage_around(Engine& engine) const {
  Element const element = matrix_.element;
  auto const guard = static_cast<std::int64_t>(kGuardBytes) * 8 / bits_of(element);
  if (auto const before = engine.find_other(line(memory_.data(), element, guard), poison_bits(element));
      before.count != 0) {
    return fmt::format("{} before {} overwritten, the nearest {} before its first element", elements(before.count),
                       name_, guard - before.last_column);
  }
  void* const end = memory_.bytes_at(kGuardBytes + content_bytes());
  if (auto const after = engine.find_other(line(end, element, guard), poison_bits(element)); after.count != 0) {
    std::string const last =
        matrix_.rows > 1 ? fmt::format(" (row {}, column {})", matrix_.rows - 1, matrix_.columns - 1) : "";
    return fmt::format("{} past the end of {} overwritten, the nearest {} past its last element{}",
                       elements(after.count), name_, after.first_column + 1, last);
  }
  return "";
}

std::string GuardedBuffer::damage_between_rows(Engine& engine) const {
  MatrixLines const lines = matrix_.lines();
  if (lines.count < 2 || lines.stride == lines.length) return "";
  MatrixView gaps{.data = nullptr,
                  .element = matrix_.element,
                  .rows = lines.count - 1,
                  .columns = lines.stride - lines.length,
                  .row_stride = lines.stride,
                  .column_stride = 1};
  gaps.data = static_cast<std::byte*>(matrix_.data) + bytes_of(matrix_.element, lines.length);
  auto const found = engine.find_other(gaps, poison_bits(matrix_.element));
  if (found.count == 0) return "";
  return fmt::format("{} of {}'s padding overwritten, first in {} {}, {} past its end ({} {})", elements(found.count),
                     name_, lines.by_rows ? "row" : "column", found.first_row, found.first_column + 1,
                     lines.by_rows ? "columns are 0 to" : "rows are 0 to", lines.length - 1);
}

}  // namespace perfcheck::verify

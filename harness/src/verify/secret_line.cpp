// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/verify/secret_line.h"

#include <algorithm>
#include <array>

namespace perfcheck::verify {
namespace {

/// Elements that secret_elements() works on at a time.
constexpr std::size_t kPiece = 512;

inline __attribute__((always_inline)) void fill_inline(SecretKey const& key, std::uint32_t line, bool by_rows,
                                                       std::uint32_t first, std::span<float> values) {
  auto const count = static_cast<std::uint32_t>(values.size());
  float* const out = values.data();
  if (by_rows) {
    for (std::uint32_t at = 0; at < count; ++at) out[at] = secret_value(key, line, first + at);
  } else {
    for (std::uint32_t at = 0; at < count; ++at) out[at] = secret_value(key, first + at, line);
  }
}

using FillLine = void (*)(SecretKey const&, std::uint32_t, bool, std::uint32_t, std::span<float>);

void fill(SecretKey const& key, std::uint32_t line, bool by_rows, std::uint32_t first, std::span<float> values) {
  fill_inline(key, line, by_rows, first, values);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) void fill_avx2(SecretKey const& key, std::uint32_t line, bool by_rows,
                                               std::uint32_t first, std::span<float> values) {
  fill_inline(key, line, by_rows, first, values);
}
FillLine best_fill() { return __builtin_cpu_supports("avx2") ? fill_avx2 : fill; }
#else
FillLine best_fill() { return fill; }
#endif

}  // namespace

void secret_line(SecretKey const& key, std::uint32_t line, bool by_rows, std::span<float> values) {
  static FillLine const fill_line = best_fill();
  fill_line(key, line, by_rows, 0, values);
}

void secret_elements(SecretFormat const& format, SecretKey const& key, std::uint32_t line, bool by_rows,
                     std::span<double> values) {
  bool const quick = !format.scales && !format_of(format.element).integer && format.element != Element::f64;
  if (!quick) {
    for (std::uint32_t at = 0; at < values.size(); ++at) {
      values[at] = secret_element(format, key, by_rows ? line : at, by_rows ? at : line);
    }
    return;
  }
  std::array<float, kPiece> piece{};
  for (std::size_t first = 0; first < values.size(); first += kPiece) {
    std::size_t const count = std::min(kPiece, values.size() - first);
    static FillLine const fill_line = best_fill();
    fill_line(key, line, by_rows, static_cast<std::uint32_t>(first), {piece.data(), count});
    for (std::size_t i = 0; i < count; ++i) {
      values[first + i] = decode(format.element, detail::encode_secret(format.element, piece[i]));
    }
  }
}

}  // namespace perfcheck::verify

// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/verify/secret_line.h"

namespace perfcheck::verify {
namespace {

inline __attribute__((always_inline)) void fill_inline(SecretKey const& key, std::uint32_t line, bool by_rows,
                                                       std::span<float> values) {
  auto const count = static_cast<std::uint32_t>(values.size());
  float* const out = values.data();
  if (by_rows) {
    for (std::uint32_t at = 0; at < count; ++at) out[at] = secret_value(key, line, at);
  } else {
    for (std::uint32_t at = 0; at < count; ++at) out[at] = secret_value(key, at, line);
  }
}

using FillLine = void (*)(SecretKey const&, std::uint32_t, bool, std::span<float>);

void fill(SecretKey const& key, std::uint32_t line, bool by_rows, std::span<float> values) {
  fill_inline(key, line, by_rows, values);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) void fill_avx2(SecretKey const& key, std::uint32_t line, bool by_rows,
                                               std::span<float> values) {
  fill_inline(key, line, by_rows, values);
}
FillLine best_fill() { return __builtin_cpu_supports("avx2") ? fill_avx2 : fill; }
#else
FillLine best_fill() { return fill; }
#endif

}  // namespace

void secret_line(SecretKey const& key, std::uint32_t line, bool by_rows, std::span<float> values) {
  static FillLine const fill_line = best_fill();
  fill_line(key, line, by_rows, values);
}

}  // namespace perfcheck::verify

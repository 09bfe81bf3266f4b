// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "products.h"

#include "simulator.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace perfcheck::emulated {
namespace {

constexpr int kTogether = 4;  // columns that the CPU multiplies together
template <class T>
struct VectorOf {
  using type __attribute__((vector_size(kTogether * sizeof(T)))) = T;
};
template <class T>
using Vector = typename VectorOf<T>::type;
constexpr int kMostVectors = 256 / 4 / kTogether;

/// B as a thread needs it: for each step of k, its columns side by side, and zeros up to whole vectors.
template <class In>
using Columns = Vector<Number<In>>[kSteps<In>][kMostVectors];

/// `sums` with the products of a row and of a vector of B's columns.
template <class In>
Vector<Number<In>> with_products(Vector<Number<In>> sums, Number<In> const (&row)[kSteps<In>], Columns<In> const& of_b,
                                 int vector) {
  Vector<Number<In>> products{};
  for (int k = 0; k < kSteps<In>; ++k) products += row[k] * of_b[k][vector];
  return sums + products;
}

/// Hopper's tensor cores align all terms of FP8 to the largest, and keep 13 bits behind its first one.
template <>
Vector<float> with_products<__nv_fp8_e4m3>(Vector<float> sums, float const (&row)[kSteps<__nv_fp8_e4m3>],
                                           Columns<__nv_fp8_e4m3> const& of_b, int vector) {
  using Bits = Vector<std::int32_t>;
  constexpr std::int32_t kSign = INT32_MIN, kExponent = 0x7F800000, kOne = 127 << 23, kTiny = 64 << 23,
                         kHuge = 190 << 23;
  constexpr float kBehind = 1 << 13;
  // Sizes of finite numbers are ordered as their bits are, and those of NaN are above them.
  Bits largest = std::bit_cast<Bits>(sums) & ~kSign;
  Vector<float> terms[kSteps<__nv_fp8_e4m3>];
  for (int k = 0; k < kSteps<__nv_fp8_e4m3>; ++k) {
    terms[k] = row[k] * of_b[k][vector];
    Bits const size = std::bit_cast<Bits>(terms[k]) & ~kSign;
    largest = size > largest ? size : largest;
  }
  // The largest one's power of two, which zeros have none of, and its reciprocal. E4M3 has no infinity, and its
  // products lie between 2^-18 and 2^18: a huge sum is none of theirs, and becomes NaN.
  Bits power = largest & kExponent;
  power = power < kTiny ? Bits{} + kTiny : power;
  Bits const becomes_nan = power >= kHuge;
  power = becomes_nan ? Bits{} + kOne : power;
  auto const to_integers = std::bit_cast<Vector<float>>(2 * kOne - power) * kBehind;
  auto const integers = [&](Vector<float> of) {
    return __builtin_convertvector(becomes_nan ? Vector<float>{} : of * to_integers, Bits);
  };
  Bits total = integers(sums);
  for (Vector<float> const& term : terms) total += integers(term);
  auto const sum = __builtin_convertvector(total, Vector<float>) * (std::bit_cast<Vector<float>>(power) / kBehind);
  return becomes_nan ? Vector<float>{} + std::numeric_limits<float>::quiet_NaN() : sum;
}

/// The `own` columns of `b` that the sums of the present thread need: two of each eight.
template <class In>
void read_columns(OperandTile const& b, int own, Columns<In>& of_b) {
  constexpr int kOfPiece = 16 / int{sizeof(In)};  // that lie side by side where k is contiguous
  int const pair = static_cast<int>(thread_index().x) % 4 * 2, last = (own - 1) / kTogether;
  for (auto& of_step : of_b) of_step[last] = Vector<Number<In>>{};
  for (int c = 0; c < own; ++c) {
    int const line = c / 2 * 8 + pair + c % 2, vector = c / kTogether, place = c % kTogether;
    if (b.lines_contiguous()) {
      for (int k = 0; k < kSteps<In>; ++k) of_b[k][vector][place] = number_at<In>(b.at(line, k));
      continue;
    }
    for (int first = 0; first < kSteps<In>; first += kOfPiece) {
      unsigned char const* const piece = b.at(line, first);
      for (int i = 0; i < kOfPiece; ++i) of_b[first + i][vector][place] = number_at<In>(piece + i * sizeof(In));
    }
  }
}

}  // namespace

OperandTile::OperandTile(std::uint64_t descriptor, int lines, int element_bytes, bool lines_contiguous)
    : start_(static_cast<std::uint32_t>(descriptor & 0x3FFF) * 16),
      far_(static_cast<std::uint32_t>(descriptor >> 16 & 0x3FFF) * 16),
      near_(static_cast<std::uint32_t>(descriptor >> 32 & 0x3FFF) * 16),
      bytes_(static_cast<std::uint32_t>(element_bytes)),
      lines_contiguous_(lines_contiguous) {
  std::uint32_t const last = offset(lines - 1, 32 / element_bytes - 1);
  block_ = at_shared(start_, static_cast<int>(last) + element_bytes, 16) - start_;
}

template <class In>
void read_rows(OperandTile const& a, Rows<In>& rows) {
  int const thread = static_cast<int>(thread_index().x);
  for (int below = 0; below < 2; ++below) {
    int const row = thread / 32 % 4 * 16 + thread % 32 / 4 + below * 8;
    for (int k = 0; k < kSteps<In>; ++k) rows[below][k] = number_at<In>(a.at(row, k));
  }
}

template <class In>
void multiply(Number<In>* d, Rows<In> const& rows, OperandTile const& b, int columns, bool add) {
  int const own = columns / 4;
  Columns<In> of_b;
  read_columns<In>(b, own, of_b);
  for (int first = 0; first < own; first += kTogether) {
    int const last = std::min(first + kTogether, own);
    for (int below = 0; below < 2; ++below) {
      auto const sum_of = [&](int c) -> Number<In>& { return d[c / 2 * 4 + below * 2 + c % 2]; };
      Vector<Number<In>> sums{};
      for (int c = first; add && c < last; ++c) sums[c - first] = sum_of(c);
      sums = with_products<In>(sums, rows[below], of_b, first / kTogether);
      for (int c = first; c < last; ++c) sum_of(c) = sums[c - first];
    }
  }
}

template void read_rows<__half>(OperandTile const&, Rows<__half>&);
template void read_rows<float>(OperandTile const&, Rows<float>&);
template void read_rows<std::int8_t>(OperandTile const&, Rows<std::int8_t>&);
template void read_rows<__nv_fp8_e4m3>(OperandTile const&, Rows<__nv_fp8_e4m3>&);
template void multiply<__half>(float*, Rows<__half> const&, OperandTile const&, int, bool);
template void multiply<float>(float*, Rows<float> const&, OperandTile const&, int, bool);
template void multiply<std::int8_t>(int*, Rows<std::int8_t> const&, OperandTile const&, int, bool);
template void multiply<__nv_fp8_e4m3>(float*, Rows<__nv_fp8_e4m3> const&, OperandTile const&, int, bool);

}  // namespace perfcheck::emulated

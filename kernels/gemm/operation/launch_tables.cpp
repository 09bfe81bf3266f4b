// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "launch_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace perfcheck::gemm {
namespace {

constexpr char const* kArrays[] = {"A", "B", "C", "D", "the residual"};
constexpr std::size_t kWordsOfAPointer = sizeof(void*) / sizeof(std::uint32_t);
constexpr std::size_t kAlignedWords = 64;  ///< 256 bytes, to which kernels' arguments are aligned

/// An order of matrices that only the pointers tell: not their order in memory, and without a constant stride.
std::vector<int> mixed_order(int count) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  auto const key = [](int matrix) { return verify::mix(0x706f696e74657273U, static_cast<std::uint64_t>(matrix), 0); };
  std::sort(order.begin(), order.end(), [&](int x, int y) { return key(x) < key(y); });
  if (order.front() == 0) std::swap(order.front(), order.back());
  return order;
}

}  // namespace

void LaunchTables::place(kit::Device& device, GemmProblem const& problem, int sets) {
  device_ = &device;
  types_ = problem.types;
  words_.clear();
  order_.clear();
  if (!problem.groups.empty()) {
    words_.push_back(0);
    for (int const rows : problem.groups) words_.push_back(words_.back() + static_cast<std::uint32_t>(rows));
    place_words(device, "the group offsets");
  } else if (problem.pointers) {
    order_ = mixed_order(problem.batch);
    array_words_ = (order_.size() * kWordsOfAPointer + kAlignedWords - 1) / kAlignedWords * kAlignedWords;
    words_.resize(static_cast<std::size_t>(sets) * std::size(kArrays) * array_words_);
    place_words(device, "the pointer arrays");
  }
}

void LaunchTables::place_words(kit::Device& device, std::string const& name) {
  buffer_.rename(name);
  auto const count = static_cast<std::int64_t>(words_.size());
  auto const at = buffer_.place(
      device.backend, *device.engine,
      {.data = nullptr, .element = Element::s32, .rows = 1, .columns = count, .row_stride = count, .column_stride = 1});
  device.backend.copy_to_device(at.data, words_.data(), buffer_.content_bytes());
}

void LaunchTables::give(GemmFullArgs& args, int set) {
  if (!order_.empty()) return give_pointers(args, set);
  if (!words_.empty()) args.group_offsets = static_cast<std::int32_t const*>(buffer_.matrix().data);
}

void LaunchTables::give_pointers(GemmFullArgs& args, int set) {
  std::size_t const first = static_cast<std::size_t>(set) * std::size(kArrays) * array_words_;
  auto* const tables = static_cast<std::uint32_t*>(buffer_.matrix().data);
  auto const array = [&](std::size_t number, void const* matrices, Element element, std::int64_t stride) -> void* {
    if (matrices == nullptr) return nullptr;
    std::size_t at = first + number * array_words_;
    void* const table = tables + at;
    for (int const place : order_) {
      void const* const matrix = static_cast<std::byte const*>(matrices) + verify::bytes_of(element, place * stride);
      std::memcpy(&words_[at], static_cast<void const*>(&matrix), sizeof matrix);
      at += kWordsOfAPointer;
    }
    return table;
  };
  args.a_pointers = static_cast<void const* const*>(array(0, args.a, types_.a, args.a_stride));
  args.b_pointers = static_cast<void const* const*>(array(1, args.b, types_.b, args.b_stride));
  args.c_pointers = static_cast<void const* const*>(array(2, args.c, types_.c, args.d_stride));
  args.d_pointers = static_cast<void* const*>(array(3, args.d, types_.d, args.d_stride));
  args.residual_pointers = static_cast<void const* const*>(array(4, args.residual, types_.d, args.d_stride));
  args.a = args.b = args.c = args.d = nullptr;
  args.residual = nullptr;
  args.a_stride = args.b_stride = args.d_stride = 0;
  std::size_t const words = std::size(kArrays) * array_words_;
  device_->backend.copy_to_device(tables + first, &words_[first], words * sizeof(std::uint32_t));
}

std::string LaunchTables::damage_around() const {
  return words_.empty() ? "" : buffer_.damage_around(*device_->engine);
}

std::string LaunchTables::change() const {
  if (words_.empty()) return "";
  std::vector<std::uint32_t> now(words_.size());
  device_->backend.copy_to_host(now.data(), buffer_.matrix().data, buffer_.content_bytes());
  auto const [was, is] = std::mismatch(words_.begin(), words_.end(), now.begin());
  if (was == words_.end()) return "";
  auto const at = static_cast<std::size_t>(was - words_.begin());
  if (order_.empty()) return fmt::format("the group offsets changed, first number {}: was {}, is {}", at, *was, *is);
  std::size_t const pointer = at % array_words_ / kWordsOfAPointer;
  char const* const array = kArrays[at / array_words_ % std::size(kArrays)];
  if (pointer >= order_.size()) return fmt::format("memory behind the array of pointers for {} changed", array);
  return fmt::format("the array of pointers for {} changed, first number {}", array, pointer);
}

}  // namespace perfcheck::gemm

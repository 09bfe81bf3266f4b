// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "launch_data.h"

#include "perfcheck/model/digest.h"
#include "read_at.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace perfcheck::device {
namespace {

constexpr std::uint64_t kWord = sizeof(std::uint64_t);
/// Of a CUtensorMap: its size and its alignment.
constexpr std::uint64_t kMapBytes = sizeof(TensorMap), kMapAlignment = 64;

/// The bytes in which two values agree; the others become 0.
template <typename Value>
Value agreed(Value const& one, std::optional<Value> const& other) {
  if (!other) return one;
  Value both = one;
  auto* const bytes = reinterpret_cast<unsigned char*>(&both);
  auto const* const others = reinterpret_cast<unsigned char const*>(&*other);
  for (std::size_t i = 0; i < sizeof(Value); ++i) bytes[i] = bytes[i] == others[i] ? bytes[i] : 0;
  return both;
}

/// Adds bytes to a digest, word by word. `offset` is the position of the first one, which decides alignment.
void add_words(std::uint64_t offset, std::span<std::uint8_t const> bytes, std::span<std::uint8_t const> again,
               PlaceOf const& place_of, model::Digest& digest) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    if ((offset + at) % kWord != 0 || bytes.size() - at < kWord) {
      digest.add(fmt::format("{:02x}", agreed(bytes[at], read_at<std::uint8_t>(again, at))));
      ++at;
      continue;
    }
    auto const word = *read_at<std::uint64_t>(bytes, at);
    auto const place = word == 0 ? std::nullopt : place_of(word);
    digest.add(place ? place->text() : fmt::format("{:016x}", agreed(word, read_at<std::uint64_t>(again, at))));
    at += kWord;
  }
}

/// The tensor map at an offset, if there is one: where the driver would put an address, there must be one of device or
/// managed memory.
std::optional<TensorMap> tensor_map_at(Argument const& argument, std::uint64_t at, PlaceOf const& place_of,
                                       TensorMapFormat const& format) {
  if (!format.is_known() || (argument.offset + at) % kMapAlignment != 0) return std::nullopt;
  auto const map = read_at<TensorMap>(argument.bytes, at);
  if (!map) return std::nullopt;
  std::uint64_t const address = format.address_in(*map);
  auto const place = address == 0 ? std::nullopt : place_of(address);
  return place && place->kind != MemoryKind::host ? map : std::nullopt;
}

void add_argument(Argument const& argument, PlaceOf const& place_of, TensorMapFormat const& tensor_maps,
                  model::Digest& digest) {
  digest.add(fmt::format("{} bytes", argument.bytes.size()));
  std::uint64_t at = 0;
  while (at < argument.bytes.size()) {
    if (auto const map = tensor_map_at(argument, at, place_of, tensor_maps)) {
      auto again = read_at<TensorMap>(argument.again, at);
      if (again) again = tensor_maps.without_address(*again);
      digest.add("tensor map of " + place_of(tensor_maps.address_in(*map))->text());
      digest.add(fmt::format("{:016x}", fmt::join(agreed(tensor_maps.without_address(*map), again), " ")));
      at += kMapBytes;
      continue;
    }
    // Up to where the next map may begin.
    std::uint64_t const next = (argument.offset + at) / kMapAlignment * kMapAlignment + kMapAlignment - argument.offset;
    std::uint64_t const end = std::min<std::uint64_t>(next, argument.bytes.size());
    auto const again = argument.again.empty() ? argument.again : argument.again.subspan(at, end - at);
    add_words(argument.offset + at, argument.bytes.subspan(at, end - at), again, place_of, digest);
    at = end;
  }
}

void add_constants(ConstantMemory const& memory, ReadConstant const& read, PlaceOf const& place_of,
                   model::Digest& digest) {
  std::vector<std::uint8_t> now = memory.contents;
  for (ConstantMemory::Variable const& variable : memory.variables) {
    if (variable.offset > now.size() || now.size() - variable.offset < variable.size) continue;
    std::vector<std::uint8_t> value(variable.size);
    if (read(variable.name, value)) {
      std::copy(value.begin(), value.end(), now.begin() + static_cast<std::ptrdiff_t>(variable.offset));
    }
  }
  // Addresses that loading filled in are hashed with what the file holds. They are of the device; in the file they are
  // 0.
  for (std::uint64_t const address : memory.addresses) {
    if (address > now.size() || now.size() - address < kWord) continue;
    std::fill_n(now.begin() + static_cast<std::ptrdiff_t>(address), kWord, 0);
  }
  digest.add(fmt::format("constant memory of {} bytes", now.size()));
  add_words(0, now, {}, place_of, digest);
}

}  // namespace

std::string arguments_hash(std::vector<Argument> const& arguments, PlaceOf const& place_of,
                           TensorMapFormat const& tensor_maps) {
  model::Digest digest;
  for (Argument const& argument : arguments) add_argument(argument, place_of, tensor_maps, digest);
  return digest.text();
}

std::string constants_hash(KernelCode const& code, ReadConstant const& read, PlaceOf const& place_of) {
  model::Digest digest;
  digest.add(code.data);
  for (auto const& memory : code.constants) add_constants(*memory, read, place_of, digest);
  return digest.text();
}

}  // namespace perfcheck::device

// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Compressed bytes and numbers of varying length.
#include "perfcheck/codec/deflate.h"
#include "perfcheck/codec/varint.h"
#include "support/property.h"

using namespace perfcheck;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  constexpr std::size_t kLimit = std::size_t{1} << 20;
  std::string_view const bytes = fuzz::text_of(data, size);
  if (auto const plain = fuzz::accepted<codec::DecodeError>([&] { return codec::inflate(bytes, kLimit); })) {
    fuzz::require(plain->size() <= kLimit, "no more bytes come out than may");
  }
  fuzz::require(codec::inflate(codec::deflate(bytes), size) == bytes, "compressed bytes come back as they were");

  std::size_t at = 0;
  while (at < size) {
    auto const number = fuzz::accepted<codec::DecodeError>([&] { return codec::get_varint(bytes, at); });
    fuzz::require(at <= size, "reading stays inside of the bytes");
    if (!number) {
      break;
    }
    std::string written;
    codec::put_varint(written, *number);
    std::size_t end = 0;
    fuzz::require(codec::get_varint(written, end) == *number && end == written.size(), "a number comes back");
    fuzz::require(codec::zigzag(codec::unzigzag(*number)) == *number, "a number with a sign comes back");
  }
  return 0;
}

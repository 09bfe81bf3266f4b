// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/codec/deflate.h"

#include <zlib.h>

#include <algorithm>
#include <climits>
#include <new>

namespace perfcheck::codec {
namespace {

// zlib counts in unsigned int; this size of a piece is far below its limit.
constexpr std::size_t kPiece = std::size_t{1} << 16;

/// Frees zlib's state in every case.
class Inflater {
 public:
  explicit Inflater(std::string_view input) {
    // zlib does not write to its input; its interface is older than const.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<uInt>(input.size());
    if (inflateInit(&stream_) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(Inflater const&) = delete;
  Inflater& operator=(Inflater const&) = delete;

  z_stream& stream() { return stream_; }

 private:
  z_stream stream_{};
};

}  // namespace

std::string deflate(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string stream(size, '\0');
  int const result = compress2(reinterpret_cast<Bytef*>(stream.data()), &size,
                               reinterpret_cast<Bytef const*>(bytes.data()), bytes.size(), Z_DEFAULT_COMPRESSION);
  if (result != Z_OK) {
    throw std::bad_alloc();  // the only failure left: the output is large enough and the level is valid
  }
  stream.resize(size);
  return stream;
}

std::string inflate(std::string_view stream, std::size_t limit) {
  if (stream.size() > UINT_MAX) {
    throw DecodeError("a compressed part is larger than 4 GiB");
  }
  Inflater inflater(stream);
  z_stream& state = inflater.stream();
  std::string bytes;
  int result = Z_OK;
  while (result == Z_OK) {
    std::size_t const begun = bytes.size();
    // One byte beyond the limit tells a stream that is too long from one that just fits.
    bytes.resize(std::min(begun + std::max(kPiece, begun), limit + 1));
    if (bytes.size() == begun) {
      throw DecodeError("a compressed part is larger than it may be");
    }
    std::size_t const room = std::min<std::size_t>(bytes.size() - begun, UINT_MAX);
    state.next_out = reinterpret_cast<Bytef*>(bytes.data() + begun);
    state.avail_out = static_cast<uInt>(room);
    result = ::inflate(&state, Z_NO_FLUSH);
    bytes.resize(begun + room - state.avail_out);
  }
  if (result != Z_STREAM_END || state.avail_in > 0) {
    throw DecodeError("a compressed part is damaged or cut off");
  }
  if (bytes.size() > limit) {
    throw DecodeError("a compressed part is larger than it may be");
  }
  return bytes;
}

}  // namespace perfcheck::codec

// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "decode.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

namespace perfcheck::report::decode {
namespace {

void expect(bool holds, std::string const& what) {
  if (!holds) throw std::runtime_error(what);
}

uint64_t take_number(std::string_view& bytes) {
  uint64_t number = 0;
  for (int shift = 0;; shift += 7) {
    expect(!bytes.empty() && shift < 64, "a number is cut off");
    auto const byte = static_cast<uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    number |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return number;
  }
}

int64_t unzigzag(uint64_t u) { return static_cast<int64_t>(u >> 1) ^ -static_cast<int64_t>(u & 1); }

std::vector<double> column(nlohmann::json const& header, std::string_view bytes) {
  std::string const kind = header.at("kind");
  double const quantum = header.value("quantum", 1.0);
  std::vector<double> values;
  int64_t last = 0;
  for (std::size_t i = 0; i < header.at("count"); ++i) {
    uint64_t const u = take_number(bytes);
    expect(u <= 0xffffffffu, "a number needs more than 32 bits");
    if (kind == "index") {
      values.push_back(static_cast<double>(last += unzigzag(u)));
    } else if (u == 0) {
      values.push_back(std::numeric_limits<double>::quiet_NaN());
    } else {
      last += unzigzag(u - 1);
      double const scaled = static_cast<double>(last) * quantum;
      values.push_back(kind == "log" ? std::exp(scaled) : scaled);
    }
  }
  expect(bytes.empty(), "a column has bytes left over");
  return values;
}

}  // namespace

Columns columns(std::string_view bytes) {
  expect(bytes.size() >= 4, "no length");
  std::size_t length = 0;
  for (std::size_t i = 0; i < 4; ++i) length |= static_cast<std::size_t>(static_cast<uint8_t>(bytes[i])) << (8 * i);
  bytes.remove_prefix(4);
  expect(bytes.size() >= length, "the header is cut off");
  Columns result{.header = nlohmann::json::parse(bytes.substr(0, length))};
  bytes.remove_prefix(length);
  for (nlohmann::json const& header : result.header.at("columns")) {
    std::size_t const size = header.at("bytes");
    expect(bytes.size() >= size, "a column is cut off");
    result.values[header.at("name")] = column(header, bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  expect(bytes.empty(), "bytes are left over");
  return result;
}

std::string base64(std::string_view text) {
  std::string const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  expect(text.size() % 4 == 0, "base64 comes in fours");
  std::string result;
  for (std::size_t i = 0; i < text.size(); i += 4) {
    uint32_t four = 0;
    int padding = 0;
    for (char const c : text.substr(i, 4)) {
      std::size_t const at = c == '=' ? 0 : letters.find(c);
      expect(at != std::string::npos && (c == '=' || padding == 0), "not base64");
      padding += c == '=' ? 1 : 0;
      four = four << 6 | static_cast<uint32_t>(at);
    }
    for (int byte = 2; byte >= padding; --byte) result += static_cast<char>(four >> (8 * byte) & 0xff);
  }
  return result;
}

std::string inflate(std::string_view bytes) {
  z_stream stream{};
  expect(inflateInit(&stream) == Z_OK, "zlib");
  std::string result, part(65536, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  int code = Z_OK;
  while (code == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    code = ::inflate(&stream, Z_NO_FLUSH);
    result.append(part, 0, part.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  expect(code == Z_STREAM_END && stream.avail_in == 0, "not one zlib stream");
  return result;
}

std::string chunk(std::string_view text) { return inflate(base64(text)); }

namespace {

std::string unescaped(std::string_view text) {
  static std::map<std::string_view, char> const entities{
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"#39", '\''}};
  std::string result;
  while (!text.empty()) {
    expect(text.front() != '<', "'<' in a text");
    if (text.front() != '&') {
      result += text.front();
      text.remove_prefix(1);
      continue;
    }
    std::size_t const end = text.find(';');
    expect(end != std::string_view::npos, "'&' without ';'");
    auto const entity = entities.find(text.substr(1, end - 1));
    expect(entity != entities.end(), "unknown entity " + std::string(text.substr(0, end + 1)));
    result += entity->second;
    text.remove_prefix(end + 1);
  }
  return result;
}

/// Returns the name of a tag; appends the values of its attributes to `texts`.
std::string read_tag(std::string_view tag, std::vector<std::string>& texts) {
  auto const name_end = [](std::string_view text) {
    return static_cast<std::size_t>(
        std::find_if_not(text.begin(), text.end(), [](char c) { return std::isalnum(c) || c == '-' || c == ':'; }) -
        text.begin());
  };
  std::size_t const end = name_end(tag);
  expect(end > 0, "a tag without a name: " + std::string(tag));
  std::string const name(tag.substr(0, end));
  tag.remove_prefix(end);
  std::set<std::string> seen;
  while (!tag.empty()) {
    expect(tag.front() == ' ', "no blank before an attribute of " + name);
    tag.remove_prefix(1);
    std::size_t const length = name_end(tag);
    std::string const attribute(tag.substr(0, length));
    expect(length > 0 && seen.insert(attribute).second, "an attribute of " + name + " comes twice or has no name");
    expect(tag.substr(length, 2) == "=\"", "an attribute is not quoted: " + attribute);
    tag.remove_prefix(length + 2);
    std::size_t const quote = tag.find('"');
    expect(quote != std::string_view::npos, "a quote is missing after " + attribute);
    texts.push_back(unescaped(tag.substr(0, quote)));
    tag.remove_prefix(quote + 1);
  }
  return name;
}

}  // namespace

std::vector<std::string> xml_texts(std::string_view document) {
  expect(std::none_of(document.begin(), document.end(),
                      [](char c) { return static_cast<uint8_t>(c) < 0x20 && c != '\n'; }),
         "a control character");
  std::ignore = nlohmann::json(std::string(document)).dump();  // throws if it is not UTF-8
  std::vector<std::string> texts, open;
  bool had_root = false;
  while (!document.empty()) {
    std::size_t const less = document.find('<');
    std::string const text = unescaped(document.substr(0, less));
    if (open.empty()) expect(text.find_first_not_of('\n') == std::string::npos, "text outside of the root");
    texts.push_back(text);
    if (less == std::string_view::npos) break;
    std::size_t const greater = document.find('>', less);
    expect(greater != std::string_view::npos, "a tag does not end");
    std::string_view tag = document.substr(less + 1, greater - less - 1);
    document.remove_prefix(greater + 1);
    if (tag.starts_with('/')) {
      expect(!open.empty() && open.back() == tag.substr(1), "closes what is not open: " + std::string(tag));
      open.pop_back();
      continue;
    }
    if (open.empty()) expect(!std::exchange(had_root, true), "a second root");
    bool const empty = tag.ends_with('/');
    if (empty) tag.remove_suffix(1);
    std::string const name = read_tag(tag, texts);
    if (!empty) open.push_back(name);
  }
  expect(had_root && open.empty(), "an element is not closed");
  return texts;
}

}  // namespace perfcheck::report::decode

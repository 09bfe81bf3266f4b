// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/page.h"

#include "text/markup.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>

namespace perfcheck::report {
namespace {

bool starts_with_ignoring_case(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() && std::equal(lower.begin(), lower.end(), text.begin(), [](char a, char b) {
           return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b)));
         });
}

/// Stricter than browsers, which end an element like <style> only where a blank, '/' or '>' follows the name.
bool holds(std::string_view text, std::string_view lower) {
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    if (starts_with_ignoring_case(text.substr(at), lower)) return true;
  }
  return false;
}

bool is_key(std::string_view key) {
  auto const allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !key.empty() && std::all_of(key.begin(), key.end(), allowed);
}

bool is_base64(std::string_view text) {
  static std::array<bool, 256> const allowed = [] {
    std::array<bool, 256> table{};
    for (char const c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="))
      table[static_cast<unsigned char>(c)] = true;
    return table;
  }();
  return std::all_of(text.begin(), text.end(), [](char c) { return allowed[static_cast<unsigned char>(c)]; });
}

void check_chunk(std::string_view key, std::string_view base64) {
  if (!is_key(key)) throw std::invalid_argument("\"" + std::string(key) + "\" cannot be the key of a chunk");
  if (!is_base64(base64)) throw std::invalid_argument("chunk " + std::string(key) + " is not base64");
}

/// Nothing is loaded from anywhere, neither by the application nor by text that somehow became markup. A site only
/// loads its chunks: from 'self' where it is served; on a disk, not every browser counts files as 'self'.
std::string policy(PageKind kind, std::string_view script_hash) {
  std::string const own = script_hash.empty() ? "'unsafe-inline'" : "'" + std::string(script_hash) + "'";
  std::string const scripts = kind == PageKind::site ? own + " 'self' file:" : own;
  return "default-src 'none'; script-src " + scripts +
         "; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
}

}  // namespace

std::string page_begin(ReportManifest const& manifest, std::string_view css, std::string_view script_hash) {
  if (holds(css, "</style")) throw std::invalid_argument("the style sheet of the page holds \"</style\"");
  auto const of_hash = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '+' || c == '/' || c == '=';
  };
  if (!std::all_of(script_hash.begin(), script_hash.end(), of_hash)) {
    throw std::invalid_argument("the hash of the page's script is none");
  }
  std::string page =
      "<!doctype html>\n"
      "<html lang=\"en\">\n"
      "<head>\n"
      "<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"";
  page += policy(manifest.kind, script_hash);
  page +=
      "\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<title>";
  page += markup_escaped(manifest.title);
  page += "</title>\n<style>";
  page += css;
  page +=
      "</style>\n"
      "</head>\n"
      "<body>\n"
      "<div id=\"app\"><noscript>This report draws itself with JavaScript, which this browser has switched off. It "
      "loads "
      "nothing from the network.</noscript></div>\n"
      "<script type=\"application/json\" id=\"manifest\">";
  page += manifest_json(manifest);
  page += "</script>\n";
  return page;
}

std::string chunk_script(std::string_view key, std::string_view base64) {
  check_chunk(key, base64);
  std::string result = "<script type=\"application/octet-stream\" id=\"";
  result.reserve(result.size() + key.size() + base64.size() + 16);
  result += key;
  result += "\">";
  result += base64;
  result += "</script>\n";
  return result;
}

std::string chunk_file(std::string_view key, std::string_view base64) {
  check_chunk(key, base64);
  std::string result = "perfcheckChunk(\"";
  result.reserve(result.size() + key.size() + base64.size() + 8);
  result += key;
  result += "\",\"";
  result += base64;
  result += "\");\n";
  return result;
}

std::string page_end(std::string_view app_js) {
  // No line ends around the script: its hash covers the text exactly as it stands.
  std::string page = "<script>";
  for (std::size_t i = 0; i < app_js.size(); ++i) {
    std::string_view const rest = app_js.substr(i);
    bool const ends = starts_with_ignoring_case(rest, "</script") || rest.starts_with("<!--");
    page += ends ? std::string_view("\\x3C") : app_js.substr(i, 1);
  }
  page += "</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace perfcheck::report

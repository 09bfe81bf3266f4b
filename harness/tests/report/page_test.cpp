// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/page.h"

#include "decode.h"
#include "report_samples.h"

#include <gmock/gmock.h>

namespace perfcheck::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ReportManifest manifest_of(PageKind kind) {
  return {.title = "A & B", .generated = "2026-11-21T08:15:02Z", .tool_version = "0.1.0", .kind = kind};
}

/// The text between the first occurrences of two markers.
std::string between(std::string const& text, std::string const& before, std::string const& after) {
  std::size_t const begin = text.find(before);
  if (begin == std::string::npos) return "";
  std::size_t const end = text.find(after, begin + before.size());
  return text.substr(begin + before.size(), end - begin - before.size());
}

std::size_t count(std::string const& text, std::string const& part) {
  std::size_t result = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++result;
  return result;
}

TEST(Page, IsAWholeDocumentWithItsPiecesInOrder) {
  std::string const page = page_begin(manifest_of(PageKind::single), "body{}") + chunk_script("d0", packed("{}")) +
                           chunk_script("d0c0", packed("abc")) + page_end("start();");
  EXPECT_TRUE(page.starts_with("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"));
  EXPECT_TRUE(page.ends_with("<script>start();</script>\n</body>\n</html>\n"));
  EXPECT_THAT(page, HasSubstr("<title>A &amp; B</title>\n<style>body{}</style>"));
  std::size_t at = 0;
  for (char const* mark : {"<div id=\"app\">", "id=\"manifest\"", "id=\"d0\"", "id=\"d0c0\"", "<script>"}) {
    EXPECT_GT(page.find(mark), at) << mark;
    at = page.find(mark);
  }
  EXPECT_EQ(decode::chunk(between(page, "<script type=\"application/octet-stream\" id=\"d0c0\">", "</script>")), "abc");
  auto const manifest = nlohmann::json::parse(between(page, "id=\"manifest\">", "</script>"));
  EXPECT_EQ(manifest.at("title"), "A & B");
}

TEST(Page, LoadsNothingFromTheNetwork) {
  std::string const begin = page_begin(manifest_of(PageKind::single), "");
  EXPECT_EQ(
      between(begin, "Content-Security-Policy\" content=\"", "\""),
      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
      "form-action 'none'");
  EXPECT_THAT(begin, Not(HasSubstr("http:")));
  EXPECT_THAT(begin, Not(HasSubstr("https:")));
  EXPECT_LT(begin.find("Content-Security-Policy"), begin.find("<style>"))
      << "the policy applies only to what follows it";
}

TEST(Page, RunsNoOtherScriptWhereTheHashOfItsOwnIsKnown) {
  std::string const single = page_begin(manifest_of(PageKind::single), "", "sha256-ab+/=");
  EXPECT_THAT(single, HasSubstr("script-src 'sha256-ab+/=';"));
  std::string const site = page_begin(manifest_of(PageKind::site), "", "sha256-ab+/=");
  EXPECT_THAT(site, HasSubstr("script-src 'sha256-ab+/=' 'self' file:;"))
      << "the site must be allowed to load its chunks";
  EXPECT_THROW(page_begin(manifest_of(PageKind::site), "", "x' *"), std::invalid_argument);
}

TEST(Page, OfASiteSaysSo) {
  EXPECT_THAT(page_begin(manifest_of(PageKind::site), ""), HasSubstr("\"site\":true"));
  EXPECT_THAT(page_begin(manifest_of(PageKind::single), ""), HasSubstr("\"site\":false"));
}

TEST(Page, ShowsHostileTextAsText) {
  for (std::string const& text : samples::hostile_texts()) {
    SCOPED_TRACE(text.substr(0, 40));
    ReportManifest manifest = manifest_of(PageKind::single);
    manifest.title = manifest.generated = manifest.tool_version = text;
    manifest.notes = {text};
    manifest.devices = {manifest_device(samples::hostile_device(text), 0)};
    std::string const harmless = page_begin(manifest_of(PageKind::single), "");
    std::string const page = page_begin(manifest, "");
    EXPECT_EQ(count(page, "<"), count(harmless, "<")) << "a hostile text must not add an element";
    EXPECT_EQ(count(page, "<script"), 1u);
    std::string const title = between(page, "<title>", "</title>");
    EXPECT_EQ(title.find_first_of("<>\"'"), std::string::npos);
    std::string const json = between(page, "id=\"manifest\">", "</script>");
    EXPECT_EQ(
        nlohmann::json::parse(json).at("notes").at(0),
        nlohmann::json::parse(nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
  }
}

TEST(Page, RefusesAStyleSheetThatEndsItself) {
  EXPECT_THROW(page_begin(manifest_of(PageKind::single), "a{}</StyLe >"), std::invalid_argument);
  EXPECT_NO_THROW(page_begin(manifest_of(PageKind::single), "a>b{content:'<'}"));
}

TEST(Page, KeepsTheApplicationInsideItsScript) {
  std::string const end = page_end("a='</script>';b=\"</SCRIPT \";c=`<!-- <script`;d=1<2;");
  EXPECT_EQ(between(end, "<script>", "</script>"), "a='\\x3C/script>';b=\"\\x3C/SCRIPT \";c=`\\x3C!-- <script`;d=1<2;");
}

TEST(Page, LeavesAnApplicationAloneThatIsSafe) {
  std::string const app = "const a='<b>';\n// end";
  EXPECT_EQ(between(page_end(app), "<script>", "</script>"), app)
      << "the script must be unchanged, since the policy names its hash";
}

TEST(Chunk, OfASiteIsACallWithItsKey) {
  EXPECT_EQ(chunk_file("d0c7x", "AB+/"), "perfcheckChunk(\"d0c7x\",\"AB+/\");\n");
}

TEST(Chunk, IsRefusedWhenItCouldBeMarkup) {
  for (std::string const key : {"", "d0\"", "D0", "../d0", "d 0"}) {
    EXPECT_THROW(chunk_script(key, ""), std::invalid_argument) << key;
    EXPECT_THROW(chunk_file(key, ""), std::invalid_argument) << key;
  }
  for (std::string const text : {"<", "\"", "a b", "\xff"}) {
    EXPECT_THROW(chunk_script("d0", text), std::invalid_argument) << text;
    EXPECT_THROW(chunk_file("d0", text), std::invalid_argument) << text;
  }
}

}  // namespace
}  // namespace perfcheck::report

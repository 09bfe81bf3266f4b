// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Text from outside inside the formats of CI systems. For XML and HTML: markup_escaped() of text/markup.h. Each
// function applies model::one_line() first, so that the text is one line of valid UTF-8 without control characters.
#pragma once

#include <string>
#include <string_view>

namespace perfcheck::report::ci {

/// Text for a line of GitHub's Markdown, or a table's cell, in which nothing becomes markup, link, mention, reference,
/// emoji or formula. A zero-width space breaks what GitHub looks for after parsing the Markdown ("@user", "#1",
/// "a@b.c", "https://", ":tada:"); other markup becomes a character reference. At most `limit` characters.
std::string markdown_text(std::string_view text, std::size_t limit = 1000);

/// The text as inline code, in which GitHub looks for nothing, so that it can be copied. A bar behind a backslash,
/// which table parsers read differently, becomes a broken bar. Empty text gives nothing.
std::string markdown_code(std::string_view text, std::size_t limit = 300);

/// Lines as a block of code; each line is one line.
std::string markdown_code_block(std::string_view language, std::string_view lines);

/// An address as the target of a Markdown link. Only http and https; empty for all others.
std::string link_target(std::string_view address);

/// Message and property of a GitHub workflow command.
std::string command_data(std::string_view text);
std::string command_property(std::string_view text);

/// A cell as in RFC 4180 that no spreadsheet takes for a formula and that contains no workflow command.
std::string csv_cell(std::string_view text);

/// The value of an OpenMetrics label, without its quotes.
std::string openmetrics_label(std::string_view text);

}  // namespace perfcheck::report::ci

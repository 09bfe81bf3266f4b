// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "command_line/stream_terminal.h"

#include "perfcheck/model/one_line.h"
#include "perfcheck/store/store.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace perfcheck::cli {
namespace {

constexpr std::size_t kUsualWidth = 80;

std::size_t width_of(std::FILE* stream) {
  winsize size{};
  bool const known = ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kUsualWidth;
}

}  // namespace

void StreamTerminal::print(std::string const& text) {
  wipe_status();
  if (std::fwrite(text.data(), 1, text.size(), out_) != text.size() || std::fflush(out_) != 0) {
    throw store::IoError(std::string("standard output: ") + std::strerror(errno) +
                         "; free space or choose another place");
  }
}

void StreamTerminal::message(std::string const& text) {
  wipe_status();
  // Failures to write are ignored: there is no other place to report them.
  for (std::size_t begin = 0; begin <= text.size();) {
    std::size_t const end = std::min(text.find('\n', begin), text.size());
    // Names and reasons in the text come from workers and files, which are not trusted.
    (void)std::fprintf(messages_, "%s\n", model::one_line(std::string_view(text).substr(begin, end - begin)).c_str());
    begin = end + 1;
  }
  (void)std::fflush(messages_);
}

void StreamTerminal::status(std::string const& line) {
  if (!interactive()) {
    return;
  }
  wipe_status();
  std::string const shown = model::one_line(std::string_view(line).substr(0, width_of(messages_) - 1));
  (void)std::fputs(shown.c_str(), messages_);
  (void)std::fflush(messages_);
  status_width_ = shown.size();
}

void StreamTerminal::wipe_status() {
  if (status_width_ > 0) {
    (void)std::fprintf(messages_, "\r%*s\r", static_cast<int>(status_width_), "");
    (void)std::fflush(messages_);
    status_width_ = 0;
  }
}

bool StreamTerminal::interactive() const {
  char const* const kind = std::getenv("TERM");
  return isatty(fileno(messages_)) == 1 && !(kind != nullptr && std::strcmp(kind, "dumb") == 0);
}

bool StreamTerminal::colored(ColorChoice choice) const {
  switch (choice) {
    case ColorChoice::always: return true;
    case ColorChoice::never: return false;
    case ColorChoice::automatic: break;
  }
  char const* const no_color = std::getenv("NO_COLOR");
  return isatty(fileno(out_)) == 1 && (no_color == nullptr || *no_color == '\0');
}

}  // namespace perfcheck::cli

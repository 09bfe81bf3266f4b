// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "support/history_report.h"

#include "perfcheck/report/page.h"
#include "perfcheck/trends/report_builder.h"
#include "perfcheck/trends/report_files.h"
#include "support/property.h"

#include <stdexcept>

namespace perfcheck::fuzz {
namespace {

class SilentTerminal final : public Terminal {
 public:
  void print(std::string const&) override {}
  void message(std::string const&) override {}
  void status(std::string const&) override {}
  void wipe_status() override {}
  bool interactive() const override { return false; }
  bool colored(ColorChoice) const override { return false; }
};

void report_device(std::string const& place, history::History& from, trends::DeviceHistory const& device) {
  static config::Config const config = config::parse_config("", "perfcheck.toml");
  static SilentTerminal silent;
  session::Interrupt const interrupt;
  trends::ReportSource const source{.place = place,
                                    .config = config,
                                    .baselines = "no-baselines",
                                    .kind = report::PageKind::site,
                                    .terminal = silent,
                                    .interrupt = interrupt};
  trends::BuiltDevice const built = trends::build_device(
      source, device, 0,
      [](std::string const& key, std::string const& base64) { (void)report::chunk_file(key, base64); });
  report::ReportManifest const manifest{.title = "fuzz",
                                        .generated = "2026-11-22T08:00:00Z",
                                        .tool_version = "0",
                                        .kind = source.kind,
                                        .notes = {},
                                        .devices = {report::manifest_device(built.device, 0)}};
  (void)report::page_begin(manifest, "");
  (void)trends::pictures_of(built, device, from);
}

}  // namespace

void report_everything(std::string const& place) {
  (void)accepted<history::HistoryError>([&] {
    history::History from(place, history::Mode::read);
    for (trends::DeviceHistory const& device : trends::devices_of(from, {})) {
      (void)accepted<std::invalid_argument>([&] { return report_device(place, from, device), true; });
    }
    return true;
  });
}

}  // namespace perfcheck::fuzz

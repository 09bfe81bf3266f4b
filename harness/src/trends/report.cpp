// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/trends/report.h"

#include "perfcheck/clock/clock.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/report/chunk.h"
#include "perfcheck/report/page.h"
#include "perfcheck/store/store.h"
#include "perfcheck/trends/history_place.h"
#include "perfcheck/trends/report_app.h"
#include "perfcheck/trends/report_builder.h"
#include "perfcheck/trends/report_files.h"

#include <fmt/format.h>

#include <set>

namespace perfcheck::trends {
namespace {

namespace fs = std::filesystem;

class Report {
 public:
  Report(ReportOptions const& options, Context& context)
      : options_(options),
        context_(context),
        config_(config::load_config(context.config)),
        place_(required_history_place(options.history, config_)),
        history_(open_history(place_, config_)),
        devices_(devices_of(history_, options.filters)) {}

  void run() {
    bool const pictures_only = !options_.svg.empty() && options_.out.empty() && options_.site.empty();
    if (!pictures_only) {
      require_app();
    }
    if (!options_.svg.empty()) {
      write_pictures();
    }
    if (!options_.site.empty()) {
      write_site();
    }
    if (!options_.out.empty() || (options_.site.empty() && options_.svg.empty())) {
      write_page(options_.out.empty() ? "report.html" : options_.out);
    }
  }

 private:
  static void require_app() {
    if (report_app_js().empty()) {
      throw CommandError(model::ExitCode::broken,
                         "this perfcheck was built without Node, so it holds no page; install nodejs and npm and build "
                         "again (--svg and `history export` work without)");
    }
  }

  ReportSource source(report::PageKind kind) const {
    return {.place = place_,
            .config = config_,
            .baselines = config::baselines_folder(options_.baselines, config_),
            .kind = kind,
            .terminal = context_.terminal,
            .interrupt = context_.interrupt};
  }

  /// Builds every device; the manifest of them all.
  report::ReportManifest build(report::PageKind kind, ChunkSink const& sink) {
    report::ReportManifest manifest{.title = options_.title.empty() ? "perfcheck" : options_.title,
                                    .generated = clock::utc_now(),
                                    .tool_version = PERFCHECK_VERSION,
                                    .kind = kind};
    std::set<std::string> origins;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      BuiltDevice const built = build_device(source(kind), devices_[i], static_cast<int>(i), sink);
      manifest.devices.push_back(report::manifest_device(built.device, static_cast<int>(i)));
      for (report::ReportRun const& run : built.device.runs) {
        if (run.origin.starts_with(history::kSynthetic)) {
          origins.insert(run.origin);
        }
      }
    }
    for (std::string const& origin : origins) {
      manifest.notes.push_back(fmt::format("These data were not measured. {}", origin));
    }
    context_.terminal.wipe_status();
    return manifest;
  }

  void write_page(fs::path const& file) {
    std::string chunks;
    report::ReportManifest const manifest =
        build(report::PageKind::single,
              [&](std::string const& key, std::string const& base64) { chunks += report::chunk_script(key, base64); });
    std::string page = report::page_begin(manifest, report_app_css(), report_app_hash());
    page += chunks;
    page += report::page_end(report_app_js());
    store::write_file_atomically(file, page);
    tell(file, page.size());
  }

  void write_site() {
    SiteFiles files(options_.site);
    report::ReportManifest const manifest =
        build(report::PageKind::site, [&](std::string const& key, std::string const& base64) {
          files.add(key + ".js", report::chunk_file(key, base64));
        });
    files.finish(report::page_begin(manifest, report_app_css(), report_app_hash()) + report::page_end(report_app_js()));
    tell(fs::path(options_.site) / "index.html", files.bytes());
  }

  void write_pictures() {
    for (DeviceHistory const& device : devices_) {
      BuiltDevice const built =
          build_device(source(report::PageKind::single), device, 0, [](std::string const&, std::string const&) {});
      for (auto const& [name, text] : pictures_of(built, device, history_)) {
        fs::path const file = fs::path(options_.svg) / name;
        write_in_folder(file, text);
        tell(file, text.size());
      }
    }
    context_.terminal.wipe_status();
  }

  void tell(fs::path const& file, std::size_t bytes) {
    if (context_.output == Output::json) {
      context_.terminal.print(file_json(file, bytes));
    } else if (context_.detail != Detail::quiet) {
      double const kilobytes = static_cast<double>(bytes) * 1e-3;
      context_.terminal.print(kilobytes < 100 ? fmt::format("{} ({:.1f} kB)\n", file.string(), kilobytes)
                                              : fmt::format("{} ({:.1f} MB)\n", file.string(), kilobytes * 1e-3));
    }
  }

  ReportOptions const& options_;
  Context& context_;
  config::Config const config_;
  std::string const place_;
  history::History history_;
  std::vector<DeviceHistory> const devices_;
};

}  // namespace

void write_report(ReportOptions const& options, Context& context) { Report(options, context).run(); }

}  // namespace perfcheck::trends

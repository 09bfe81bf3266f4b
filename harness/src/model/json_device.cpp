// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON forms of what a worker says about itself: device, environment, build, kernels.
#include "json_number.h"
#include "perfcheck/model/json.h"
#include "perfcheck/model/object_reader.h"

#include <set>

namespace perfcheck::model {

using nlohmann::json;

json to_json(DeviceInfo const& device) {
  json object = {{"backend", device.backend},
                 {"index", device.index},
                 {"name", device.name},
                 {"slug", device.slug},
                 {"multiprocessors", device.multiprocessors},
                 {"memory_bytes", device.memory_bytes},
                 {"cache_bytes", device.cache_bytes},
                 {"max_clock_mhz", measurement(device.max_clock_mhz)},
                 {"peak_tflops", json::object()}};
  for (auto const& [arithmetic, rate] : device.peak_tflops) {
    object["peak_tflops"][arithmetic] = measurement(rate);
  }
  put_nonempty(object, "uuid", device.uuid);
  put_nonempty(object, "compute_capability", device.compute_capability);
  put_optional(object, "peak_gb_s", device.peak_gb_s);
  put_optional(object, "peak_cache_gb_s", device.peak_cache_gb_s);
  put_optional(object, "empty_launch_ns", device.empty_launch_ns);
  return object;
}

DeviceInfo device_from_json(json const& source, std::string_view origin, std::string_view place) {
  ObjectReader reader(source, origin, place);
  DeviceInfo device;
  device.backend = reader.nonempty_text("backend");
  device.index = reader.small_integer("index");
  device.name = reader.nonempty_text("name");
  device.slug = reader.nonempty_text("slug");
  if (device.slug != slug_of(device.slug)) {
    // The slug becomes the name of a folder.
    reader.fail("slug", "must hold lower-case letters, digits and single dashes only");
  }
  device.uuid = reader.text_or("uuid", "");
  device.compute_capability = reader.text_or("compute_capability", "");
  device.multiprocessors = reader.small_integer("multiprocessors");
  device.memory_bytes = reader.integer("memory_bytes", 0);
  device.cache_bytes = reader.integer("cache_bytes", 0);
  device.max_clock_mhz = reader.number("max_clock_mhz", 0);
  device.peak_tflops = reader.positive_map("peak_tflops");
  device.peak_gb_s = reader.optional_number("peak_gb_s", 0);
  device.peak_cache_gb_s = reader.optional_number("peak_cache_gb_s", 0);
  device.empty_launch_ns = reader.optional_number("empty_launch_ns", 0);
  reader.finish();
  return device;
}

json to_json(Environment const& environment) {
  json object = json::object();
  put_nonempty(object, "driver", environment.driver);
  put_nonempty(object, "cuda_driver", environment.cuda_driver);
  put_nonempty(object, "cuda_runtime", environment.cuda_runtime);
  put_optional(object, "power_limit_w", environment.power_limit_w);
  put_nonempty(object, "persistence_mode", environment.persistence_mode);
  put_nonempty(object, "ecc", environment.ecc);
  put_nonempty(object, "mig", environment.mig);
  put_nonempty(object, "compute_mode", environment.compute_mode);
  put_nonempty(object, "host", environment.host);
  put_nonempty(object, "os", environment.os);
  put_nonempty(object, "cpu", environment.cpu);
  if (environment.timing != kFirstTiming) object["timing"] = environment.timing;
  object["libraries"] = environment.libraries;
  object["warnings"] = environment.warnings;
  return object;
}

Environment environment_from_json(json const& source, std::string_view origin, std::string_view place) {
  ObjectReader reader(source, origin, place);
  Environment environment;
  environment.driver = reader.text_or("driver", "");
  environment.cuda_driver = reader.text_or("cuda_driver", "");
  environment.cuda_runtime = reader.text_or("cuda_runtime", "");
  environment.power_limit_w = reader.optional_number("power_limit_w", 0);
  environment.persistence_mode = reader.text_or("persistence_mode", "");
  environment.ecc = reader.text_or("ecc", "");
  environment.mig = reader.text_or("mig", "");
  environment.compute_mode = reader.text_or("compute_mode", "");
  environment.host = reader.text_or("host", "");
  environment.os = reader.text_or("os", "");
  environment.cpu = reader.text_or("cpu", "");
  environment.timing = reader.small_integer_or("timing", kFirstTiming, kFirstTiming);
  environment.libraries = reader.text_map("libraries");
  environment.warnings = reader.texts("warnings");
  reader.finish();
  return environment;
}

namespace {

json build_to_json(BuildInfo const& build) {
  json object = {{"version", build.version}, {"compiler", build.compiler}, {"build_type", build.build_type}};
  put_nonempty(object, "cuda_toolkit", build.cuda_toolkit);
  put_nonempty(object, "architectures", build.architectures);
  put_nonempty(object, "flags", build.flags);
  return object;
}

BuildInfo build_from_json(json const& source, std::string_view origin, std::string_view place) {
  ObjectReader reader(source, origin, place);
  BuildInfo build;
  build.version = reader.text("version");
  build.compiler = reader.text("compiler");
  build.build_type = reader.text("build_type");
  build.cuda_toolkit = reader.text_or("cuda_toolkit", "");
  build.architectures = reader.text_or("architectures", "");
  build.flags = reader.text_or("flags", "");
  reader.finish();
  return build;
}

}  // namespace

json to_json(WorkerInfo const& worker) {
  json object = {{"name", worker.name},
                 {"backend", worker.backend},
                 {"operation", worker.operation},
                 {"build", build_to_json(worker.build)}};
  put_nonempty(object, "operations", worker.operations);
  return object;
}

namespace {

/// An operation becomes the name of a file.
void require_operation_name(ObjectReader const& reader, char const* key, std::string const& name) {
  if (!is_operation_name(name)) {
    reader.fail(key, "must hold lower-case letters, digits, '_' and '-' only");
  }
}

std::vector<std::string> operations_from_json(ObjectReader& reader, std::string const& first) {
  std::vector<std::string> operations = reader.texts_or_none("operations");
  for (std::string const& name : operations) {
    require_operation_name(reader, "operations", name);
  }
  if (reader.has("operations") && (operations.size() < 2 || operations.front() != first)) {
    reader.fail("operations", "must begin with \"operation\" and name at least one more; leave it out otherwise");
  }
  if (std::set(operations.begin(), operations.end()).size() != operations.size()) {
    reader.fail("operations", "names one twice; leave it out once");
  }
  return operations;
}

}  // namespace

WorkerInfo worker_from_json(json const& source, std::string_view origin, std::string_view place) {
  ObjectReader reader(source, origin, place);
  WorkerInfo worker;
  worker.name = reader.nonempty_text("name");
  worker.backend = reader.nonempty_text("backend");
  worker.operation = reader.nonempty_text("operation");
  require_operation_name(reader, "operation", worker.operation);
  worker.operations = operations_from_json(reader, worker.operation);
  worker.build = build_from_json(reader.object("build"), origin, reader.place_of("build"));
  reader.finish();
  return worker;
}

json to_json(KernelEntry const& kernel) {
  json object = {{"id", kernel.id}, {"summary", kernel.summary}, {"file", kernel.file}, {"line", kernel.line}};
  put_nonempty(object, "arch", kernel.arch);
  put_nonempty(object, "library", kernel.library);
  put_nonempty(object, "executes", kernel.executes);
  if (kernel.work_share > 0) {
    object["work_share"] = measurement(kernel.work_share);
  }
  put_nonempty(object, "reason", kernel.reason);
  if (kernel.unavailable) {
    object["unavailable"] = to_text(*kernel.unavailable);
  }
  return object;
}

KernelEntry kernel_from_json(json const& source, std::string_view origin, std::string_view place) {
  ObjectReader reader(source, origin, place);
  KernelEntry kernel;
  kernel.id = reader.nonempty_text("id");
  kernel.summary = reader.text_or("summary", "");
  kernel.file = reader.text_or("file", "");
  kernel.line = reader.has("line") ? reader.small_integer("line") : 0;
  kernel.arch = reader.text_or("arch", "");
  kernel.library = reader.text_or("library", "");
  if (reader.has("executes")) {
    kernel.executes = reader.nonempty_text("executes");
  }
  if (reader.has("work_share")) {
    kernel.work_share = reader.positive("work_share");
  }
  if (reader.has("unavailable")) {
    kernel.unavailable = skip_reason_from_text(reader.choice("unavailable", skip_reason_texts()));
  }
  kernel.reason = reader.text_or("reason", "");
  if (kernel.unavailable.has_value() == kernel.reason.empty()) {
    reader.fail("reason", "must be given exactly when \"unavailable\" is; say why the kernel cannot run, or drop both");
  }
  reader.finish();
  return kernel;
}

}  // namespace perfcheck::model

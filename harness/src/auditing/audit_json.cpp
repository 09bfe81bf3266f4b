// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/auditing/audit.h"
#include "perfcheck/model/json.h"
#include "perfcheck/model/json_members.h"

#include <nlohmann/json.hpp>

namespace perfcheck::auditing {

using nlohmann::json;

std::string audit_json(Audit const& audit) {
  json object = {{"schema", "perfcheck.audit/1"},
                 {"exit_code", static_cast<int>(audit.exit_code())},
                 {"judge", audit.judge},
                 {"worker", model::to_json(audit.run.worker)},
                 {"device", model::to_json(audit.run.sessions.front().device)},
                 {"cases", json::array()}};
  for (AuditedCase const& audited : audit.cases) {
    json entry = {{"finding", to_text(audited.finding())}, {"ordinary", model::to_json(audited.ordinary)}};
    model::put_nonempty(entry, "objection", audited.objection);
    if (audited.sealed) {
      entry["sealed"] = json::parse(model::to_json_line(*audited.sealed));
    }
    object["cases"].push_back(std::move(entry));
  }
  return model::document_text(object);
}

}  // namespace perfcheck::auditing

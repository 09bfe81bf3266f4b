// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/protocol/sealed_messages.h"

#include "perfcheck/model/json.h"
#include "perfcheck/protocol/messages.h"

#include <gmock/gmock.h>

#include <fstream>
#include <string>

namespace perfcheck::protocol {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

template <class Request>
Request through(Request const& request) {
  return std::get<Request>(decode_sealed_request(encode(SealedRequest(request)), "judge"));
}

TEST(SealedMessages, ComeOutAsTheyWentIn) {
  EXPECT_EQ(through(SealedHello{.device = 3}).device, 3);
  auto const open =
      through(OpenRequest{.kernel = "a/b", .problem = "p,q", .handle = "00ff", .bytes = 1LL << 40, .meeting = "/m"});
  EXPECT_EQ(open.kernel, "a/b");
  EXPECT_EQ(open.problem, "p,q");
  EXPECT_EQ(open.handle, "00ff");
  EXPECT_EQ(open.bytes, 1LL << 40);
  EXPECT_EQ(open.meeting, "/m");
  for (auto const part : {BatchPart::launches, BatchPart::one_stand_in, BatchPart::two_stand_ins}) {
    auto const record =
        through(RecordRequest{.launches = 4096, .part = part, .cold = part != BatchPart::two_stand_ins});
    EXPECT_EQ(record.launches, 4096);
    EXPECT_EQ(record.part, part);
    EXPECT_EQ(record.cold, part != BatchPart::two_stand_ins);
  }
  (void)through(GoRequest{});
}

TEST(SealedMessages, AnswersSayWhatWentWrongAndWhoseFaultItIs) {
  EXPECT_EQ(decode_sealed_answer(encode(SealedAnswer{}), "worker").error, "");
  auto const refused = decode_sealed_answer(encode(SealedAnswer{.error = "needs\nm even", .refused = true}), "worker");
  EXPECT_EQ(refused.error, "needs\nm even");
  EXPECT_TRUE(refused.refused);
  EXPECT_EQ(encode(SealedAnswer{.error = "a\nb", .refused = false}).find('\n'), std::string::npos);
}

TEST(SealedMessages, AnotherVersionIsRefusedWithBothNamed) {
  EXPECT_THAT([] { (void)decode_sealed_request(R"({"type":"hello","version":9,"device":0})", "judge"); },
              ThrowsMessage<VersionError>(
                  AllOf(HasSubstr("version 9"), HasSubstr("version " + std::to_string(kSealedVersion)))));
}

TEST(SealedMessages, AreAsTheirPageShowsThem) {
  std::ifstream page(std::string(PERFCHECK_DOCS_DIR) + "/sealed.md");
  int shown = 0;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind(R"(    {"type":)", 0) != 0) continue;
    ++shown;
    EXPECT_NO_THROW((void)decode_sealed_request(line, "page")) << line;
  }
  EXPECT_EQ(shown, 4) << "the page must show one example of each request";
}

TEST(SealedMessages, RubbishIsNamed) {
  for (char const* line : {"", "{}", "[]", R"({"type":"stop"})", R"({"type":"go","secret":"00ff"})",
                           R"({"type":"open","kernel":"a/b","problem":"p","handle":"00ff","bytes":1})",
                           R"({"type":"record","launches":0,"part":"one_stand_in","cold":true})",
                           R"({"type":"record","launches":1,"part":"all","cold":true})",
                           R"({"type":"record","launches":1,"part":"one_stand_in","cold":true,"more":2})"}) {
    EXPECT_THROW((void)decode_sealed_request(line, "judge"), model::FormatError) << line;
  }
  for (char const* line :
       {"ok", R"({"type":"error"})", R"({"type":"error","message":"","refused":false})", R"({"type":"ok","time":1})"}) {
    EXPECT_THROW((void)decode_sealed_answer(line, "worker"), model::FormatError) << line;
  }
}

}  // namespace
}  // namespace perfcheck::protocol

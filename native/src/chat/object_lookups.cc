#include "chat/object_lookups.h"

#include <vector>

#include "base/coded_error.h"

namespace {

// The position of the closing quote of the string that begins at `at`, or the end of the text.
size_t end_of_string(std::string_view json, size_t at) {
  for (++at; at < json.size() && json[at] != '"'; ++at) {
    if (json[at] == '\\') ++at;
  }
  return at;
}

}  // namespace

void ObjectLookups::spend(std::string_view json) {
  // Members so far of each open object; 0 for an array.
  std::vector<uint64_t> members;
  for (size_t at = 0; at < json.size(); ++at) {
    switch (json[at]) {
      case '"': at = end_of_string(json, at); break;
      case '{':
      case '[': members.push_back(0); break;
      case '}':
      case ']':
        if (!members.empty()) members.pop_back();
        break;
      case ':':
        if (members.empty()) break;
        spent_ += members.back()++;
        if (spent_ > kMax)
          throw CodedError("ERR_CHAT_TOO_COMPLEX", "the objects of this request have too many members");
        break;
      default: break;
    }
  }
}

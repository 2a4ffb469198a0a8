/// In the module for web pages, diagnostics have no data of other modules.
struct Attachment: Sendable, Hashable {
  func write(to object: inout JSONObject) {}
}

internal import ParticlesCore

extension Report {
  /// The report as JSON, with the files in searched folders that are not documents, and those that ignore files
  /// left out.
  func json(unknown: [String], ignored: [String]) -> JSONValue {
    guard var object = json.object else { return json }
    object["unknown"] = .array(unknown.map(JSONValue.string))
    if !ignored.isEmpty { object["ignored"] = .array(ignored.map(JSONValue.string)) }
    return .object(object)
  }
}

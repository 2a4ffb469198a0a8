internal import ParticlesCore

extension Report {
  /// The report as JSON, with the files in searched folders that are not documents.
  func json(unknown: [String]) -> JSONValue {
    guard var object = json.object else { return json }
    object["unknown"] = .array(unknown.map(JSONValue.string))
    return .object(object)
  }
}

extension Invocation {
  /// Reports that there are no documents in the folders, which is a negative result.
  func noDocuments() -> ExitStatus {
    console.complain(
      "no documents found",
      hint: "'particles formats' lists the formats; --verbose names the other files")
    return .answerNo
  }
}

internal import ParticlesCore
internal import ParticlesTypes

extension Command {
  /// Writes a declaration.
  static let typesDeclare = Command(
    name: "declare", group: .formats, summary: "Write a types.json that declares a type.",
    discussion: """
      The application exports the type and claims it as Owner. The result is checked; if there are errors, \
      nothing is written.
      """,
    arguments: [Argument(.text("identifier"), "The identifier, such as com.example.drawing.")],
    options: [
      .application, .fileExtension, .mimeType, .supertype, .title, .output, .force,
    ],
    examples: [
      Example(
        "particles types declare com.example.drawing --extension drawing -o types.json",
        "Declare a type of documents.")
    ],
    run: { invocation in
      let identifier = try invocation.argument("identifier")
      let parts = identifier.split(separator: ".")
      let owner =
        invocation.value(.application)
        ?? (parts.count > 1 ? parts.dropLast().joined(separator: ".") : identifier)
      let source = DeclarationSource(.document, owner: owner)
      let supertypes = invocation.values(.supertype)
      let declaration = TypeDeclaration(
        identifier, source: source,
        conformingTo: supertypes.isEmpty ? ["public.data", "public.content"] : supertypes,
        tags: [
          .filenameExtension: invocation.values(.fileExtension),
          .mimeType: invocation.values(.mimeType),
        ], title: invocation.value(.title))
      let claim = HandlerClaim(
        by: Handler(owner), to: [identifier], name: invocation.value(.title) ?? identifier,
        rank: .owner, source: source)
      let file = TypesFile(
        handler: Handler(owner), source: source, declarations: [declaration], claims: [claim])
      let findings = TypeLinter(file).findings()
      invocation.report(findings)
      guard !findings.contains(where: { $0.severity == .error }) else { return .answerNo }
      try invocation.write(file.json.text)
      return .done
    })
}

extension Option {
  fileprivate static let application = Option(
    "application", value: .text("bundle"), default: "the identifier without its last part",
    "The identifier of the application.")
  fileprivate static let fileExtension = Option(
    "extension", short: "e", value: .text("extension"), repeatable: true,
    "An extension, the preferred one first.")
  fileprivate static let mimeType = Option(
    "mime", value: .text("type"), repeatable: true, "A MIME type, the preferred one first.")
  fileprivate static let supertype = Option(
    "conforms-to", value: .text("type"), default: "public.data and public.content",
    repeatable: true, "A supertype.")
  fileprivate static let title = Option(
    "title", value: .text("text"), "The name of the type for users.")
}

extension Invocation {
  /// Writes text to the path of `--output`, or to standard output.
  func write(_ text: String) throws {
    guard let path = value(.output), path != Self.standardStream else {
      return try console.write(text)
    }
    try SafeSave.file(path, replacing: flag(.force)) { try $0.write(Array(text.utf8)) }
  }
}

internal import ParticlesCore
internal import ParticlesTypes

extension Command {
  /// Writes a declaration.
  static let typesDeclare = Command(
    name: "declare", group: .formats, summary: "Write a types.json that declares a type.",
    discussion: """
      The application exports the type and claims it as Owner and Editor, unless --rank and --role \
      change that. The result is checked; if there are errors, nothing is written. types export writes \
      the Info.plist or the files of a desktop from it.
      """,
    arguments: [Argument(.text("identifier"), "The identifier, such as com.example.drawing.")],
    options: [
      .application, .fileExtension, .mimeType, .supertype, .package, .title, .role, .rank, .icon,
      .template, .output, .force, .json,
    ],
    examples: [
      Example(
        "particles types declare com.example.drawing --extension drawing -o types.json",
        "Declare a type of documents."),
      Example(
        "particles types declare com.example.book -e book --package --title Book",
        "Declare a type of packages."),
    ],
    run: { invocation in
      if invocation.isWritingToStandardOutput { try invocation.checkStandardOutput() }
      let file = try declaredFile(invocation)
      let folder = invocation.value(.output).map(Files.folder(of:)) ?? "."
      let findings = TypeLinter(file).findings { template in
        try? Files.status(Files.joined(folder, template))?.size
      }
      invocation.note(findings)
      let identifier = try invocation.argument("identifier")
      guard !findings.contains(where: { $0.severity == .error }) else {
        if invocation.flag(.json) { try invocation.print(["identifier": .string(identifier)]) }
        return .answerNo
      }
      try invocation.write(file.json.text, ["identifier": .string(identifier)])
      return .done
    })

  private static func declaredFile(_ invocation: Invocation) throws -> TypesFile {
    let identifier = try invocation.argument("identifier")
    let parts = identifier.split(separator: ".")
    let owner =
      invocation.value(.application)
      ?? (parts.count > 1 ? parts.dropLast().joined(separator: ".") : identifier)
    let source = DeclarationSource(.document, owner: owner)
    let supertypes = invocation.values(.supertype)
    let form = invocation.flag(.package) ? "com.apple.package" : "public.data"
    var declaration = TypeDeclaration(
      identifier, source: source,
      conformingTo: supertypes.isEmpty ? [form, "public.content"] : supertypes,
      tags: [
        .filenameExtension: invocation.values(.fileExtension),
        .mimeType: invocation.values(.mimeType),
      ], title: invocation.value(.title))
    if invocation.flag(.package), !declaration.supertypes.contains(form) {
      declaration.supertypes.insert(form, at: 0)
    }
    declaration.iconName = invocation.value(.icon)
    declaration.templatePath = invocation.value(.template)
    let claim = HandlerClaim(
      by: Handler(owner), to: [identifier], name: invocation.value(.title) ?? identifier,
      role: invocation.value(.role).flatMap(HandlerRole.init(named:)) ?? .editor,
      rank: invocation.value(.rank).flatMap(HandlerRank.init(named:)) ?? .owner, source: source)
    return TypesFile(
      handler: Handler(owner), source: source, declarations: [declaration], claims: [claim])
  }
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
  fileprivate static let package = Option(
    "package", "Declare a type of packages: directories that users see as one file.")
  fileprivate static let title = Option(
    "title", value: .text("text"), "The name of the type for users.")
  fileprivate static let role = Option(
    "role", value: .choice("role", HandlerRole.allCases.map(\.rawValue)), default: "Editor",
    "The role of the application for such files.")
  fileprivate static let rank = Option(
    "rank", value: .choice("rank", HandlerRank.allCases.map(\.rawValue)), default: "Owner",
    "The rank of the application for such files.")
  fileprivate static let icon = Option(
    "icon", value: .text("name"), "The name of the icon of such files.")
  fileprivate static let template = Option(
    "template", value: .file("file"), "A template for new documents, relative to the output.")
}

extension Invocation {
  /// Whether there is no `--output`, or it is standard output.
  var isWritingToStandardOutput: Bool { value(.output).map { $0 == Self.standardStream } ?? true }

  /// Writes text to the path of `--output`, or to standard output.
  /// - Parameter members: with `--json`, printed with the path and the size of the file.
  func write(_ text: String, _ members: JSONObject) throws {
    guard let path = value(.output), path != Self.standardStream else {
      return try console.write(text)
    }
    try SafeSave.file(path, replacing: flag(.force)) { try $0.write(Array(text.utf8)) }
    guard flag(.json) else { return }
    var result = members
    (result["path"], result["size"]) = (.string(path), .int(text.utf8.count))
    try print(.object(result))
  }
}

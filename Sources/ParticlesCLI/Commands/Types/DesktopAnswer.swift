internal import ParticlesCore
internal import ParticlesDesktop
internal import ParticlesTypes

/// The type of a file and the programs that open it on the desktop of this machine.
struct DesktopAnswer {
  let mimeType: String
  /// The rule that decided the type, as a phrase.
  let reason: String
  let defaultProgram: DesktopProgram?
  /// The programs that open such files, those of the declared supertypes last.
  let programs: [DesktopProgram]

  private init(_ recognition: SharedMIMEDatabase.Recognition, _ desktop: Desktop) {
    self.init(recognition.type, reason: recognition.basis.reason, desktop)
  }

  private init(_ mimeType: String, reason: String, _ desktop: Desktop) {
    self.mimeType = mimeType
    self.reason = reason
    defaultProgram = desktop.defaultProgram(for: mimeType)
    programs = desktop.programs(for: mimeType, includingSupertypes: true)
  }

  /// Answers for an item on disk.
  init(_ path: String, _ status: FileStatus, _ desktop: Desktop) throws {
    let recognition = try desktop.mimeTypes.recognise(Files.lastComponent(of: path), status) {
      try Self.head(of: path)
    }
    self.init(recognition, desktop)
  }

  /// Answers for a name.
  init(fileName: String, _ desktop: Desktop) {
    self.init(desktop.mimeTypes.recognise(fileName: fileName), desktop)
  }

  /// Answers for a type; nil if it has no MIME type.
  init?(_ type: UniformType, _ desktop: Desktop) {
    guard let name = type.sharedMIMEType else { return nil }
    self.init(desktop.mimeTypes.canonical(name), reason: "the MIME type of the identifier", desktop)
  }

  /// The type of a registry with the MIME type, one that the name fits if there are several; nil if
  /// there is none.
  func type(in registry: TypeRegistry, name: String, kind: ItemKind?) -> UniformType? {
    if mimeType == "inode/directory" { return UniformType("public.folder", in: registry) }
    let types = registry.select(tag: mimeType, tagClass: .mimeType, kind: kind).candidates
      .map(\.type)
    let named = registry.select(fileName: name, kind: kind).candidates.map(\.type)
    return types.first(where: named.contains) ?? types.first
  }

  /// The number of bytes that decide the type of a file.
  static let headSize = SharedMIMEDatabase.headSize

  /// Reads the first bytes of a file.
  static func head(of path: String) throws -> [UInt8] {
    let file = try OpenFile(readingAtOnce: path)
    var bytes: [UInt8] = []
    // A pipe may have taken the place of the file.
    guard try file.status().kind == .file else { return [] }
    while bytes.count < SharedMIMEDatabase.headSize {
      let piece = try file.readPiece(SharedMIMEDatabase.headSize - bytes.count)
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }

  // MARK: Output

  func print(_ console: Console) throws {
    try console.print("on this machine: \(mimeType), by \(reason)")
    try console.print(
      defaultProgram.map { "opened by \($0.identifier)" } ?? "no program opens it")
    var table = Table(.left, .left, .left)
    for (index, program) in programs.enumerated() {
      table.add("  \(index + 1).", program.identifier, program.name)
    }
    try console.write(table.text)
  }

  var json: JSONValue {
    var object: JSONObject = ["mimeType": .string(mimeType), "reason": .string(reason)]
    object["default"] = defaultProgram.map { .string($0.identifier) }
    object["programs"] = .array(programs.map { .string($0.identifier) })
    return .object(object)
  }
}

extension SharedMIMEDatabase.Recognition.Basis {
  fileprivate var reason: String {
    switch self {
    case .kind: "the kind of the item"
    case .empty: "the size: empty files are text"
    case .pattern(let pattern): "the pattern \(pattern)"
    case .patternAndContents(let pattern): "the pattern \(pattern) and the contents"
    case .contents: "the contents"
    case .text: "the contents, which are text"
    case .none: "default: no pattern matches"
    }
  }
}

extension FileStatus {
  /// The kind of item for the rules of types; nil for special files.
  var itemKind: ItemKind? {
    switch kind {
    case .file: .file
    case .directory: .directory
    case .symbolicLink, .other: nil
    }
  }

  /// The name of the kind.
  var kindName: String {
    switch kind {
    case .file: "file"
    case .directory: "directory"
    case .symbolicLink: "broken symbolic link"
    case .other: special?.rawValue ?? "special file"
    }
  }
}

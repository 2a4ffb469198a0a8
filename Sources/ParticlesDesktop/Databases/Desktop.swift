package import ParticlesCore
internal import ParticlesSystem
package import ParticlesTypes

/// The types and programs of a machine: its shared MIME database, its desktop entries, and the
/// default applications.
package struct Desktop: Sendable {
  package let mimeTypes: SharedMIMEDatabase

  package let programs: [DesktopProgram]

  private let associations: DesktopAssociations

  /// Reads the databases of an environment.
  /// - Parameters:
  ///   - environment: the variables. Used are `XDG_CURRENT_DESKTOP`, `HOME`, `PATH` and the variables of the XDG Base
  ///     Directory Specification.
  ///   - limits: limits for reading each file.
  /// - Throws: an error if a file cannot be read. A missing file or folder is not an error.
  package init(environment: [String: String], limits: Limits = .standard) throws {
    let directories = BaseDirectories(environment: environment)
    let desktops = (environment["XDG_CURRENT_DESKTOP"] ?? "").split(separator: ":")
    mimeTypes = try SharedMIMEDatabase(folders: directories.data, limits: limits)
    let entries = try DesktopProgram.all(in: directories.data, limits)
    programs = DesktopProgram.effective(entries)
    associations = try DesktopAssociations(
      directories, desktops: desktops.map(String.init), programs: entries, mimeTypes: mimeTypes,
      searchPath: (environment["PATH"] ?? "").split(separator: ":").map(String.init),
      limits: limits)
  }

  // MARK: Programs of a type

  /// Returns the programs that open files of a MIME type, in the order of preference.
  /// - Parameter includingSupertypes: whether to add the programs of the declared supertypes.
  package func programs(
    for type: String, includingSupertypes: Bool = false
  ) -> [DesktopProgram] {
    associations.programs(for: type, includingSupertypes: includingSupertypes)
  }

  /// Returns the default program of a MIME type: the first chosen program that is installed. Otherwise, the first that
  /// opens such files, or the default program of the nearest declared supertype.
  package func defaultProgram(for type: String) -> DesktopProgram? {
    associations.defaultProgram(for: type)
  }
}

// MARK: - As declarations and claims

extension Desktop {
  /// Returns declarations of the MIME types that no type of a registry has. Their identifiers are dynamic.
  ///
  /// Types that the registry declares are left out, since their conformance in the registry is more
  /// detailed.
  package func declarations(beside registry: TypeRegistry = .standard) -> [TypeDeclaration] {
    var extensions: [String: [String]] = [:]
    for glob in mimeTypes.globs {
      if let name = glob.glob.fileExtension { extensions[glob.type, default: []].append(name) }
    }
    var contents: [String: [ContentPattern]] = [:]
    for (type, pattern) in mimeTypes.patterns { contents[type, default: []].append(pattern) }
    return Set(extensions.keys).union(contents.keys).sorted().compactMap { type in
      guard registry.select(tag: type, tagClass: .mimeType).candidates.isEmpty,
        let identifier = Self.identifier(of: type, in: registry)
      else { return nil }
      let supertypes = mimeTypes.parents(of: type).compactMap {
        $0 == SharedMIMEDatabase.unknown ? "public.data" : Self.identifier(of: $0, in: registry)
      }
      let names = extensions[type] ?? []
      return TypeDeclaration(
        identifier, .imported, source: DeclarationSource(.desktop, owner: "shared-mime-info"),
        conformingTo: supertypes,
        tags: [
          .mimeType: [type], .filenameExtension: names.filter { !$0.contains(".") },
          .compoundExtension: names.filter { $0.contains(".") },
        ], patterns: contents[type] ?? [])
    }
  }

  package func claims(in registry: TypeRegistry = .standard) -> [HandlerClaim] {
    programs.filter { $0.takesFiles && !$0.mimeTypes.isEmpty }.map { entry in
      HandlerClaim(
        by: Handler(entry.identifier, name: entry.name),
        to: entry.mimeTypes.compactMap { Self.identifier(of: $0, in: registry) },
        source: DeclarationSource(.desktop, owner: entry.identifier, path: entry.path))
    }
  }

  /// Returns the default applications: for each type, the first chosen program that is installed.
  package func choices(in registry: TypeRegistry = .standard) -> [HandlerChoice] {
    associations.choices.compactMap { type, programs in
      guard let program = programs.first, let identifier = Self.identifier(of: type, in: registry)
      else { return nil }
      return HandlerChoice(.type(identifier), handler: program.identifier)
    }
  }

  private static func identifier(of type: String, in registry: TypeRegistry) -> String? {
    registry.select(tag: type, tagClass: .mimeType).type?.identifier
  }
}

/// A desktop entry of a program (Desktop Entry Specification 1.5).
package struct DesktopProgram: Sendable, Hashable {
  /// The identifier: the path below `applications` with hyphens instead of slashes, such as
  /// `org.gimp.desktop`.
  package let identifier: String

  package let path: String

  /// The name for users.
  package let name: String

  /// The command line. Empty if there is none.
  package let exec: String

  /// The program that must be installed, or nil.
  package let tryExec: String?

  /// The folder that the program is started in, or nil.
  private let folder: String?

  /// The MIME types of the files that it opens.
  package let mimeTypes: [String]

  /// Whether the entry marks the program as deleted.
  package let isHidden: Bool

  /// Whether the entry describes an application.
  private let isApplication: Bool

  static let group = "Desktop Entry"

  init?(_ file: KeyFile, identifier: String, path: String) {
    guard file.groups.contains(Self.group) else { return nil }
    self.identifier = identifier
    self.path = path
    name = file["Name", in: Self.group] ?? identifier
    exec = (file["Exec", in: Self.group] ?? "").outOfKeyFile
    tryExec = file["TryExec", in: Self.group]?.outOfKeyFile
    folder = file["Path", in: Self.group]?.outOfKeyFile
    mimeTypes = file.list("MimeType", in: Self.group).map(\.caseFolded)
    isHidden = file["Hidden", in: Self.group] == "true"
    isApplication =
      file["Type", in: Self.group] == "Application" && file.groups.first == Self.group
  }

  /// Whether the command line has a field for the file to open.
  package var takesFiles: Bool {
    ["%f", "%F", "%u", "%U"].contains { exec.contains($0) }
  }

  /// Whether it is an application whose programs are installed. An entry without a command line is
  /// started over D-Bus.
  func canStart(searchPath: [String]) -> Bool {
    guard isApplication else { return false }
    if let tryExec, !tryExec.isEmpty, !isExecutable(tryExec, searchPath) { return false }
    if exec.isEmpty { return true }
    guard let word = ExecLine(exec)?.words.first else { return false }
    return isExecutable(word, searchPath)
  }

  private func isExecutable(_ program: String, _ searchPath: [String]) -> Bool {
    let places =
      program.contains("/")
      ? [program.hasPrefix("/") ? program : Files.joined(folder ?? "", program)]
      : searchPath.map { Files.joined($0, program) }
    return places.contains {
      let status = try? Files.status($0)
      return status?.kind == .file && status?.isExecutable == true
    }
  }
}

extension DesktopProgram {
  /// Returns the entries in the folder `applications` of each data folder.
  static func all(in folders: [String], _ limits: Limits) throws -> [[DesktopProgram]] {
    try folders.map { folder in
      var entries: [DesktopProgram] = []
      try collect(Files.joined(folder, "applications"), prefix: "", depth: 0, limits, &entries)
      return entries
    }
  }

  /// Of several entries with one identifier, returns the entry in the folder with the highest precedence. Entries that
  /// mark a program as deleted are left out.
  static func effective(_ folders: [[DesktopProgram]]) -> [DesktopProgram] {
    var seen: Set<String> = []
    return folders.joined().filter { seen.insert($0.identifier).inserted }.filter { !$0.isHidden }
  }

  /// The maximum depth of nested folders.
  private static let levels = 8

  private static func collect(
    _ folder: String, prefix: String, depth: Int, _ limits: Limits,
    _ entries: inout [DesktopProgram]
  ) throws {
    guard depth < levels, try Files.status(folder)?.kind == .directory else { return }
    // Identifiers are text, so names that are not UTF-8 are skipped.
    for name in try Files.list(folder, passingOver: { _ in }) {
      let path = Files.joined(folder, name)
      switch try Files.status(path)?.kind {
      case .directory:
        try collect(path, prefix: "\(prefix)\(name)-", depth: depth + 1, limits, &entries)
      case .file where Files.pathExtension(of: name) == "desktop":
        let text = String(decoding: try Files.read(path, limits: limits), as: UTF8.self)
        if let entry = DesktopProgram(KeyFile(text), identifier: prefix + name, path: path) {
          entries.append(entry)
        }
      default: break
      }
    }
  }
}

extension String {
  /// The text of the value of a key, without escapes.
  fileprivate var outOfKeyFile: String {
    var text = ""
    var rest = self[...]
    while let character = rest.popFirst() {
      guard character == "\\", let escaped = rest.popFirst() else {
        text.append(character)
        continue
      }
      switch escaped {
      case "s": text.append(" ")
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "r": text.append("\r")
      case "\\": text.append("\\")
      default: text += "\\\(escaped)"
      }
    }
    return text
  }
}

/// A command line of a desktop entry or a thumbnailer entry, in words (Desktop Entry Specification 1.5,
/// "The Exec key").
package struct ExecLine: Sendable, Hashable {
  /// The command line.
  package let text: String

  /// The words without their quotes.
  package let words: [String]

  /// The letters behind the percent signs, in order. A space for a sign at the end.
  package var fieldCodes: [Character] {
    var codes: [Character] = []
    var rest = text[...]
    while let character = rest.popFirst() {
      if character == "%" { codes.append(rest.popFirst() ?? " ") }
    }
    return codes
  }

  /// Splits a command line. Returns nil if a quote is not closed, or if there is no word.
  ///
  /// - Parameter checkingReserved: whether a reserved character outside of quotes is an error, as for
  ///   `desktop-file-validate`. GLib accepts it.
  ///
  /// Words may be in double quotes with backslashes, as the specification requires, or in single
  /// quotes, which GLib accepts as well.
  package init?(_ text: String, checkingReserved: Bool = false) {
    self.text = text
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = text[...]
    while let character = rest.popFirst() {
      switch (quote, character) {
      case (let open?, _) where character == open: quote = nil
      case ("\""?, "\\"):
        guard let escaped = rest.popFirst() else { return nil }
        let isEscape = ["\"", "\\", "$", "`"].contains(escaped)
        word = (word ?? "") + (isEscape ? "" : "\\") + String(escaped)
      case (_?, _): word = (word ?? "") + String(character)
      case (nil, "\""), (nil, "'"):
        quote = character
        word = word ?? ""
      case (nil, "\\"):
        guard let escaped = rest.popFirst() else { return nil }
        word = (word ?? "") + String(escaped)
      case (nil, _) where character.isWhitespace:
        if let word { words.append(word) }
        word = nil
      case (nil, _) where checkingReserved && Self.reserved.contains(character): return nil
      default: word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { return nil }
    if let word { words.append(word) }
    guard !words.isEmpty else { return nil }
    self.words = words
  }

  /// Characters that the specification allows in quotes only.
  private static let reserved: Set<Character> = [
    ">", "<", "~", "|", "&", ";", "$", "*", "?", "#", "(", ")", "`",
  ]
}

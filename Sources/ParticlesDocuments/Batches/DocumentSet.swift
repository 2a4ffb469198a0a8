internal import ParticlesContainer
public import ParticlesCore
public import ParticlesFormats

/// The documents that a command processes: files that the user names, files that match patterns, and documents
/// found in folders.
///
/// In a folder and its subfolders, these are documents:
/// - a folder that contains a `document.json`, and every file or folder with the extension
///   `.particles`;
/// - a file with the extension of an effect format, so that damaged files are
///   reported; files with a `SharedExtension` only if their contents are those of an effect;
/// - any other file that begins like a flat package or that an effect format recognises.
///
/// The contents of a package are not searched. Hidden files and folders, and those that ignore files name,
/// are left out, and symbolic links are not followed. Other files, archives among them, are ``unknown``.
public struct DocumentSet: Sendable {
  /// A document to process.
  public struct Document: Sendable, Hashable {
    /// The path of the document.
    public var path: String

    /// The folder that contains the document, relative to the folder that was searched; empty for
    /// documents directly in that folder, and for named ones.
    public var subfolder: String

    /// Whether the document was found in a folder or by a pattern rather than named.
    public var isFound: Bool

    /// Whether it must be an effect by its name or by a signature. If not, only its contents make it look like
    /// one.
    package var isCertain = true

    /// Whether an error that opening it throws shows that the file is no document.
    package func isUnknown(because fault: Diagnostic) -> Bool {
      isFound && (fault.isOfOtherKind || !isCertain && fault.rule.family != "file")
    }
  }

  /// The documents, in the order of the paths given; those in a folder in the order of their names.
  public private(set) var documents: [Document] = []

  /// The files in searched folders that are not documents.
  public private(set) var unknown: [String] = []

  /// The files and folders that ignore files left out.
  public private(set) var ignored: [String] = []

  /// The number of files that the filter left out.
  public private(set) var excluded = 0

  /// The folders that were searched.
  public private(set) var folders: [String] = []

  /// The folders for results that were not searched, because earlier results may be in them.
  public private(set) var passedOver: [String] = []

  /// Errors of paths that lead to no file: patterns that match nothing.
  public private(set) var failures: [Diagnostic] = []

  /// Whether folders or patterns were searched, so that it can leave out files.
  package private(set) var isSearch = false

  /// Warnings about ignore files that cannot be read.
  public private(set) var problems: [Diagnostic] = []

  private let formats: [ParticleFormat]
  private let extensions: Set<String>
  private let patterns: Patterns
  private let readsIgnoreFiles: Bool
  private let isRecursive: Bool
  private let known: Known?
  private var archives = UnpackedArchives()
  /// The absolute path of the folder for results.
  private let results: String?
  /// The paths that were found, for patterns and folders that overlap.
  private var seen: Set<PathKey> = []
  /// The documents that the present search has found, in its order, and whether each must be looked into.
  private var found: [(document: Document, isFile: Bool)] = []

  /// Finds the documents.
  ///
  /// A path that does not exist and has one of the characters `*?[{` is a pattern: its files and packages are
  /// found as in a folder, and with `isRecursive`, documents in folders that match, too.
  ///
  /// A folder that cannot be listed, or that contains a name that is not UTF-8, is in ``documents``
  /// as well: opening it throws the reason.
  /// - Parameters:
  ///   - paths: files, packages, patterns, and folders to search.
  ///   - isRecursive: whether folders that are not packages are searched; if not, they are
  ///     documents.
  ///   - filter: the files to leave out.
  ///   - formats: the formats that documents may be of.
  public init(
    _ paths: [String], isRecursive: Bool, filter: Filter = Filter(),
    among formats: FormatRegistry = .standard
  ) {
    self.init(paths, isRecursive: isRecursive, filter: filter, among: formats, known: nil)
  }

  /// Whether a file that was found before, and that has not changed, is a document; nil for any other. It is not
  /// read then.
  package typealias Known = @Sendable (_ path: String) -> Bool?

  /// The same, without reading files that are known.
  package init(
    _ paths: [String], isRecursive: Bool, filter: Filter,
    among formats: FormatRegistry = .standard, known: Known?
  ) {
    self.known = known
    self.formats = formats.formats.filter { !$0.isArchive && $0.canRead }
    extensions = Set(["particles"] + formats.formats.filter { !$0.isArchive }.flatMap(\.extensions))
    patterns = Patterns(filter)
    readsIgnoreFiles = filter.readsIgnoreFiles
    results = filter.results.flatMap { try? Files.resolve($0) }
    self.isRecursive = isRecursive
    for path in isRecursive ? archives.unpacking(paths) : paths {
      if Self.isPattern(path) {
        isSearch = true
        search(matching: path)
      } else if isRecursive, (try? Self.isPlainFolder(path)) == true {
        isSearch = true
        folders.append(path)
        search(path, matching: nil)
      } else if path != ConversionPlan.stream, !patterns.isEmpty,
        patterns.excludes(file: Self.names(of: path)[...], isFolder: false)
      {
        excluded += 1
      } else {
        documents.append(Document(path: path, subfolder: "", isFound: false))
      }
    }
  }

  /// Whether a path is a folder that is not a package, in which documents can be searched.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `file`.
  package static func isPlainFolder(_ path: String) throws -> Bool {
    try Files.status(path)?.kind == .directory && !isPackage(folder: path)
  }

  /// Whether a path is a pattern: no file has this name, and it has special characters.
  package static func isPattern(_ path: String) -> Bool {
    path.unicodeScalars.contains { "*?[{".unicodeScalars.contains($0) }
      && (try? Files.status(path, followingLinks: false)) == nil
  }

  private static func isPackage(folder: String) throws -> Bool {
    if Files.pathExtension(of: folder) == "particles" { return true }
    return try Files.status(Files.joined(folder, EffectPackage.documentPath))?.kind == .file
  }

  // MARK: Search

  /// A file or folder that is being searched.
  private struct Place {
    var document: Document
    /// The names from the searched folder.
    var names: [Glob.Name]
    /// The ignore files around it; nil if there are none.
    var level: IgnoreLevel?
  }

  private mutating func search(matching pattern: String) {
    let before = (documents.count, unknown.count, ignored.count, excluded)
    for text in Braces.expand(pattern) {
      let isAbsolute = text.utf8.first == UInt8(ascii: "/")
      let parts = text.split(separator: "/").filter { $0 != "." }
      let glob = Glob(parts.joined(separator: "/"))
      // The last component names files, even if it has no special characters.
      let prefix = glob.literalPrefix.prefix(parts.count - 1)
      let folder = (isAbsolute ? "/" : "") + prefix.joined(separator: "/")
      let base = folder.isEmpty ? "." : folder
      guard (try? Files.status(base))?.kind == .directory else { continue }
      search(base, matching: glob.dropping(first: prefix.count))
    }
    let after = (documents.count, unknown.count, ignored.count, excluded)
    guard before.0 == after.0, before.1 == after.1, before.3 == after.3 else { return }
    let hint =
      after.2 > before.2
      ? "ignore files leave out what matches; include it with --no-ignore"
      : isRecursive ? nil : "search folders that match with --recursive"
    failures.append(
      Diagnostic(
        .fileNotFound, at: Location(file: pattern), "no file matches this pattern", hint: hint))
  }

  /// Searches a folder for documents.
  /// - Parameter glob: the pattern of paths in it; nil for all.
  private mutating func search(_ root: String, matching glob: Glob?) {
    let absolute = try? Files.resolve(root)
    let above = absolute.map(Self.names) ?? []
    var level: IgnoreLevel?
    if readsIgnoreFiles, let absolute {
      level = IgnoreLevel.around(absolute, problems: &problems)
    }
    // The last one is next.
    var waiting = entries(
      of: Place(
        document: Document(path: root, subfolder: "", isFound: true), names: [], level: level),
      above, "", glob)
    while let place = waiting.popLast() {
      let path = place.document.path
      let kind = (try? Files.status(path, followingLinks: false))?.kind
      let isPackage = kind == .directory && (try? Self.isPackage(folder: path)) == true
      guard kind == .file || kind == .directory else { continue }
      guard !isIgnored(place, above, isFolder: kind == .directory) else { continue }
      guard kind == .directory, !isPackage else {
        add(place, isPackage: isPackage, glob)
        continue
      }
      guard !patterns.excludes(folder: place.names[...]) else { continue }
      if let glob, !glob.mayMatch(inside: place.names),
        !isRecursive || !matches(place.names, glob)
      {
        continue
      }
      if let results, let absolute, results.utf8.count > absolute.utf8.count,
        results == Files.joined(absolute, place.names.map(Self.text).joined(separator: "/"))
      {
        passedOver.append(path)
        continue
      }
      let folder = Self.joined(place.document.subfolder, Files.lastComponent(of: path))
      waiting += entries(of: place, above, folder, glob)
    }
    recognise()
  }

  /// The files from which on several threads look into them.
  private static let many = 32

  /// Adds what was found to the documents, or to the unknown files.
  private mutating func recognise() {
    let (all, searcher) = (found, self)
    found = []
    var verdicts: [Bool?] = []
    verdicts.reserveCapacity(all.count)
    // Recognition throws nothing.
    try? Parallel.ordered(all.count, threads: all.count < Self.many ? 1 : nil, state: {}) {
      index, _ in
      all[index].isFile ? searcher.recognition(of: all[index].document.path) : true
    } emit: {
      verdicts.append($0)
    }
    for (found, verdict) in zip(all, verdicts) {
      guard let isCertain = verdict else {
        unknown.append(found.document.path)
        continue
      }
      documents.append(found.document)
      documents[documents.count - 1].isCertain = isCertain
    }
  }

  /// The entries of a folder, the first one last.
  private mutating func entries(
    of place: Place, _ above: [Glob.Name], _ subfolder: String, _ glob: Glob?
  ) -> [Place] {
    let path = place.document.path
    var isWhole = true
    let names = try? Files.list(path) { _ in isWhole = false }
    if names == nil || !isWhole { found.append((place.document, isFile: false)) }
    guard let names else { return [] }
    var level = place.level
    if readsIgnoreFiles {
      level = IgnoreLevel.of(
        path, names: names, depth: above.count + place.names.count, in: level, problems: &problems)
    }
    return names.filter { !$0.hasPrefix(".") }.sorted(by: >).map { name in
      Place(
        document: Document(
          path: path == "." && glob != nil ? name : Files.joined(path, name), subfolder: subfolder,
          isFound: true),
        names: place.names + [Glob.name(name)], level: level)
    }
  }

  private mutating func isIgnored(
    _ place: Place, _ above: [Glob.Name], isFolder: Bool
  ) -> Bool {
    guard let level = place.level,
      level.verdict(on: above + place.names, isFolder: isFolder)?.isIgnored == true
    else { return false }
    ignored.append(place.document.path)
    return true
  }

  /// Whether a path matches, or with a search, a folder that it is in.
  private func matches(_ names: [Glob.Name], _ glob: Glob) -> Bool {
    if glob.matches(names) { return true }
    return isRecursive && names.indices.dropLast().contains { glob.matches(names[...$0]) }
  }

  private mutating func add(_ place: Place, isPackage: Bool, _ glob: Glob?) {
    if let glob, !matches(place.names, glob) { return }
    guard seen.insert(PathKey(place.document.path)).inserted else { return }
    guard !patterns.excludes(file: place.names[...], isFolder: isPackage) else {
      excluded += 1
      return
    }
    found.append((place.document, isFile: !isPackage))
  }

  /// The components of a path, without those that have no effect.
  private static func names(of path: String) -> [Glob.Name] {
    path.split(separator: "/").filter { $0 != "." }.map { Glob.name(String($0)) }
  }

  private static func text(_ name: Glob.Name) -> String {
    String(String.UnicodeScalarView(name.compactMap(Unicode.Scalar.init)))
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : Files.joined(folder, name)
  }

  // MARK: Recognition

  /// Whether a file must be an effect; nil if it is no document.
  private func recognition(of path: String) -> Bool? {
    if let isDocument = known?(path) { return isDocument ? true : nil }
    let kind = Files.pathExtension(of: path)
    guard extensions.contains(kind) else {
      return switch (try? contents(of: path, among: formats)) ?? .other {
      case .package, .effect: true
      case .text: false
      case .other: nil
      }
    }
    guard let shared = SharedExtension.named(kind) else { return true }
    let candidates = shared.isCode ? formats.filter { $0.extensions.contains(kind) } : formats
    guard !candidates.isEmpty else { return nil }
    do {
      var contents = try contents(of: path, among: candidates, readingAll: shared.isCode)
      // Data that another format recognises by its words.
      if contents == .text, !shared.isCode, !shared.isBroad { contents = .other }
      guard contents == .other || shared.isBroad else { return true }
      let start = try OpenFile(readingAtOnce: path).readPiece(Self.damaged)
      return shared.showsEffect(start) ? true : contents == .other ? nil : false
    } catch {
      // Opening it reports the reason.
      return true
    }
  }

  /// The contents of a file, as far as they are recognised.
  private enum Contents {
    /// A flat package, by its signature.
    case package
    /// An effect in the syntax of its format.
    case effect
    /// A text with words of a format, which may be prose about it.
    case text
    case other
  }

  /// Whether a file is a flat package or an effect of one of the formats.
  func isRecognised(_ path: String) throws -> Bool {
    try contents(of: path, among: formats) != .other
  }

  private func contents(
    of path: String, among formats: [ParticleFormat], readingAll isWhole: Bool = false
  ) throws -> Contents {
    let file = try OpenFile(readingAtOnce: path)
    let name = Files.lastComponent(of: path)
    let head = try file.readPiece(Self.beginning)
    if Container.isFlatPackage(head) { return .package }
    let beginnings = ["{", "[", "bplist", "<?xml", "<plist", "<particleEmitterConfig"]
    let found = beginnings.contains { head.beginsWithText($0) } ? Contents.effect : .text
    if formats.contains(where: { $0.recognise(head, name) }) { return found }
    // Property lists, XML and JSON may need all of the file.
    let first = head.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
    guard head.count == Self.beginning, let first, isWhole || "<{[b".utf8.contains(first) else {
      return .other
    }
    let bytes = try head + file.readToEnd(limits: .standard)
    return formats.contains { $0.recognise(bytes, name) } ? found : .other
  }

  /// The number of bytes that tell most formats.
  private static let beginning = 4096

  /// The number of bytes in which a damaged effect is looked for.
  private static let damaged = 64 << 10
}

extension Diagnostic {
  /// Whether it reports that a file is well-formed, but not a document: a property list or JSON file
  /// with other contents, or a keyed archive of another class. A damaged file is not, and neither is one whose contents
  /// are elsewhere.
  package var isOfOtherKind: Bool {
    switch rule {
    case .lookAlike, .archiveRoot: true
    case .foreign: !LookAlike.isAbsent(found ?? "")
    default: false
    }
  }
}

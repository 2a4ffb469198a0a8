internal import ParticlesContainer
internal import ParticlesPackages
public import ParticlesCore
internal import ParticlesEffects
public import ParticlesFormats
internal import ParticlesSystem

/// The documents that a command processes: files that the user names, files that match patterns, and documents
/// found in folders.
///
/// In a folder and its subfolders, these are documents:
/// - a folder that contains a `document.json`, and every file or folder with the extension `.particles`,
/// - a file with the extension of an effect format, so that damaged files are reported, or, with a `SharedExtension`,
///   only if its contents are an effect,
/// - any other file that begins like a flat package or that an effect format recognises.
///
/// The contents of a package are not searched. Hidden files and folders, and paths that ignore files name, are left
/// out. Symbolic links are not followed. Other files, such as archives, are ``unknown``.
public struct DocumentSet: Sendable {
  /// A document to process.
  public struct Document: Sendable, Hashable {
    /// The path of the document.
    public var path: String

    /// The folder that contains the document, relative to the folder that was searched. Empty for documents directly
    /// in that folder, and for named documents.
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

  /// The documents, in the order of the paths given. Documents in a folder are sorted by name.
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

  /// The archives whose documents are found, and the temporary folders that they are unpacked into.
  package var unpacked: [(folder: String, archive: String)] { archives.unpacked }

  /// The absolute path of the folder for results.
  private let results: String?
  /// The paths that were found, for patterns and folders that overlap.
  private var seen: Set<PathKey> = []
  /// The documents that the current search has found, in its order, and whether each must be looked into.
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
  ///   - isRecursive: whether folders that are not packages are searched. If false, they are documents.
  ///   - filter: the files to leave out.
  ///   - formats: the formats that documents may be of.
  public init(
    _ paths: [String], isRecursive: Bool, filter: Filter = Filter(),
    among formats: FormatRegistry = .standard
  ) {
    self.init(paths, isRecursive: isRecursive, filter: filter, among: formats, known: nil)
  }

  /// Whether a file that was found before, and that has not changed, is a document. Nil for any other file. A known
  /// file is not read.
  package typealias Known = @Sendable (_ path: String) -> Bool?

  /// Finds the documents, without reading known files.
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
    /// The ignore files around it, or nil if there are none.
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
  /// - Parameter glob: the pattern of paths in it, or nil for all.
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
        results == Files.joined(absolute, place.names.map(Glob.text).joined(separator: "/"))
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

  /// Adds the found files to the documents, or to the unknown files.
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
    return Self.withoutNotes(names.filter { !$0.hasPrefix(".") }).sorted(by: >).map { name in
      Place(
        document: Document(
          path: path == "." && glob != nil ? name : Files.joined(path, name), subfolder: subfolder,
          isFound: true),
        names: place.names + [Glob.name(name)], level: level)
    }
  }

  /// The names without files that engines keep about the file or folder beside them: `fire.prefab.meta`,
  /// `spark.png.import`.
  private static func withoutNotes(_ names: [String]) -> [String] {
    func stem(_ name: String) -> String? {
      let kind = [".meta", ".import", ".uid"].first { name.hasSuffix($0) }
      return kind.map { String(name.dropLast($0.utf8.count)) }
    }
    guard names.contains(where: { stem($0) != nil }) else { return names }
    let all = Set(names)
    return names.filter { name in !(stem(name).map(all.contains) ?? false) }
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

  /// The components of a path, without empty components and `.`.
  private static func names(of path: String) -> [Glob.Name] {
    path.split(separator: "/").filter { $0 != "." }.map { Glob.name(String($0)) }
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : Files.joined(folder, name)
  }

  // MARK: Recognition

  /// Whether a file must be an effect, or nil if it is no document.
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
  /// Whether it reports that a file is well-formed, but not a document: a property list or JSON file with other
  /// contents, or a keyed archive of another class. A damaged file does not count, nor a file whose contents are
  /// stored elsewhere.
  package var isOfOtherKind: Bool {
    switch rule {
    case .lookAlike, .archiveRoot: true
    case .foreign: !ForeignKind.isAbsent(found ?? "")
    default: false
    }
  }
}

extension DocumentSet {
  /// The files that a set leaves out.
  ///
  /// Patterns are patterns of `.gitignore`, and `{a,b}` means several. Without a slash, a pattern matches names at
  /// any depth. With a slash, it matches paths from the searched folder.
  public struct Filter: Sendable, Hashable {
    /// If there are any, only files that match one of these patterns, or that are in a matching folder.
    public var include: [String]

    /// Files and folders to leave out, even if they are named or match ``include``.
    public var exclude: [String]

    /// Whether `.ignore`, `.gitignore` and `.git/info/exclude` leave out files and folders of a search. Default:
    /// true.
    public var readsIgnoreFiles: Bool

    /// A folder for results, not searched if it is inside a searched folder. Default: nil.
    package var results: String?

    /// Creates a filter.
    public init(include: [String] = [], exclude: [String] = [], readsIgnoreFiles: Bool = true) {
      self.include = include
      self.exclude = exclude
      self.readsIgnoreFiles = readsIgnoreFiles
    }
  }

  /// The patterns of a filter.
  struct Patterns {
    private let include: [IgnoreFile.Pattern]
    private let exclude: [IgnoreFile.Pattern]

    init(_ filter: Filter) {
      include = Self.read(filter.include)
      exclude = Self.read(filter.exclude)
    }

    private static func read(_ texts: [String]) -> [IgnoreFile.Pattern] {
      texts.flatMap(Braces.expand).compactMap { IgnoreFile.Pattern(glob: $0) }
    }

    var isEmpty: Bool { include.isEmpty && exclude.isEmpty }

    /// Whether a folder that is searched is left out.
    func excludes(folder path: ArraySlice<Glob.Name>) -> Bool {
      exclude.contains { $0.matches(path, isFolder: true) }
    }

    /// Whether a file or package is left out.
    func excludes(file path: ArraySlice<Glob.Name>, isFolder: Bool) -> Bool {
      exclude.contains { $0.matches(anyPartOf: path, isFolder: isFolder) }
        || !include.isEmpty
          && !include.contains { $0.matches(anyPartOf: path, isFolder: isFolder) }
    }
  }
}

/// `{a,b}` in patterns, as shells and ripgrep read it.
enum Braces {
  /// The greatest number of patterns that one becomes.
  private static let most = 1_000

  /// The patterns that a pattern with braces means. One whose braces have no comma or no end, or that would become
  /// more than 1,000, is returned as it is.
  static func expand(_ text: String) -> [String] {
    var done: [String] = []
    var waiting = [Array(text.unicodeScalars)]
    while let next = waiting.popLast() {
      guard let (before, choices, after) = first(in: next) else {
        done.append(String(String.UnicodeScalarView(next)))
        continue
      }
      waiting += choices.reversed().map { before + $0 + after }
      guard done.count + waiting.count <= most else { return [text] }
    }
    return done
  }

  private typealias Scalars = [Unicode.Scalar]

  /// The first braces with a comma.
  private static func first(in text: Scalars) -> (Scalars, [Scalars], Scalars)? {
    var isEscaped = false
    for start in text.indices {
      if text[start] == "{", !isEscaped, let (choices, end) = choices(in: text, after: start) {
        return (Array(text[..<start]), choices, Array(text[(end + 1)...]))
      }
      isEscaped = text[start] == "\\" && !isEscaped
    }
    return nil
  }

  private static func choices(in text: Scalars, after start: Int) -> ([Scalars], Int)? {
    var choices: [Scalars] = [[]]
    var (depth, isEscaped) = (0, false)
    for index in (start + 1)..<text.count {
      let scalar = text[index]
      switch scalar {
      case "," where depth == 0 && !isEscaped: choices.append([])
      case "}" where depth == 0 && !isEscaped: return choices.count > 1 ? (choices, index) : nil
      default:
        if !isEscaped { depth += scalar == "{" ? 1 : scalar == "}" ? -1 : 0 }
        choices[choices.count - 1].append(scalar)
      }
      isEscaped = scalar == "\\" && !isEscaped
    }
    return nil
  }
}

/// Names for results in the folders of their documents, such that no existing file has them.
///
/// `fire.pex` becomes `fire.gif`, or `fire 2.gif` if that exists, and so on. Upper and lower case are not
/// distinguished.
package struct FreeNames {
  /// The names in each folder, in lower case.
  private var taken: [String: Set<String>] = [:]

  package init() {}

  /// Claims a name beside a document.
  /// - Parameters:
  ///   - document: the path of the document.
  ///   - folder: the folder of the result. Default: the folder of the document.
  ///   - kind: the file name extension of the result.
  ///   - isFamily: whether the result can be several files, `fire.pex`, `fire-2.pex` and so on. Then all
  ///     such names are free.
  /// - Throws: a ``Diagnostic`` of the family `file` if the folder cannot be listed.
  package mutating func path(
    beside document: String, in folder: String? = nil, extension kind: String,
    isFamily: Bool = false
  ) throws -> String {
    let isElsewhere = folder != nil
    let folder = folder ?? Files.folder(of: document)
    var names =
      try taken[folder]
      ?? Set(Files.list(folder, passingOver: { _ in }).map { $0.lowercased() })
    let stem = Files.stem(of: document)
    func isTaken(_ stem: String) -> Bool {
      names.contains("\(stem).\(kind)")
        || isFamily && names.contains { Self.isMember($0, of: stem, kind) }
    }
    var (free, number) = (stem, 1)
    while isTaken(free.lowercased()) {
      number += 1
      free = "\(stem) \(number)"
    }
    let name = "\(free).\(kind)"
    names.insert(name.lowercased())
    taken[folder] = names
    return isElsewhere || document.contains("/") ? Files.joined(folder, name) : name
  }

  /// Whether a name is the stem with a hyphen and a number.
  private static func isMember(_ name: String, of stem: String, _ kind: String) -> Bool {
    guard name.hasPrefix(stem + "-"), name.hasSuffix("." + kind) else { return false }
    let number = name.dropFirst(stem.count + 1).dropLast(kind.count + 1)
    return !number.isEmpty && number.allSatisfy(\.isNumber)
  }
}

/// Archives with several documents, unpacked into temporary folders so that these can be searched. The folders end with the last
/// copy of this value.
struct UnpackedArchives: Sendable {
  private final class Folder: Sendable {
    let path: String

    /// The archive.
    let source: String

    init(_ path: String, of source: String) { (self.path, self.source) = (path, source) }

    deinit { try? Files.removeAll(path) }
  }

  private var folders: [Folder] = []

  var unpacked: [(folder: String, archive: String)] { folders.map { ($0.path, $0.source) } }

  /// Returns the paths with a folder in place of each archive that is not itself a document. An archive that cannot be read stays:
  /// opening it throws the reason.
  mutating func unpacking(_ paths: [String]) -> [String] {
    paths.map { path in
      guard Self.isArchive(path), let opened = try? OpenedFiles(path: path),
        opened.container.root[EffectPackage.documentPath] == nil
      else { return path }
      let folder = Files.temporaryName(beside: Files.joined(Files.temporaryFolder, "particles"))
      folders.append(Folder(folder, of: path))
      do {
        try opened.container.root.write(toDirectory: folder, synchronizing: false)
        return folder
      } catch { return path }
    }
  }

  /// Whether a path is a file that begins as an archive does.
  static func isArchive(_ path: String) -> Bool {
    guard (try? Files.status(path))?.kind == .file,
      let head = try? OpenFile(readingAtOnce: path).readPiece(4096)
    else { return false }
    let name = Files.lastComponent(of: path)
    return FormatRegistry.standard.formats.contains { $0.isArchive && $0.recognise(head, name) }
  }
}

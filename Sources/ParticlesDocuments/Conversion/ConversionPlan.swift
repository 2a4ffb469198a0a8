internal import ParticlesCore
public import ParticlesFormats

/// The documents to convert, and the paths of the results.
public struct ConversionPlan: Sendable {
  /// A document and the path of its result.
  public struct Item: Sendable, Hashable {
    /// The path of the document.
    public var input: String
    /// The path of the result.
    public var output: String
    /// Whether the document was found in a folder or by a pattern rather than named.
    public var isFound = false
    /// Whether it must be an effect, and not only looks like one; see ``DocumentSet/Document``.
    var isCertain = true
    /// Whether the result has a longer name, because another document has the same name.
    public var isRenamed = false
  }

  /// The path that means a stream instead of a file: the caller of ``Conversion`` reads and writes it.
  package static let stream = "-"

  /// The documents.
  public private(set) var items: [Item] = []

  /// The set that the documents are from.
  public let documents: DocumentSet

  /// The files in searched folders that are not documents.
  public var unknown: [String] { documents.unknown }

  /// Whether results go into a folder.
  public let isBatch: Bool

  /// Whether it is about one document that the caller has named, wherever its result goes.
  package var isOfOne: Bool { items.count == 1 && !items[0].isFound }

  /// Finds the documents and names the results.
  ///
  /// A result has the name of its document. If several documents would have the same result, each
  /// result is named after the document and its extension: `fire.pex` and `fire.plist` become
  /// `fire-pex.sks` and `fire-plist.sks`. If that name is taken as well, a number follows:
  /// `fire-pex-2.sks`. Upper and lower case are not distinguished.
  /// - Parameters:
  ///   - paths: the documents, at least one. A path that is given twice counts once.
  ///   - output: the path of the result if there is one document. With several, or if it ends in a
  ///     slash or is a folder without a document in it: the folder for results. The subfolders of a
  ///     searched folder are created in it. Nil for the current folder.
  ///   - isRecursive: whether a folder that is not a package means the documents in it; see
  ///     ``DocumentSet``.
  ///   - filter: the files to leave out. A folder for results inside a searched folder is not searched.
  ///   - kind: the file name extension of results; see ``ConversionTarget/pathExtension``.
  ///   - formats: the formats that documents may be of.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `file`.
  public init(
    _ paths: [String], to output: String?, isRecursive: Bool = false,
    filter: DocumentSet.Filter = DocumentSet.Filter(), extension kind: String,
    among formats: FormatRegistry = .standard
  ) throws {
    try self.init(paths, to: output, isRecursive: isRecursive, filter: filter, among: formats) {
      _ in
      kind
    }
  }

  /// The same with a file name extension for each document, such as that of its original.
  package init(
    _ paths: [String], to output: String?, isRecursive: Bool,
    filter: DocumentSet.Filter = DocumentSet.Filter(), among formats: FormatRegistry = .standard,
    extension kind: (_ path: String) -> String
  ) throws {
    isBatch = try Self.isBatch(paths, to: output, isRecursive: isRecursive)
    var filter = filter
    filter.results = isBatch ? output : nil
    documents = DocumentSet(paths, isRecursive: isRecursive, filter: filter, among: formats)
    guard isBatch else {
      items = documents.documents.map {
        Item(input: $0.path, output: output ?? Self.name(for: $0.path, kind($0.path)))
      }
      return
    }
    var seen: Set<String> = []
    for document in documents.documents where seen.insert(document.path).inserted {
      let folder = [output ?? "", document.subfolder].reduce("", Self.joined)
      items.append(
        Item(
          input: document.path,
          output: Self.joined(folder, Self.name(for: document.path, kind(document.path))),
          isFound: document.isFound, isCertain: document.isCertain))
    }
    resolveNames(documents)
  }

  /// Names results in the folders of their documents, or in one folder, so that no existing file has their names:
  /// beside `fire.sks`, `fire.pex` becomes `fire 2.sks`.
  /// - Parameters:
  ///   - set: the documents.
  ///   - folder: the folder for all results; nil, the default, for the folders of the documents.
  ///   - isFamily: whether a result can be several files.
  ///   - kind: the file name extension of the result of a document.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `file` if a folder cannot be listed.
  package init(
    beside set: DocumentSet, in folder: String? = nil, isFamily: Bool = true,
    extension kind: (_ path: String) -> String
  ) throws {
    var names = FreeNames()
    documents = set
    items = try set.documents.map {
      Item(
        input: $0.path,
        output: try names.path(
          beside: $0.path, in: folder, extension: kind($0.path), isFamily: isFamily),
        isFound: $0.isFound, isCertain: $0.isCertain)
    }
    isBatch = set.documents.count > 1 || !set.folders.isEmpty
  }

  /// Whether results go into a folder: there are several paths, a folder to search, or the output is a
  /// folder.
  package static func isBatch(
    _ paths: [String], to output: String?, isRecursive: Bool
  ) throws -> Bool {
    if paths.count > 1 || paths.contains(where: DocumentSet.isPattern) { return true }
    if isRecursive,
      paths.contains(where: {
        (try? DocumentSet.isPlainFolder($0)) == true || UnpackedArchives.isArchive($0)
      })
    {
      return true
    }
    return try isFolder(output)
  }

  /// An existing directory that is a package is a result to be replaced; any other takes results.
  private static func isFolder(_ path: String?) throws -> Bool {
    guard let path, path != Self.stream else { return false }
    guard try Files.status(path)?.kind == .directory else { return path.hasSuffix("/") }
    return try Files.status(Files.joined(path, EffectPackage.documentPath)) == nil
  }

  private static func name(for input: String, _ kind: String) -> String {
    "\(input == Self.stream ? "effect" : Files.stem(of: input)).\(kind)"
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : name.isEmpty ? folder : Files.joined(folder, name)
  }

  // MARK: Names

  /// Names the results so that no two documents have the same, not even on a file system that does not
  /// distinguish upper and lower case.
  private mutating func resolveNames(_ set: DocumentSet) {
    let groups = Dictionary(grouping: items.indices) { items[$0].output.lowercased() }
    var taken = Set(groups.keys)
    let clashes = groups.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
    for group in clashes {
      // A file that is not a document has no result.
      let documents = group.filter { !items[$0].isFound || isDocument(items[$0].input, set) }
      guard documents.count > 1 else { continue }
      taken.remove(items[group[0]].output.lowercased())
      for index in documents {
        let item = items[index]
        let (stem, kind) = (Files.stem(of: item.output), Files.pathExtension(of: item.output))
        let own = Files.pathExtension(of: item.input)
        let base = own.isEmpty ? stem : "\(stem)-\(own)"
        let folder = Files.folder(of: item.output)
        let names = [base] + (2...items.count + 1).lazy.map { "\(base)-\($0)" }
        let paths = names.lazy.map { name in
          item.output.contains("/") ? Files.joined(folder, "\(name).\(kind)") : "\(name).\(kind)"
        }
        guard let path = paths.first(where: { taken.insert($0.lowercased()).inserted }) else {
          continue
        }
        items[index].output = path
        items[index].isRenamed = true
      }
    }
  }

  private func isDocument(_ path: String, _ set: DocumentSet) -> Bool {
    (try? Files.status(path)?.kind == .directory || set.isRecognised(path)) ?? false
  }
}

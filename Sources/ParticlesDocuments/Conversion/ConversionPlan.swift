internal import ParticlesContainer
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
    /// Whether the document was found in a folder rather than named.
    public var isFound = false
  }

  /// The path of a standard stream, which the caller of ``Conversion`` reads and writes.
  package static let stream = "-"

  private let formats: FormatRegistry

  /// The documents.
  public private(set) var items: [Item] = []

  /// Whether results go into a folder.
  public let isBatch: Bool

  /// The folders for the results, outer ones first.
  public private(set) var folders: [String] = []

  /// Finds the documents and chooses the paths of the results.
  /// - Parameters:
  ///   - paths: the documents, at least one.
  ///   - output: the path of the result of one document. With several documents, or if it ends in a
  ///     slash or is a folder that is not a package: the folder for the results, which are named
  ///     after their documents. Nil for the current folder.
  ///   - isRecursive: whether to search folders that are not packages, and their subfolders.
  ///   - kind: the file name extension of results; see ``ConversionTarget/pathExtension``.
  ///   - formats: the formats of documents.
  /// - Throws: ``ParticlesCore/Rule/usage`` if two results would have the same path; a
  ///   ``ParticlesCore/Diagnostic`` of the family `file`.
  public init(
    _ paths: [String], to output: String?, isRecursive: Bool = false, extension kind: String,
    among formats: FormatRegistry = .standard
  ) throws {
    self.formats = formats
    let finder = PackageFinder()
    let isSearch = isRecursive && paths.contains { (try? finder.isPlainFolder($0)) == true }
    isBatch = try paths.count > 1 || isSearch || Self.isFolder(output)
    guard isBatch else {
      items = paths.map { Item(input: $0, output: output ?? Self.name(for: $0, kind)) }
      return
    }
    let output = output ?? ""
    if !output.isEmpty { folders.append(output) }
    for path in paths {
      if isRecursive, (try? finder.isPlainFolder(path)) == true {
        addDocuments(in: path, output, kind)
      } else {
        items.append(
          Item(input: path, output: Self.joined(output, Self.name(for: path, kind))))
      }
    }
    try checkNames()
  }

  /// Whether an output path is a folder for results. A directory package is a result to replace.
  private static func isFolder(_ path: String?) throws -> Bool {
    guard let path, path != Self.stream else { return false }
    guard try Files.status(path)?.kind == .directory else { return path.hasSuffix("/") }
    return try Files.status(Files.joined(path, EffectPackage.documentPath)) == nil
  }

  private static func name(for input: String, _ kind: String) -> String {
    "\(input == Self.stream ? "effect" : Files.stem(of: input)).\(kind)"
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : Files.joined(folder, name)
  }

  // MARK: Folders

  private var extensions: Set<String> {
    Set(["particles"] + formats.formats.filter { !$0.isArchive }.flatMap(\.extensions))
  }

  /// Adds the documents in a folder and its subfolders, by file name extension.
  private mutating func addDocuments(in root: String, _ output: String, _ kind: String) {
    let (finder, extensions) = (PackageFinder(), extensions)
    var waiting = [(path: root, output: output)]
    while let folder = waiting.popLast() {
      if folder.output != output { folders.append(folder.output) }
      var isWhole = true
      let all = try? Files.list(folder.path) { _ in isWhole = false }
      if all == nil || !isWhole {
        // Opening it reports why it cannot be listed.
        items.append(Item(input: folder.path, output: folder.output))
      }
      let names = (all ?? []).filter { !$0.hasPrefix(".") }.sorted()
      var below: [(path: String, output: String)] = []
      for name in names {
        let path = Files.joined(folder.path, name)
        guard let status = try? Files.status(path, followingLinks: false) else { continue }
        if status.kind == .directory, (try? finder.isPlainFolder(path)) == true {
          below.append((path, Self.joined(folder.output, name)))
        } else if status.kind == .directory
          || status.kind == .file && extensions.contains(Files.pathExtension(of: name))
        {
          items.append(
            Item(
              input: path, output: Self.joined(folder.output, Self.name(for: path, kind)),
              isFound: true))
        }
      }
      waiting += below.reversed()
    }
  }

  // MARK: Names

  /// Checks that no two results have the same path, without regard to case.
  private func checkNames() throws {
    var taken: [String: Item] = [:]
    for item in items {
      guard let other = taken.updateValue(item, forKey: item.output.lowercased()) else { continue }
      // A file that is not a document has no result.
      guard isDocument(item), isDocument(other) else {
        if !isDocument(item) { taken[item.output.lowercased()] = other }
        continue
      }
      throw Diagnostic(
        .usage, "'\(other.input)' and '\(item.input)' would both become '\(item.output)'",
        hint: "convert them into different folders; nothing has been written")
    }
  }

  private func isDocument(_ item: Item) -> Bool {
    guard item.isFound, let bytes = try? Files.read(item.input) else { return true }
    return Container.isFlatPackage(bytes)
      || (try? formats.recognising(
        bytes, fileName: Files.lastComponent(of: item.input))) != nil
  }
}

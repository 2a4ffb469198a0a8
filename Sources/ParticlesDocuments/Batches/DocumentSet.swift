internal import ParticlesContainer
package import ParticlesCore
public import ParticlesFormats

/// The documents that a command processes: files that the user names, and documents found in folders.
///
/// In a folder and its subfolders, these are documents:
/// - a folder that contains a `document.json`, and every file or folder with the extension
///   `.particles`;
/// - a file with the extension of an effect format, so that damaged files are
///   reported;
/// - any other file that begins like a flat package or that an effect format recognises.
///
/// The contents of a package are not searched. Hidden files and folders are ignored, and symbolic
/// links are not followed. Other files, archives among them, are ``unknown``.
public struct DocumentSet: Sendable {
  /// A document to process.
  public struct Document: Sendable, Hashable {
    /// The path of the document.
    public var path: String

    /// The folder that contains the document, relative to the folder that was searched; empty for
    /// documents directly in that folder, and for named ones.
    public var subfolder: String

    /// Whether the document was found in a folder rather than named.
    public var isFound: Bool
  }

  /// The documents, in the order of the paths given; those in a folder in the order of their names.
  public private(set) var documents: [Document] = []

  /// The files in searched folders that are not documents.
  public private(set) var unknown: [String] = []

  /// The folders that were searched.
  public private(set) var folders: [String] = []

  private let formats: [ParticleFormat]
  private let extensions: Set<String>

  /// Finds the documents.
  ///
  /// A folder that cannot be listed, or that contains a name that is not UTF-8, is in ``documents``
  /// as well: opening it throws the reason.
  /// - Parameters:
  ///   - paths: files, packages, and folders to search.
  ///   - isRecursive: whether folders that are not packages are searched; if not, all paths are
  ///     documents.
  ///   - formats: the formats that documents may be of.
  public init(_ paths: [String], isRecursive: Bool, among formats: FormatRegistry = .standard) {
    self.formats = formats.formats.filter { !$0.isArchive }
    extensions = Set(["particles"] + self.formats.flatMap(\.extensions))
    for path in paths {
      if isRecursive, (try? Self.isPlainFolder(path)) == true {
        folders.append(path)
        search(path)
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

  private static func isPackage(folder: String) throws -> Bool {
    if Files.pathExtension(of: folder) == "particles" { return true }
    return try Files.status(Files.joined(folder, EffectPackage.documentPath))?.kind == .file
  }

  /// Whether a document at this path was found in a folder rather than named.
  package func isFound(_ path: String) -> Bool {
    documents.contains { $0.path == path && $0.isFound }
  }

  // MARK: Search

  private mutating func search(_ root: String) {
    // The last one is next.
    var waiting = [Document(path: root, subfolder: "", isFound: true)]
    while let item = waiting.popLast() {
      let kind = (try? Files.status(item.path, followingLinks: false))?.kind
      switch kind {
      case .directory where item.path != root && (try? Self.isPackage(folder: item.path)) == true:
        documents.append(item)
      case _ where kind == .directory || item.path == root:
        let folder =
          item.path == root
          ? "" : Self.joined(item.subfolder, Files.lastComponent(of: item.path))
        var isWhole = true
        let names = try? Files.list(item.path) { _ in isWhole = false }
        if names == nil || !isWhole { documents.append(item) }
        waiting += (names ?? []).filter { !$0.hasPrefix(".") }.sorted(by: >).map {
          Document(path: Files.joined(item.path, $0), subfolder: folder, isFound: true)
        }
      case .file: isDocument(item.path) ? documents.append(item) : unknown.append(item.path)
      default: break
      }
    }
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : Files.joined(folder, name)
  }

  private func isDocument(_ path: String) -> Bool {
    extensions.contains(Files.pathExtension(of: path)) || (try? isRecognised(path)) == true
  }

  /// Whether a file is a flat package or an effect of one of the formats.
  func isRecognised(_ path: String) throws -> Bool {
    let file = try OpenFile(readingAtOnce: path)
    let name = Files.lastComponent(of: path)
    let head = try file.readPiece(Self.beginning)
    if Container.isFlatPackage(head) || formats.contains(where: { $0.recognise(head, name) }) {
      return true
    }
    // Property lists, XML and JSON may need all of the file.
    let first = head.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
    guard head.count == Self.beginning, let first, "<{b".utf8.contains(first) else { return false }
    let bytes = try head + file.readToEnd(limits: .standard)
    return formats.contains { $0.recognise(bytes, name) }
  }

  /// The number of bytes that tell most formats.
  private static let beginning = 4096
}

extension Diagnostic {
  /// Whether it reports that a file is well-formed, but not a document: a property list or JSON file
  /// with other contents, or a keyed archive of another class. A damaged file is not.
  package var isOfOtherKind: Bool {
    switch rule {
    case .lookAlike, .archiveRoot: true
    case .unknownFormat: found != nil && found != OpenedEffect.emptyFile
    default: false
    }
  }
}

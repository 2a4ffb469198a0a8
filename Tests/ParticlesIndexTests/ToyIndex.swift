import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport

@testable import ParticlesIndex

/// An index of documents that are made up, in a folder of its own.
struct ToyIndex {
  let scratch: Scratch
  let folder: String
  let index: EffectIndex

  init() throws {
    scratch = try Scratch()
    folder = try Files.resolve(scratch.path) + "/effects"
    try Files.makeDirectory(folder)
    index = try EffectIndex(scratch.file("index.sqlite"), writing: true)
  }

  /// This database, opened by another program.
  func opened() throws -> EffectIndex { try EffectIndex(index.path, writing: true) }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// Writes a file with a time in the past, so that it is not read twice.
  func write(_ name: String, _ text: String) throws {
    try Files.makeDirectories(Files.folder(of: path(name)))
    try? Files.removeAll(path(name))
    try Files.create(path(name), Array(text.utf8))
    try setModified(path(name), WallClock.seconds - 86_400)
  }

  /// A document whose name and digest are the text of its file.
  static let reading: @Sendable (String) throws -> IndexedDocument? = { path in
    let text = String(decoding: try Files.read(path), as: UTF8.self)
    var document = IndexedDocument()
    (document.format, document.name, document.digest) = ("toy", text, text)
    return document
  }

  /// Brings the index up to date with these files.
  @discardableResult
  func update(
    _ names: [String], others: [String] = [], unlisted: [String] = [],
    since old: IndexSnapshot? = nil,
    by other: EffectIndex? = nil
  ) throws -> IndexChanges {
    let index = other ?? index
    return try index.update(
      IndexedFiles(
        folders: [folder], documents: names.map(path), others: others.map(path),
        unlisted: unlisted.map { $0.isEmpty ? folder : path($0) }),
      since: old ?? index.snapshot(of: [folder]), read: Self.reading)
  }

  /// Stores documents that are no files.
  func store(
    _ documents: [(name: String, document: IndexedDocument)]
  ) throws {
    let known = Dictionary(
      uniqueKeysWithValues: documents.map { (path($0.name), $0.document) })
    _ = try index.update(
      IndexedFiles(folders: [folder], documents: documents.map { path($0.name) }, others: []),
      since: index.snapshot(of: []), read: { known[$0] })
  }

  /// The names of all documents, or of the documents that a query finds, in the order of the answer.
  func names(_ query: String? = nil, limit: Int? = nil, look: [Float] = []) throws -> [String] {
    let query = try query.map { try IndexQuery($0) } ?? IndexQuery("not name:\"no such name\"")
    return try index.find(query, limit: limit, look: { _ in look }).matches.map {
      String($0.path.dropFirst(folder.utf8.count + 1))
    }
  }
}

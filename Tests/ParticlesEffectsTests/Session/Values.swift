import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
@testable import ParticlesEffects

/// Contents of named values. Each value is merged by itself. Needs no file.
struct Values: DocumentContent {
  var values: [String: Int] = [:]

  init(_ values: [String: Int]) { self.values = values }

  init(contents: FileNode, limits: Limits) throws {
    let text = String(decoding: try contents.regularFileContents() ?? [], as: UTF8.self)
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=")
      values[String(parts[0])] = Int(parts[1])
    }
  }

  subscript(key: String) -> Int? {
    get { values[key] }
    set { values[key] = newValue }
  }

  /// Changes a value that there is.
  mutating func change(_ key: String, to value: Int) throws {
    guard values[key] != nil else { throw Diagnostic(.usage, "no '\(key)'") }
    values[key] = value
  }

  func contents() -> FileNode {
    let lines = values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)\n" }
    return FileNode(regularFileWithContents: Array(lines.joined().utf8))
  }

  static func merge(base: Self, ours: Self, theirs: Self) -> DocumentMerge<Self>? {
    var (result, clashes) = (theirs, [String]())
    for key in Set(base.values.keys).union(ours.values.keys) where ours[key] != base[key] {
      if theirs[key] != base[key], theirs[key] != ours[key] { clashes.append(key) }
      result[key] = ours[key]
    }
    return DocumentMerge(result, clashes: clashes)
  }
}

extension EditSession<Values> {
  /// A session whose values are stored.
  init(_ values: [String: Int]) {
    let content = Values(values)
    let stored = StoredContents(content.contents(), revision: 1)
    self.init(
      LoadedContents(content: content, stored: stored), undoCount: 10_000, undoCost: 32 << 20)
  }

  mutating func set(_ key: String, to value: Int) {
    _ = try? edit("Set \(key)", at: 0) { $0[key] = value }
  }

  /// Another program stores values.
  mutating func storeOutside(_ values: [String: Int]) throws -> OutsideMerge<Values>.Kind {
    let content = Values(values)
    let stored = StoredContents(content.contents(), revision: known.stored.revision + 1)
    return try mergeStored(LoadedContents(content: content, stored: stored))
  }

  /// The contents are stored.
  mutating func store(reread: Values? = nil) {
    let content = contents()
    let stored = StoredContents(content.contents(), revision: known.stored.revision + 1)
    saved(
      content, content.contents(), as: stored, reread: reread, state: state, automatically: true)
  }
}

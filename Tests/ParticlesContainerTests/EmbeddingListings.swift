// The listings of the article "Embedding the codec". `EmbeddingTests` runs them, and `ConsumerTests`
// holds the article to these very lines. So this file imports the modules of an application.

import Foundation
import ParticlesPackages

func firstChapter(of path: String) throws -> String? {
  let package = try Container(contentsOf: path)
  for child in package.root.children ?? [] {
    print(child.name, child.node.kind.rawValue)
  }
  guard let chapter = package.root["Chapters/one.txt"] else { return nil }
  return try chapter.regularFileContents().map { String(decoding: $0, as: UTF8.self) }
}

func digest(ofDownload bytes: [UInt8]) throws -> String {
  guard Container.isFlatPackage(bytes.prefix(16)) else { return "something else" }
  return try Container(decoding: bytes).root.treeDigest().description
}

struct ShortAnswer: Error {}

func open(
  _ address: String, size: Int, fetch: @escaping @Sendable (Range<Int>) throws -> [UInt8]
) throws -> ContainerReader {
  let source = ByteSource(size: size, name: address) { offset, buffer in
    let bytes = try fetch(offset..<offset + buffer.count)
    guard bytes.count == buffer.count else { throw ShortAnswer() }
    buffer.copyBytes(from: bytes)
  }
  return try ContainerReader(source)
}

func thumbnail(of film: String, in reader: ContainerReader) throws -> [UInt8]? {
  guard let entry = try reader.entry(film), entry.isFile else { return nil }
  let contents = reader.contents(of: entry)
  let start = min(1000, contents.size)
  return try contents.bytes(in: start..<min(start + 4000, contents.size))
}

func edit(_ package: inout Container, adding photo: [UInt8]) throws -> String {
  let title = FileNode(regularFileWithContents: Array("Winter\n".utf8))
  try package.root.setFileNode(title, at: "Info/title.txt")

  var photos = package.root["Photos"] ?? .emptyDirectory
  let name = try photos.addRegularFile(withContents: photo, preferredFilename: "photo.png")
  try package.root.setFileNode(photos, at: "Photos")

  package.root.removeFileNode(at: "Notes/draft.txt")
  return name
}

func rename(_ photo: String, to name: String, in package: inout Container) throws -> String? {
  guard var photos = package.root["Photos"] else { return nil }
  do {
    let given = try photos.renameFileNode(named: photo, preferredFilename: name)
    try package.root.setFileNode(photos, at: "Photos")
    return given
  } catch Rule.name {
    return nil
  }
}

func create(_ path: String) throws -> Container {
  let text = FileNode(regularFileWithContents: Array("Once upon a time\n".utf8))
  let chapters = try FileNode(directoryWithFileNodes: ["one.txt": text])
  let root = try FileNode(directoryWithFileNodes: ["Chapters": chapters])
  var package = Container(root: root)
  try package.save(to: path)
  return package
}

func autosave(_ package: inout Container) throws -> Bool {
  do {
    try package.save(mode: .append)
    return true
  } catch Rule.fileChanged {
    return false
  }
}

func close(_ package: inout Container) throws {
  try package.save(mode: .replace)
}

func undo(_ package: inout Container, to before: Container) throws {
  package = before
  try package.save()
}

func export(
  _ package: Container, to path: String, show: @escaping @Sendable (_ fraction: Double) -> Void
) -> Task<Void, any Error> {
  Task.detached {
    let work = Container.WorkOptions { done, total in show(Double(done) / Double(total)) }
    let options = Container.PackingOptions(level: .best, work: work)
    try package.write(to: path, as: .flat, replacing: true, options: options)
  }
}

func judge(_ upload: [UInt8]) throws -> String {
  var limits = Limits()
  limits.entries = 1000
  limits.entryBytes = 16 << 20
  limits.totalBytes = 64 << 20
  do {
    let package = try Container(decoding: upload, limits: limits)
    return "accepted: \(try package.root.treeDigest())"
  } catch Rule.limit {
    return "too large"
  } catch Rule.signature {
    return "not a package"
  } catch Rule.checksum {
    return "damaged on its way"
  } catch let fault as Diagnostic where ["container", "tree"].contains(fault.rule.family) {
    return "malformed: \(fault)"
  }
}

func findings(in path: String) throws -> [String] {
  let reader = try ContainerReader(.file(path))
  return try reader.verify(.full).map(\.description)
}

func rescue(_ path: String, to copy: String) throws -> [String] {
  let recovery = try Container.Recovery(.file(path))
  try Container(root: recovery.root).write(to: copy, as: .flat)
  return recovery.diagnostics.filter { $0.rule == .unrecovered }.compactMap(\.location.entry)
}

func receive(_ pipe: FileHandle, into folder: String) throws -> Int {
  try Container.unpack(name: "standard input", toDirectory: folder) { count in
    Array(try pipe.read(upToCount: count) ?? Data())
  }
}

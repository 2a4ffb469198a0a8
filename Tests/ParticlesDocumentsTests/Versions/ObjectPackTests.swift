import ParticlesContainer
import ParticlesCore
@testable import ParticlesDocuments
import ParticlesTestSupport
import Testing

/// The small contents of a document, which are in one file.
@Suite("Packs of versions")
struct ObjectPackTests {
  private let folder: LiveFolder
  private var path: String { folder.path("a") }
  private var store: VersionStore { VersionStore(dataFolder: folder.data) }

  init() throws { folder = try LiveFolder() }

  private func tree(_ number: Int, padding: Int = 0) throws -> FileNode {
    let text = "state \(number)\n" + String(repeating: "emitter \(number) ", count: padding)
    return try FileNode(directoryWithFileNodes: [
      "document.json": FileNode(regularFileWithContents: Array(text.utf8)),
      "empty": FileNode(regularFileWithContents: []),
      "image": FileNode(regularFileWithContents: SampleTree.noise(60_000, seed: 1)),
    ])
  }

  private func shelf() throws -> String {
    let base = "\(folder.data)/particles/versions"
    return Files.joined(base, try #require(try Files.list(base).first { $0.utf8.count == 32 }))
  }

  private func pack() throws -> String { "\(try shelf())/objects.pack" }

  private func files(below path: String) throws -> [String] {
    guard try Files.status(path)?.kind == .directory else { return [path] }
    return try Files.list(path).flatMap { try files(below: Files.joined(path, $0)) }
  }

  private func expectAll(_ count: Int) throws {
    // Numbers of deleted versions are not used again.
    let numbers = try store.versions(of: path).map(\.number).sorted()
    for (place, number) in numbers.enumerated() {
      let contents = try store.contents(of: number, of: path)
      #expect(try contents.matchesContents(of: tree(place + 1)), "\(number)")
    }
    #expect(try store.versions(of: path).count == count)
  }

  @Test("hundreds of states of a small effect are a few files")
  func few() throws {
    for number in 1...331 { try store.add(try tree(number), of: path, as: .saved) }
    #expect(try files(below: folder.data).count <= 10)
    #expect(try store.verify(path).isEmpty)
    try expectAll(331)
  }

  @Test("an open document has the contents of a version after a rename and after its deletion")
  func heldContents() throws {
    for number in 1...9 { try store.add(try tree(number, padding: 500), of: path, as: .saved) }
    let held = try [2, 8].map { try (number: $0, tree: store.contents(of: $0, of: path)) }
    // The image is an object of its own, the other contents are in the pack.
    try store.delete(Set(1...8), of: path)
    let shelf = try shelf()
    try Files.rename(shelf, "\(shelf)-1")
    for (number, contents) in held {
      #expect(try contents.matchesContents(of: tree(number, padding: 500)), "\(number)")
    }
  }

  @Test("contents that are read in pieces are read and compared once, and are not kept longer")
  func pieces() throws {
    let bytes = SampleTree.noise(1_000, seed: 3)
    let count = Lock(0)
    let contents = FileContents(
      size: bytes.count,
      whole: {
        count.withLock { $0 += 1 }
        return bytes
      })
    for round in 1...2 {
      let pieces = try stride(from: 0, to: bytes.count, by: 64).map {
        try contents.bytes(in: $0..<min($0 + 64, bytes.count))
      }
      #expect(pieces.flatMap(\.self) == bytes && count.withLock(\.self) == round)
    }
    #expect(try contents.bytes() == bytes && count.withLock(\.self) == 3)
  }

  @Test("of opened contents, the first piece reads all that is stored", arguments: [10, 40_000])
  func firstPiece(size: Int) throws {
    // The smaller ones are in the pack, the others, which cannot be compressed, in a file.
    let bytes = SampleTree.noise(size, seed: 7)
    let node = FileNode(regularFileWithContents: bytes)
    let version = try #require(try store.add(node, of: path, as: .conflict))
    let contents = try #require(try store.contents(of: version.number, of: path).contents)
    let other = try #require(try store.contents(of: version.number, of: path).contents)
    let first = try contents.bytes(in: 0..<5)
    let file = try #require(
      try size == 10 ? pack() : files(below: "\(try shelf())/objects").first)
    // The same file, with other bytes.
    let open = try OpenFile(updatingRegular: file)
    let zeros = [UInt8](repeating: 0, count: try #require(try Files.status(file)).size)
    try zeros.withUnsafeBytes { try open.write($0, at: 0) }
    #expect(try first + contents.bytes(in: 5..<size) == bytes)
    // What is read from now on is damaged.
    #expect(throws: Diagnostic.self) { try contents.bytes(in: 0..<5) }
    #expect(throws: Diagnostic.self) { try other.bytes(in: 0..<5) }
  }

  @Test("contents of any size are kept: small ones in the pack, large ones as files")
  func sizes() throws {
    let sizes = [0, 1, 2, 100, 32_767, 32_769, 262_143, 262_145, 300_000]
    for (number, size) in sizes.enumerated() {
      for bytes in [
        SampleTree.noise(size, seed: UInt64(number)), [UInt8](repeating: 7, count: size),
      ] {
        let node = FileNode(regularFileWithContents: bytes)
        let version = try #require(try store.add(node, of: path, as: .conflict))
        let contents = try store.contents(of: version.number, of: path)
        #expect(try contents.regularFileContents() == bytes, "\(size)")
      }
    }
    #expect(try store.verify(path).isEmpty)
    let objects = try files(below: "\(try shelf())/objects").count
    // The noise from 32,769 bytes on, and the even bytes above 256 KiB.
    #expect(objects == 6)
  }

  @Test("an interrupted write is passed over, wherever it ended")
  func torn() throws {
    for number in 1...3 { try store.add(try tree(number), of: path, as: .saved) }
    let before = try Files.read(pack())
    try store.add(try tree(4), of: path, as: .saved)
    let after = try Files.read(pack())
    let ends = Sample.of(Array(stride(from: before.count, to: after.count, by: 7)), 12)
    for end in ends {
      // What a power failure may leave: a part, or a hole in front of the contents.
      for isHole in [false, true] {
        var bytes = Array(after[..<end])
        if isHole {
          for index in before.count..<min(end, before.count + 48) { bytes[index] = 0 }
        }
        try SafeSave.file(pack(), replacing: true) { try $0.write(bytes) }
        try store.delete(
          Set(try store.versions(of: path).map(\.number).filter { $0 > 3 }), of: path)
        try store.add(try tree(4), of: path, as: .saved)
        try store.add(try tree(5), of: path, as: .saved)
        #expect(try store.verify(path).isEmpty, "\(end)")
        try expectAll(5)
      }
    }
  }

  @Test("a damaged byte is reported by a check, and harms only what it is part of")
  func damage() throws {
    for number in 1...6 { try store.add(try tree(number), of: path, as: .saved) }
    let sound = try Files.read(pack())
    let places = Sample.of(Array(sound.indices), 60)
    var unnoticed = 0
    for place in places {
      var bytes = sound
      bytes[place] ^= 0x10
      try SafeSave.file(pack(), replacing: true) { try $0.write(bytes) }
      let faults = try store.verify(path)
      #expect(faults.allSatisfy { $0.rule == .fileVersion }, "\(place)")
      var readable = 0
      for number in 1...6 {
        let contents = try? store.contents(of: number, of: path)
        guard let contents, (try? contents.matchesContents(of: tree(number))) == true else {
          continue
        }
        readable += 1
      }
      // The empty file is part of each, and needs no reading.
      #expect(readable >= 5, "\(place): \(readable)")
      // The last bits of a stream may mean nothing.
      #expect(!faults.isEmpty || readable == 6, "\(place)")
      unnoticed += faults.isEmpty ? 1 : 0
    }
    #expect(unnoticed <= places.count / 50)
  }

  @Test("damaged contents are stored again when they are kept again")
  func again() throws {
    try store.add(try tree(1), of: path, as: .saved)
    var bytes = try Files.read(pack())
    for place in stride(from: 60, to: bytes.count, by: 50) { bytes[place] ^= 1 }
    try SafeSave.file(pack(), replacing: true) { try $0.write(bytes) }
    #expect(try !store.verify(path).isEmpty)
    try store.add(try tree(1), of: path, as: .conflict)
    #expect(try store.verify(path).isEmpty)
  }

  @Test("the pack shrinks when most of it is not needed, while others read it")
  func shrinking() throws {
    for number in 1...40 { try store.add(try tree(number, padding: 400), of: path, as: .saved) }
    let reader = try store.contents(of: 40, of: path)
    let before = try #require(try Files.status(pack())).size
    try store.delete(Set(1...35), of: path)
    #expect(try #require(try Files.status(pack())).size < before / 4)
    #expect(try reader.matchesContents(of: tree(40, padding: 400)))
    #expect(try store.verify(path).isEmpty)
    try store.delete(Set(36...40), of: path)
    #expect(try Files.status(pack()) == nil)
  }

  /// Stores contents as the first releases did: each in a package of its own.
  private func keepOld(_ bytes: [UInt8]) throws -> String {
    let digest = SHA256.digest(bytes).description
    let place = "\(try shelf())/objects/\(digest.prefix(2))"
    try Files.makeDirectories(place)
    let root = try FileNode(directoryWithFileNodes: [
      "contents": FileNode(regularFileWithContents: bytes)
    ])
    let file = "\(place)/\(digest.dropFirst(2))"
    if try Files.status(file) == nil { try Container(root: root).write(to: file, as: .flat) }
    return digest
  }

  @Test("stores with a file for each content are read, continued and tidied up")
  func old() throws {
    try store.add(try tree(99), of: path, as: .saved)
    try store.delete([1], of: path)
    var list: [UInt8] = []
    for number in 1...3 {
      var lines = "particles version 1\n"
      try tree(number).forEachDescendant { path, node in
        let bytes = try node.regularFileContents() ?? []
        let digest = try keepOld(bytes)
        lines += """
          {"path":"\(path)","kind":"file","sha256":"\(digest)","size":\(bytes.count)}

          """
      }
      let digest = try keepOld(Array(lines.utf8))
      let line = """
        {"number":\(number),"kind":"saved","seconds":\(number),"program":"old","host":"old",\
        "size":60016,"tree":"\(digest)"}
        """
      let checksum = String(CRC32.checksum(line.utf8), radix: 16)
      list += Array("\(checksum) \(line)\n".utf8)
    }
    try SafeSave.file("\(shelf())/versions.jsonl", replacing: true) { try $0.write(list) }
    try expectAll(3)
    try store.add(try tree(4), of: path, as: .saved)
    try expectAll(4)
    #expect(try store.verify(path).isEmpty)
    try store.delete([1, 2, 3], of: path)
    #expect(try store.verify(path).isEmpty)
    // The image, which is shared, and the empty file.
    #expect(try files(below: "\(shelf())/objects").count == 2)
  }
}

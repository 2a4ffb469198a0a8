import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Saving")
struct SavingTests {
  private let scratch: Scratch
  private var path: String { scratch.file("a.particles") }

  init() throws { scratch = try Scratch() }

  private func open(_ tree: FileNode) throws -> Container {
    try Container(root: tree).write(to: path, as: .flat, replacing: true)
    return try Container(contentsOf: path)
  }

  private func file(_ text: String) -> FileNode {
    FileNode(regularFileWithContents: Array(text.utf8))
  }

  @Test("a package of a newer version is read, and no append or automatic save changes its file")
  func newerVersion() throws {
    for (place, value, isRight) in [(10, UInt8(2), false), (10, 1, true), (10, 255, false)] {
      _ = try open(try SampleTree.small())
      var bytes = try Files.read(path)
      #expect(bytes[place] == 1)
      bytes[place] = value
      var sum = ByteWriter()
      sum.u32(CRC32.checksum(bytes.prefix(12)))
      bytes.replaceSubrange(12..<16, with: sum.bytes)
      try Files.removeAll(path)
      try Files.create(path, bytes)
      var package = try Container(contentsOf: path)
      #expect(try package.root.treeDigest() == SampleTree.small().treeDigest())
      try package.root.setFileNode(file("new"), at: "new")
      for mode in isRight ? [SaveMode.append] : [.append, .automatic] {
        if isRight {
          #expect(try package.save(mode: mode) != nil)
        } else {
          let fault = #expect(throws: Diagnostic.self) { try package.save(mode: mode) }
          #expect(fault?.rule == .containerVersion)
          #expect(fault?.location.position == .offset(place))
          #expect(try Files.read(path) == bytes)
        }
      }
    }
  }

  /// Changes of every kind, in turn.
  private static let edits: [@Sendable (inout FileNode) throws -> Void] = [
    { try $0.setFileNode(FileNode(regularFileWithContents: [1, 2, 3]), at: "document.json") },
    { try $0.setFileNode(FileNode(regularFileWithContents: []), at: "Images/spark.png") },
    { try $0.setFileNode(FileNode(regularFileWithContents: [9]), at: "A/first") },
    { try $0.setFileNode(FileNode(regularFileWithContents: [8]), at: "zz/last") },
    { $0.removeFileNode(named: "Notes") },
    { try $0.setFileNode(FileNode(symbolicLinkWithDestination: "document.json"), at: "link") },
    { try $0.setFileNode(.emptyDirectory, at: "link") },
    { try $0.setFileNode(FileNode(regularFileWithContents: [7]), at: "link/in/side") },
    { try $0.setFileNode(FileNode(regularFileWithContents: [6]), at: "link") },
    {
      var script = try #require($0["Scripts/check"])
      script.isExecutable = false
      try $0.setFileNode(script, at: "Scripts/check")
    },
    { try $0.renameFileNode(named: "document.json", preferredFilename: "other.json") },
    {
      try $0.setFileNode(
        FileNode(regularFileWithContents: SampleTree.noise(1_300_000, seed: 5)), at: "big.bin")
    },
    { $0 = .emptyDirectory },
    { try $0.setFileNode(FileNode(regularFileWithContents: [5]), at: "again") },
  ]

  @Test(
    "after each edit the file holds the edited tree, however it is saved",
    arguments: [
      SaveMode.append, .replace, .automatic,
    ])
  func edits(mode: SaveMode) throws {
    var package = try open(try SampleTree.small())
    for (index, edit) in Self.edits.enumerated() {
      try edit(&package.root)
      let expected = package.root
      let digest = try expected.treeDigest()
      let used = try package.save(mode: mode, synchronizing: false)
      #expect(used != nil && (mode == .automatic || used == mode))
      #expect(try package.root.treeDigest() == digest, "edit \(index), in memory")
      let reader = try ContainerReader(.file(path))
      #expect(try reader.verify().isEmpty, "edit \(index)")
      #expect(try reader.tree().treeDigest() == digest, "edit \(index), on disk")
      if used == .replace { #expect(reader.generation == 1) }
    }
    #expect(try package.save(mode: .append) == nil, "nothing to save")
    if mode == .append {
      #expect(try ContainerReader(.file(path)).generation == Self.edits.count + 1)
    }
  }

  @Test("replacing gives the same bytes as packing afresh, whatever happened before")
  func compaction() throws {
    var package = try open(try SampleTree.large())
    try package.root.setFileNode(file("changed"), at: "Frames/3/f10.txt")
    try package.save(mode: .append, synchronizing: false)
    package.root.removeFileNode(named: "Notes")
    try package.save(mode: .append, synchronizing: false)
    try package.root.setFileNode(file("b"), at: "Cache/a.txt")
    let expected = try Container(root: package.root).encoded()
    try package.save(mode: .replace, synchronizing: false)
    #expect(try Files.read(path) == expected)
  }

  @Test("appending writes what changed and not what is there")
  func cost() throws {
    var package = try open(try SampleTree.large())
    let before = try #require(try Files.status(path)).size
    try package.root.setFileNode(file("changed"), at: "Frames/3/f10.txt")
    try package.save(mode: .append)
    let written = try #require(try Files.status(path)).size - before
    #expect(written < 8000, "\(written) bytes")
  }

  @Test("dead bytes pass a third: the automatic mode replaces")
  func automatic() throws {
    var package = try open(
      try FileNode(directoryWithFileNodes: [
        "a": FileNode(regularFileWithContents: SampleTree.noise(9000, seed: 1))
      ]))
    var modes: [SaveMode?] = []
    for seed in 0..<12 {
      try package.root.setFileNode(
        FileNode(regularFileWithContents: SampleTree.noise(1000, seed: UInt64(seed))), at: "b")
      modes.append(try package.save(synchronizing: false))
    }
    #expect(modes.contains(.append) && modes.contains(.replace))
    #expect(try #require(try Files.status(path)).size < 20_000)
  }

  @Test("what somebody else saved meanwhile is not overwritten")
  func conflict() throws {
    for mode in SaveMode.allCases {
      var mine = try open(try SampleTree.small())
      var theirs = try Container(contentsOf: path)
      try theirs.root.setFileNode(file("theirs"), at: "document.json")
      try theirs.save(mode: mode)
      try mine.root.setFileNode(file("mine"), at: "document.json")
      expectThrows(.fileChanged) { try mine.save(mode: mode) }
      let kept = try Container(contentsOf: path).root["document.json"]
      #expect(try kept?.regularFileContents() == Array("theirs".utf8))
    }
  }

  @Test("of several who append at once, one does, and the others are told")
  func simultaneously() async throws {
    let path = path
    _ = try open(try SampleTree.small())
    for round in 0..<10 {
      // Each opened for itself, as by programs of their own.
      let opened = try (0..<4).map { _ in
        var package = try Container(contentsOf: path)
        try package.root.setFileNode(file("\(round)"), at: "Notes/round")
        return package
      }
      let saved = await withTaskGroup(of: Bool.self) { group in
        for copy in opened {
          group.addTask {
            var mine = copy
            return (try? mine.save(mode: .append, synchronizing: false)) != nil
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(saved == 1)
      #expect(try ContainerReader(.file(path)).verify().isEmpty)
      let package = try Container(contentsOf: path)
      #expect(try package.root.treeDigest() == opened[0].root.treeDigest())
    }
  }

  @Test(
    "after a save that failed, the next one finds the file as it was", arguments: [false, true])
  func afterFailure(isTorn: Bool) throws {
    let bytes = try Container(root: try SampleTree.small()).encoded()
    try Files.create(path, bytes + (isTorn ? [0x54, 0x52, 0x45] : []))
    var package = try Container(contentsOf: path)
    try package.root.setFileNode(
      FileNode(
        regularFileWithContents: FileContents(size: 10) { _, _ in throw CancellationError() }),
      at: "broken")
    #expect(throws: CancellationError.self) { try package.save(mode: .append) }
    #expect(try Files.read(path).starts(with: bytes))
    try package.root.setFileNode(file("sound"), at: "broken")
    #expect(try package.save(mode: .append) == .append)
    #expect(try ContainerReader(.file(path)).verify().isEmpty)
  }

  @Test("an unfinished save is cut off by the next one")
  func afterTorn() throws {
    let bytes = try Container(root: try SampleTree.small()).encoded()
    try Files.create(path, bytes + [0x54, 0x52, 0x45, 0x45, 1, 2, 3])
    var package = try Container(contentsOf: path)
    #expect(package.warnings.map(\.rule) == [.torn])
    try package.root.setFileNode(file("new"), at: "document.json")
    try package.save(mode: .append)
    let reader = try ContainerReader(.file(path))
    #expect(try reader.verify().isEmpty)
    #expect(reader.generation == 2)
  }

  @Test("a directory is saved as a directory")
  func directory() throws {
    try Container(root: try SampleTree.small()).write(to: scratch.file("d"), as: .directory)
    var package = try Container(contentsOf: scratch.file("d"))
    #expect(try package.save() == nil)
    try package.root.setFileNode(file("new"), at: "document.json")
    let digest = try package.root.treeDigest()
    #expect(try package.save() == .replace)
    #expect(try package.root.treeDigest() == digest)
    #expect(try Container(contentsOf: scratch.file("d")).root.treeDigest() == digest)
    #expect(try Files.list(scratch.path) == ["d"])
  }

  @Test("what somebody else did in a directory meanwhile is not lost")
  func directoryConflict() throws {
    let changes: [(String) throws -> Void] = [
      { try Files.create("\($0)/Notes/new", [1]) },
      { try Files.removeAll("\($0)/Images") },
      {
        try Files.removeAll("\($0)/Scripts/check")
        try Files.create("\($0)/Scripts/check", [2])
      },
    ]
    for change in changes {
      let folder = scratch.file("d")
      try Container(root: try SampleTree.small()).write(to: folder, as: .directory, replacing: true)
      var package = try Container(contentsOf: folder)
      try package.root.setFileNode(file("mine"), at: "document.json")
      try change(folder)
      let theirs = try Container(contentsOf: folder).root.treeDigest()
      expectThrows(.fileChanged) { try package.save() }
      #expect(try Container(contentsOf: folder).root.treeDigest() == theirs)
    }
  }

  @Test("ten thousand entries: pages that nobody touched stay where they are")
  func manyEntries() throws {
    var tree = FileNode.emptyDirectory
    for folder in 0..<20 {
      var directory = FileNode.emptyDirectory
      for index in 0..<500 {
        try directory.addRegularFile(
          withContents: [UInt8(index % 251)], preferredFilename: "f\(index)")
      }
      try tree.addFileNode(directory, preferredFilename: "d\(folder)")
    }
    var package = try open(tree)
    for (index, name) in ["d0/f0", "d19/f499", "d7/f77", "d7/new", "a/b", "e"].enumerated() {
      try package.root.setFileNode(file("\(index)"), at: name)
      try package.save(mode: .append, synchronizing: false)
    }
    package.root.removeFileNode(named: "d3")
    try package.save(mode: .append, synchronizing: false)
    let reader = try ContainerReader(.file(path))
    #expect(try reader.verify().isEmpty)
    #expect(reader.entryCount == 20 * 501 + 4 - 501)
    #expect(try reader.tree().treeDigest() == package.root.treeDigest())
    #expect(try reader.entry("d3/f3") == nil)
    #expect(
      try reader.contents(of: #require(try reader.entry("d7/new"))).bytes() == Array("3".utf8))
  }
}

/// A disk that forgets: bytes that were written and not synchronised may be lost, in any order.
@Suite("Losing unsynchronised writes")
struct LostWritesTests {
  private enum Operation {
    case write([UInt8], Int)
    case truncate(Int)
    case synchronize
  }

  /// What an append does, recorded.
  private func record(
    _ edit: (inout FileNode) throws -> Void
  ) throws -> (old: [UInt8], new: FileNode, [Operation]) {
    let tree = try SampleTree.small()
    let old = try Container(root: tree).encoded()
    let reader = try ContainerReader(.bytes(old))
    let root = try reader.tree()
    var new = root
    try edit(&new)
    var operations: [Operation] = []
    _ = try Appender.append(
      TreeChanges(from: root, to: new), to: reader,
      AppendTarget(
        write: { operations.append(.write(Array($0), $1)) },
        truncate: { operations.append(.truncate($0)) },
        synchronize: { operations.append(.synchronize) }),
      synchronizing: true)
    return (old, new, operations)
  }

  /// Opens the bytes on the disk and returns whether they hold the old or the new tree. Anything else fails.
  private func check(_ bytes: [UInt8], old: ContentDigest, new: ContentDigest) throws -> Bool {
    let digest = try Container(decoding: bytes).root.treeDigest()
    #expect(digest == old || digest == new)
    return digest == new
  }

  @Test("killed between any two calls, or in the middle of a write: the old or the new tree")
  func killed() throws {
    let (bytes, new, operations) = try record {
      try $0.setFileNode(FileNode(regularFileWithContents: [1, 2, 3]), at: "document.json")
    }
    let oldDigest = try Container(decoding: bytes).root.treeDigest()
    let newDigest = try new.treeDigest()
    #expect(operations.count == 4, "blocks, pages and root; sync; footer; sync")
    var disk = bytes
    var seen: Set<Bool> = []
    for operation in operations {
      guard case .write(let written, let position) = operation else { continue }
      for count in 0...written.count {
        let torn = disk[..<position] + written[..<count]
        seen.insert(try check(Array(torn), old: oldDigest, new: newDigest))
      }
      disk = Array(disk[..<position]) + written
    }
    #expect(seen == [false, true])
    #expect(try check(disk, old: oldDigest, new: newDigest))
  }

  @Test("any sectors of what was not synchronised may be lost, or come before others")
  func lost() throws {
    let (bytes, new, operations) = try record {
      try $0.setFileNode(
        FileNode(regularFileWithContents: SampleTree.noise(20_000, seed: 3)), at: "big")
    }
    let oldDigest = try Container(decoding: bytes).root.treeDigest()
    let newDigest = try new.treeDigest()
    var random = SeededGenerator(seed: 11)
    var stable = bytes
    var pending: [(bytes: [UInt8], position: Int)] = []
    for operation in operations + [.synchronize] {
      if case .write(let written, let position) = operation {
        pending.append((written, position))
        continue
      }
      let end = pending.map { $0.position + $0.bytes.count }.max() ?? stable.count
      for _ in 0..<300 where !pending.isEmpty {
        // The file has grown. Sectors that did not make it to the disk read as zeros.
        var disk = stable + [UInt8](repeating: 0, count: max(0, end - stable.count))
        disk.removeLast(Int.random(in: 0...(end - stable.count), using: &random) / 2)
        for (written, position) in pending {
          for start in stride(from: 0, to: written.count, by: 512) where Bool.random(using: &random)
          {
            for index in start..<min(start + 512, written.count) where position + index < disk.count
            {
              disk[position + index] = written[index]
            }
          }
        }
        _ = try check(disk, old: oldDigest, new: newDigest)
      }
      for (written, position) in pending { stable = Array(stable[..<position]) + written }
      pending = []
    }
    #expect(try check(stable, old: oldDigest, new: newDigest))
  }
}

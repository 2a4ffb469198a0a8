internal import ParticlesContainer
internal import ParticlesPackages
internal import ParticlesCore
internal import ParticlesSystem

/// Laws for a package that is edited and saved repeatedly.
///
/// The input selects the steps: edits of the tree, saves of every kind, saves that fail, and the remains of an
/// unfinished save. A ``ModelTree`` goes through equal steps. After every save, the package on disk must equal the
/// model.
struct SavingLaws {
  private var input: ArraySlice<UInt8>
  private var model = ModelTree()
  private var package = Container()
  private let path: String

  /// More steps would find nothing new, and make trees deeper than the format allows.
  private static let most = 24
  private static let mostBytes = 2 << 20

  static func check(_ bytes: [UInt8]) throws {
    let path = Files.temporaryName(beside: Files.joined(Files.temporaryFolder, "saving"))
    defer { try? Files.removeAll(path) }
    var laws = SavingLaws(input: bytes[...], path: path)
    Law.succeeds("an empty package can be saved") { try laws.package.save(to: path) }
    for _ in 0..<most where !laws.input.isEmpty { laws.step() }
    laws.save(.append)
    laws.save(.replace)
  }

  private init(input: ArraySlice<UInt8>, path: String) {
    self.input = input
    self.path = path
  }

  // MARK: Input

  private mutating func next() -> Int { Int(input.popFirst() ?? 0) }

  /// Few names, so that edits collide. Some differ in case only, some are invalid.
  private static let names = [
    "a", "A", "b", "b.png", "c.json", "d", "ü", "u\u{308}", "~", "..", "",
    "a-name-that-is-long-enough-to-be-shared-in-part", "a-name-that-is-long-enough-too",
  ]

  private mutating func nextPath() -> String {
    let byte = next()
    let depth = 1 + byte % 3
    let names = (0..<depth).map { _ in Self.names[next() % Self.names.count] }
    return names.joined(separator: "/")
  }

  /// Sizes around the block size.
  private static let sizes = [
    0, 1, 3, 17, 100, 500, 700, 2000, 5000, 7000, 30_000, Layout.packSize - 1, Layout.packSize,
    70_000, 200_000, Layout.blockSize + 1,
  ]

  private mutating func nextContents() -> [UInt8] {
    let size = Self.sizes[next() % Self.sizes.count]
    let seed = next()
    let (source, start) = seed.isMultiple(of: 2) ? (Self.ramp, 7 * seed) : (Self.noise, 97 * seed)
    return Array(source[start..<start + size])
  }

  // Contents are parts of these: making them byte by byte would take most of the time of a check.

  /// Bytes that can be compressed: each seven times.
  private static let ramp = (0..<Layout.blockSize + 2048).map { UInt8(truncatingIfNeeded: $0 / 7) }

  /// Bytes that cannot be compressed.
  private static let noise: [UInt8] = {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    return (0..<Layout.blockSize + 32_768).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }()

  // MARK: Steps

  private mutating func step() {
    switch next() % 16 {
    case 0, 1, 2:
      let executable = next().isMultiple(of: 4)
      let (path, contents) = (nextPath(), nextContents())
      set(.file(contents, isExecutable: executable), at: path)
    case 3: set(.directory, at: nextPath())
    case 4: set(.link(Self.names[next() % 7]), at: nextPath())
    case 5, 6: remove(nextPath())
    case 7: rename(nextPath(), to: Self.names[next() % Self.names.count])
    case 8: copy(nextPath(), to: nextPath())
    case 9, 10: save(.append)
    case 11: save(.replace)
    case 12: save(.automatic)
    case 13: failToSave([.append, .replace, .automatic][next() % 3])
    case 14: tear(next())
    default: reopen()
    }
  }

  private mutating func set(_ entry: ModelTree.Entry, at path: String) {
    // An edit with an invalid name must leave the tree unchanged. The comparison checks that.
    guard model.size < Self.mostBytes, (try? package.root.setFileNode(entry.node, at: path)) != nil
    else { return }
    model.set(entry, at: path)
  }

  private mutating func remove(_ path: String) {
    let removed = package.root.removeFileNode(at: path)
    Law.holds("'\(path)' is removed if it is there", (removed != nil) == model.remove(path))
  }

  private mutating func rename(_ name: String, to preferred: String) {
    guard
      let new = try? package.root.renameFileNode(named: name, preferredFilename: preferred)
    else { return }
    model.move(name, to: new)
  }

  /// Copies the node at one path to another, without reading its contents.
  private mutating func copy(_ from: String, to: String) {
    guard let node = package.root[from], !from.isEmpty, !model.isInside(to, of: from),
      2 * model.size < Self.mostBytes,
      (try? package.root.setFileNode(node, at: to)) != nil
    else { return }
    model.copy(from, to: to)
  }

  private mutating func save(_ mode: SaveMode) {
    let used = Law.succeeds("saving works") {
      try package.save(mode: mode, synchronizing: false)
    }
    checkMemory()
    checkDisk()
    guard used == .replace else { return }
    let packed = Law.succeeds("the same tree can be packed afresh") {
      try Container(root: model.tree()).encoded()
    }
    let saved = Law.succeeds("the file is there") { try Files.read(path) }
    Law.holds("a replaced file has the bytes of a newly packed one", saved == packed)
  }

  private mutating func failToSave(_ mode: SaveMode) {
    let before = Law.succeeds("the file is there") { try Files.read(path) }
    let unreadable = FileContents(size: 70_000) { _, _ in throw Diagnostic(.fileChanged) }
    let name = "unreadable"
    guard
      (try? package.root.setFileNode(FileNode(regularFileWithContents: unreadable), at: name))
        != nil
    else { return }
    let saved = (try? package.save(mode: mode, synchronizing: false)) != nil
    Law.holds("a package with unreadable contents cannot be saved", !saved)
    let after = Law.succeeds("the file is there") { try Files.read(path) }
    // Bytes after the last footer are the remains of an unfinished save and are not compared.
    let isKept = Law.succeeds("the file from before the failed save opens") {
      let (old, new) = try (Container(decoding: before), Container(decoding: after))
      return try before.starts(with: after) && old.root.treeDigest() == new.root.treeDigest()
    }
    Law.holds("a failed save leaves the file unchanged", isKept)
    package.root.removeFileNode(named: name)
  }

  /// Appends bytes to the file, as a killed save may leave them.
  private mutating func tear(_ count: Int) {
    save(.append)
    Law.succeeds("a file can be written") {
      let size = try Files.status(path)?.size ?? 0
      let garbage = (0..<count % 64).map {
        UInt8(truncatingIfNeeded: $0 &* 37 + count)
      }
      try garbage.withUnsafeBytes { try OpenFile(updating: path).write($0, at: size) }
    }
    reopen()
  }

  /// Opens the package again.
  private mutating func reopen() {
    save(.append)
    package = Law.succeeds("the saved package opens") { try Container(contentsOf: path) }
    checkMemory()
  }

  // MARK: Checks

  private func checkMemory() {
    Law.holds("the tree in memory equals the model", model.isSame(as: package.root))
  }

  private func checkDisk() {
    let reader = Law.succeeds("the saved package opens") { try ContainerReader(.file(path)) }
    let findings = Law.succeeds("verifying never throws") { try reader.verify(.full) }
    Law.holds("the saved package is sound: \(findings)", findings.allSatisfy { $0.rule == .torn })
    let tree = Law.succeeds("the saved package can be read") { try reader.tree() }
    Law.holds("the saved tree equals the model", model.isSame(as: tree))
  }
}

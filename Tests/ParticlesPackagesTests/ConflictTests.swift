import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Two at one package")
struct ConflictTests {
  private let scratch: Scratch
  private var path: String { scratch.file("a.particles") }

  init() throws { scratch = try Scratch() }

  private static func noise(_ count: Int, seed: UInt64) -> FileNode {
    FileNode(regularFileWithContents: SampleTree.noise(count, seed: seed))
  }

  @Test(
    "one that was replaced by another of the same layout has changed",
    arguments: [SaveMode.append, .replace])
  func sameLayout(mode: SaveMode) throws {
    let root = try FileNode(directoryWithFileNodes: [
      "a": Self.noise(1000, seed: 1), "b": Self.noise(100_000, seed: 9),
    ])
    try Container(root: root).write(to: path, as: .flat)
    var mine = try Container(contentsOf: path)
    var theirs = try Container(contentsOf: path)
    try theirs.root.setFileNode(Self.noise(1000, seed: 2), at: "a")
    try theirs.save(mode: .replace)
    let bytes = try Files.read(path)
    try mine.root.setFileNode(Self.noise(1, seed: 3), at: "c")
    expectThrows(.fileChanged) { try mine.save(mode: mode) }
    #expect(try Files.read(path) == bytes)
  }

  @Test(
    "what others save between the opening of a file and the reading of its package is not lost",
    arguments: SaveMode.allCases, SaveMode.allCases)
  func betweenOpeningAndReading(ours: SaveMode, theirs: SaveMode) throws {
    let root = try FileNode(directoryWithFileNodes: ["a": Self.noise(100_000, seed: 1)])
    try Container(root: root).write(to: path, as: .flat)
    let file = try ByteSource.file(path)
    var other = try Container(contentsOf: path)
    try other.root.setFileNode(Self.noise(1, seed: 2), at: "theirs")
    try other.save(mode: theirs)
    let bytes = try Files.read(path)
    var mine = try Container(opening: file, at: path, limits: .standard)
    #expect(mine.root["theirs"] == nil)
    try mine.root.setFileNode(Self.noise(1, seed: 3), at: "mine")
    expectThrows(.fileChanged) { try mine.save(mode: ours) }
    #expect(try Files.read(path) == bytes)
  }

  @Test("one that was written in place, too", arguments: [SaveMode.append, .replace])
  func inPlace(mode: SaveMode) throws {
    let root = try FileNode(directoryWithFileNodes: ["a": Self.noise(1000, seed: 1)])
    try Container(root: root).write(to: path, as: .flat)
    var mine = try Container(contentsOf: path)
    let other = try FileNode(directoryWithFileNodes: ["a": Self.noise(1000, seed: 2)])
    let bytes = try Container(root: other).encoded()
    try bytes.withUnsafeBytes { try OpenFile(updating: path).write($0, at: 0) }
    try mine.root.setFileNode(Self.noise(1, seed: 3), at: "c")
    expectThrows(.fileChanged) { try mine.save(mode: mode) }
    #expect(try Files.read(path) == bytes)
  }

  @Test("what others append while one is replaced is not lost")
  func appendingMeanwhile() throws {
    try Container(root: try SampleTree.large()).write(to: path, as: .flat)
    var mine = try Container(contentsOf: path)
    let theirs = Lock(try Container(contentsOf: path))
    let saved = Lock(false)
    try mine.root.setFileNode(Self.noise(1, seed: 1), at: "mine")
    let work = WorkOptions { _, _ in
      theirs.withLock { theirs in
        guard !saved.withLock({ $0 }) else { return }
        try? theirs.root.setFileNode(Self.noise(1, seed: 2), at: "theirs")
        guard (try? theirs.save(mode: .append)) == .append else { return }
        saved.withLock { $0 = true }
      }
    }
    expectThrows(.fileChanged) { try mine.save(mode: .replace, work: work) }
    #expect(saved.withLock { $0 })
    let package = try Container(contentsOf: path)
    #expect(package.root["theirs"] != nil && package.root["mine"] == nil)
    #expect(try Files.list(scratch.path) == ["a.particles"])
  }

  @Test("what others append while a save waits for their lock is not lost")
  func appendingBeforeLock() async throws {
    try Container(root: try SampleTree.small()).write(to: path, as: .flat)
    var mine = try Container(contentsOf: path)
    try mine.root.setFileNode(Self.noise(1, seed: 1), at: "mine")
    // What another program writes while it has the lock.
    let copy = scratch.file("copy.particles")
    try Files.create(copy, Files.read(path))
    var theirs = try Container(contentsOf: copy)
    try theirs.root.setFileNode(Self.noise(1, seed: 2), at: "theirs")
    try theirs.save(mode: .append)

    let holder = try OpenFile(updating: path)
    #expect(try holder.lock())
    let saving = Task.detached { [mine] () -> Rule? in
      var mine = mine
      do {
        try mine.save(mode: .append)
        return nil
      } catch let fault as Diagnostic {
        return fault.rule
      }
    }
    // Time for the first look at the file, before the lock. A task that sleeps may go on after other tests only, and the save
    // waits for the lock no longer than seconds.
    MonotonicClock.wait(seconds: 0.1)
    try Files.read(copy).withUnsafeBytes { try holder.write($0, at: 0) }
    holder.unlock()
    #expect(try await saving.value == .fileChanged)
    let package = try Container(contentsOf: path)
    #expect(package.root["theirs"] != nil && package.root["mine"] == nil)
  }

  @Test("what others change while a directory is replaced is not lost")
  func directory() throws {
    var mine = Container(root: try SampleTree.large())
    try mine.save(to: path, as: .directory)
    try mine.root.setFileNode(Self.noise(1, seed: 1), at: "mine")
    let theirs = Files.joined(path, "theirs")
    let work = WorkOptions { _, _ in
      if (try? Files.status(theirs)) == .some(nil) { try? Files.create(theirs, [1]) }
    }
    let fault = expectThrows(.fileChanged) { try mine.save(work: work) }
    #expect(fault?.location.entry == "theirs")
    #expect(try Files.read(theirs) == [1])
    #expect(try Files.list(scratch.path) == ["a.particles"])
  }

  @Test(
    "what others store in a directory as soon as it is saved is not lost",
    arguments: [["a"], ["a", "b"]])
  func directoryRightAfterSave(changed: [String]) async throws {
    var mine = Container(
      root: try FileNode(directoryWithFileNodes: [
        "a": Self.noise(1, seed: 1), "b": Self.noise(1, seed: 2),
      ]))
    try mine.save(to: path, as: .directory)
    let file = Files.joined(path, "a")
    for round in 1...20 {
      let (ours, theirs) = ([UInt8](repeating: UInt8(round), count: 9), [UInt8(round), 0])
      let other = Task.detached {
        // Without pauses, to be there before the save has flushed the folder.
        let deadline = Deadline(seconds: 60)
        while try Files.read(file) != ours, !deadline.isOver {}
        try SafeSave.file(file, replacing: true, flushing: false) { try $0.write(theirs) }
      }
      for name in changed {
        try mine.root.setFileNode(FileNode(regularFileWithContents: ours), at: name)
      }
      do {
        try mine.save()
        try await other.value
      } catch let fault as Diagnostic where fault.rule == .fileChanged {
        try await other.value
      }
      #expect(try Files.read(file) == theirs)
      try mine.root.setFileNode(Self.noise(3, seed: 3), at: "a")
      expectThrows(.fileChanged) { try mine.save() }
      #expect(try Files.read(file) == theirs)
      mine = try Container(contentsOf: path)
    }
  }

  @Test("of many that save at once, each change is kept or refused", arguments: SaveMode.allCases)
  func crowd(mode: SaveMode) async throws {
    try Container(root: try SampleTree.small()).write(to: path, as: .flat)
    let kept = try await withThrowingTaskGroup(of: String?.self) { group in
      for number in 0..<12 {
        group.addTask { [path] in
          var package = try Container(contentsOf: path)
          try package.root.setFileNode(Self.noise(100_000, seed: UInt64(number)), at: "\(number)")
          do {
            try package.save(mode: mode)
            return "\(number)"
          } catch Rule.fileChanged {
            return nil
          }
        }
      }
      return try await group.reduce(into: [String]()) { if let name = $1 { $0.append(name) } }
    }
    let package = try Container(contentsOf: path)
    #expect(!kept.isEmpty)
    for name in kept { #expect(package.root[name] != nil, "\(name)") }
    #expect(try package.verify().isEmpty)
  }

  @Test("a root that is no directory does not empty the package", arguments: SaveMode.allCases)
  func root(mode: SaveMode) throws {
    var package = Container(root: try SampleTree.small())
    try package.save(to: path)
    let bytes = try Files.read(path)
    package.root = Self.noise(1, seed: 1)
    expectThrows(.parent) { try package.save(mode: mode) }
    #expect(try Files.read(path) == bytes)
  }

  @Test("what exceeds the limits of a reader can be appended by whoever made it")
  func limit() throws {
    try Container(root: try SampleTree.small()).write(to: path, as: .flat)
    var limits = Limits()
    limits.entries = 20
    var package = try Container(contentsOf: path, limits: limits)
    for index in 0..<30 { try package.root.setFileNode(Self.noise(1, seed: 1), at: "c\(index)") }
    try package.save(mode: .append)
    try package.root.setFileNode(Self.noise(1, seed: 1), at: "x")
    try package.save(mode: .append)
    expectThrows(.limit) { try Container(contentsOf: path, limits: limits) }
    #expect(try Container(contentsOf: path).root["x"] != nil)
  }

  @Test("an unfinished save that was cut off is no warning any more")
  func warnings() throws {
    let bytes = try Container(root: try SampleTree.small()).encoded()
    try Files.create(path, bytes + [1, 2, 3])
    var package = try Container(contentsOf: path)
    #expect(package.warnings.count == 1)
    try package.root.setFileNode(Self.noise(1, seed: 1), at: "c")
    try package.save(mode: .append)
    #expect(package.warnings.isEmpty)
    #expect(try package.verify().isEmpty)
  }
}

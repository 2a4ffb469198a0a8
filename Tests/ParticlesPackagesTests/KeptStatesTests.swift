import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// States of a package that are kept while it is saved again and again.
@Suite("Kept states")
struct KeptStatesTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// The descriptors of this process for files in a folder, deleted ones included.
  private func descriptors(in folder: String) throws -> Int {
    try Files.list("/proc/self/fd").count {
      (try? Files.destination(ofLink: "/proc/self/fd/\($0)"))?.hasPrefix(folder) ?? false
    }
  }

  private func state(_ number: Int) -> [UInt8] {
    // Long enough not to share a block, and other bytes each time.
    SampleTree.noise(70_000, seed: UInt64(number))
  }

  @Test(
    "they are read from their files without a descriptor for each",
    .enabled(
      if: (try? Files.status("/proc/self/fd"))?.map(\.kind) == .directory,
      "descriptors are counted on Linux only"),
    arguments: [Container.Form.flat, .directory])
  func kept(form: Container.Form) throws {
    let path = scratch.file("a")
    // More than a process may usually have open.
    let count = Sample.isWhole ? 1100 : 60
    var package = Container()
    try package.save(to: path, as: form)
    var states: [Container] = []
    for number in 0..<count {
      try package.root.setFileNode(FileNode(regularFileWithContents: state(number)), at: "x")
      if form == .directory {
        // With another folder in it, the whole directory is replaced. Folders are not kept: each save writes all of them
        // anew, 600,000 in the end.
        package.root.removeFileNode(at: "\(number - 1)")
        try package.root.setFileNode(.emptyDirectory, at: "\(number)")
      }
      try package.save(mode: .replace)
      states.append(package)
    }
    // As many as are kept ready, less the descriptors of further tests in the process.
    #expect(try descriptors(in: scratch.path) <= 12)
    for (number, old) in states.enumerated() {
      #expect(try old.root["x"]?.regularFileContents() == state(number))
    }
    try Files.removeAll(path)
    for (number, old) in states.enumerated().dropLast() {
      #expect(try old.root["x"]?.regularFileContents() == state(number))
    }
    // A kept state becomes the stored state again.
    try states[5].save(to: path, as: form)
    #expect(try Container(contentsOf: path).root["x"]?.regularFileContents() == state(5))
  }

  @Test("a parked file is read until it becomes shorter, which is an error and no signal")
  func parked() throws {
    let path = scratch.file("a")
    let bytes = SampleTree.noise(100_000, seed: 1)
    try Files.create(path, bytes)
    let file = try OpenFile(readingAtOnce: path)
    file.makeParkable()
    file.park()
    guard file.isParked else { return }
    func read(_ range: Range<Int>) throws -> [UInt8] {
      try [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
        try file.read(at: range.lowerBound, into: UnsafeMutableRawBufferPointer(buffer))
        count = range.count
      }
    }
    #expect(try read(500..<90_000) == Array(bytes[500..<90_000]))
    #expect(try file.status().size == bytes.count)
    // Appended bytes can be read.
    let other = try OpenFile(updating: path)
    try bytes.withUnsafeBytes { try other.write($0, at: bytes.count) }
    #expect(try read(100_000..<200_000) == bytes)
    try Files.renameExclusively(path, scratch.file("b"))
    #expect(file.currentPath == scratch.file("b"))
    #expect(try file.status().size == 2 * bytes.count)
    try Files.removeAll(scratch.file("b"))
    #expect(file.currentPath == nil)
    #expect(try read(0..<100_000) == bytes)
    expectThrows(.fileChanged) { try file.status() }
    try other.truncate(to: 50_000)
    #expect(try read(0..<4096) == Array(bytes[..<4096]))
    expectThrows(.fileChanged) { try read(60_000..<70_000) }
    expectThrows(.fileChanged) { try read(60_000..<200_000) }
  }
}

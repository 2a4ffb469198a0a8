import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Automatic saves bound the number of generations. Each root lists the tables of all generations, so a file
/// that is only appended to grows with the square of the saves.
@Suite("Growth of saved packages")
struct GrowthTests {
  private let scratch: Scratch
  private var path: String { scratch.file("a.particles") }

  init() throws { scratch = try Scratch() }

  private static func text(_ text: String) -> FileNode {
    FileNode(regularFileWithContents: Array(text.utf8))
  }

  private func size() throws -> Int { try #require(try Files.status(path)).size }

  @Test("1,500 small saves: four generations and a few kilobytes, at any time")
  func small() throws {
    var package = Container(root: try SampleTree.small())
    try package.save(to: path)
    let size = try size()
    var most = 0
    for number in 0..<1500 {
      try package.root.setFileNode(Self.text("state \(number)"), at: "document.json")
      try package.save(synchronizing: false)
      most = max(most, try self.size())
      if number % 100 == 99 {
        #expect(try ContainerReader(.file(path)).generation <= 4)
        #expect(try Container(contentsOf: path).root.treeDigest() == package.root.treeDigest())
      }
    }
    #expect(most < 2 * size, "\(most) of \(size) bytes")
  }

  @Test("kept values do not change that, and stay readable and comparable")
  func kept() throws {
    var package = Container(root: try SampleTree.small())
    try package.save(to: path)
    var kept: [(value: Container, digest: ContentDigest)] = []
    var most = 0
    for number in 0..<400 {
      kept.append((package, try package.root.treeDigest()))
      let noise = SampleTree.noise(number % 7 == 0 ? 70_000 : 300, seed: UInt64(number))
      try package.root.setFileNode(
        FileNode(regularFileWithContents: noise), at: "Images/n\(number % 5).png")
      try package.save(synchronizing: false)
      most = max(most, try ContainerReader(.file(path)).generation)
    }
    #expect(most == 4)
    for (value, digest) in kept { #expect(try value.root.treeDigest() == digest) }
    for path in ["Notes/a-a.txt", "Scripts/check"] {
      #expect(kept[0].value.root[path] == package.root[path])
    }
    // Each can be saved again, in any order and mode.
    for index in [0, 399, 7, 200] {
      var value = kept[index].value
      #expect(try value.save(mode: index == 7 ? .replace : .automatic) != nil)
      #expect(try Container(contentsOf: path).root.treeDigest() == kept[index].digest)
      #expect(try value.verify().isEmpty)
    }
    for (value, digest) in kept { #expect(try value.root.treeDigest() == digest) }
    #expect(try Files.list(scratch.path) == ["a.particles"])
  }

  @Test("contents of a kept value can be unpacked, and packed into other packages")
  func copies() throws {
    var package = Container(root: try SampleTree.large())
    try package.save(to: path)
    let first = package
    let digest = try first.root.treeDigest()
    for number in 0..<3 {
      for index in 0..<20 {
        try package.root.setFileNode(
          Self.text("\(number) \(index)"), at: "Frames/\(index % 7)/f\(index).txt")
      }
      package.root.removeFileNode(at: "Cache/keys.txt")
      try package.save(mode: .replace)
    }
    try first.root.write(toDirectory: scratch.file("d"), synchronizing: false)
    #expect(try Container(contentsOf: scratch.file("d")).root.treeDigest() == digest)
    for reuses in [false, true] {
      let bytes = try first.encoded(PackingOptions(reusesBlocks: reuses))
      #expect(try Container(decoding: bytes).root.treeDigest() == digest)
    }
  }

  @Test("a large file has a generation for each MiB")
  func large() throws {
    let size = 6 << 20
    var package = Container(root: try SampleTree.small())
    try package.root.setFileNode(
      FileNode(regularFileWithContents: SampleTree.noise(size, seed: 1)), at: "film.mp4")
    try package.save(to: path)
    var modes: [SaveMode?] = []
    for number in 0..<13 {
      try package.root.setFileNode(Self.text("state \(number)"), at: "document.json")
      modes.append(try package.save(synchronizing: false))
    }
    // From the first generation to the sixth, then again.
    let round: [SaveMode?] = Array(repeating: .append, count: 5) + [.replace]
    #expect(modes == round + round + [.append])
    #expect(Container.generationLimit(ofFileSize: 0) == 4)
    #expect(Container.generationLimit(ofFileSize: 512 << 20) == 512)
  }
}

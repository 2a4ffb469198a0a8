import ParticlesArchives
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Exchange with common archivers: we read their archives, and they read ours. A program that is not
/// installed is skipped, and the skip is reported.
@Suite("Archives of others")
struct ForeignArchiveTests {
  private let scratch: Scratch
  private let tree: FileNode
  private let folder: String

  init() throws {
    scratch = try Scratch()
    tree = try SampleTree.small()
    folder = scratch.file("tree")
    try tree.write(toDirectory: folder)
  }

  private func expectTree(_ path: String, _ comment: Comment? = nil) throws {
    let opened = try #require(try OpenedFiles(path: path))
    #expect(opened.container.warnings.isEmpty)
    #expect(try opened.container.root.treeDigest() == tree.treeDigest(), comment)
  }

  private func run(_ program: String, _ arguments: String...) throws {
    let run = try Run(program, arguments, in: folder)
    #expect(run.status == 0, "\(program) \(arguments): \(run.errors)")
  }

  @Test("zip writes, we read", .needs("zip"))
  func zip() throws {
    let zip = try #require(Run.find("zip"))
    try run(zip, "-qry", "../a.zip", ".")
    try expectTree(scratch.file("a.zip"))
    try run(zip, "-qry0X", "../b.zip", ".")
    try expectTree(scratch.file("b.zip"))
    // To a pipe, sizes are behind the contents. Info-ZIP 3.0 refuses symbolic links there.
    var plain = try FileNode(directoryWithFileNodes: [:])
    for name in ["a.txt", "b/c.txt"] {
      try plain.setFileNode(
        FileNode(
          regularFileWithContents: Array("\(name) ".utf8) + Array(repeating: 65, count: 999)),
        at: name)
    }
    try plain.write(toDirectory: scratch.file("plain"))
    let piped = try Run(zip, ["-qr", "-", "."], in: scratch.file("plain"))
    #expect(piped.status == 0, "\(piped.errors)")
    try Files.create(scratch.file("c.zip"), piped.output)
    let opened = try #require(try OpenedFiles(path: scratch.file("c.zip")))
    #expect(try opened.container.root.treeDigest() == plain.treeDigest())
  }

  @Test("we write, unzip reads", .needs("unzip"))
  func unzip() throws {
    let unzip = try #require(Run.find("unzip"))
    _ = try ParticleFormat.zip.pack(tree, to: scratch.file("a.zip"))
    try run(unzip, "-tq", scratch.file("a.zip"))
    try run(unzip, "-q", scratch.file("a.zip"), "-d", scratch.file("out"))
    #expect(
      try FileNode(readingDirectory: scratch.file("out")).treeDigest() == tree.treeDigest())
  }

  @Test("tar and bsdtar, both ways and in each of their formats", arguments: ["tar", "bsdtar"])
  func tar(name: String) throws {
    guard let tar = Run.optional(name) else { return }
    let formats = name == "tar" ? ["gnu", "pax", "ustar"] : ["pax", "ustar", "gnutar", "zip"]
    for format in formats {
      let path = scratch.file("a.\(format)")
      let run = try Run(
        tar, ["--format", format, "-cf", path, "."], in: folder, environment: ["LC_ALL": "C.UTF-8"])
      #expect(run.status == 0, "\(format): \(run.errors)")
      try expectTree(path, "\(name) \(format)")
    }
    try run(tar, "-czf", scratch.file("a.tgz"), ".")
    try expectTree(scratch.file("a.tgz"))

    for format in ArchiveRoundTripTests.archives where format.name == "tar" || name == "bsdtar" {
      let out = scratch.file("out-\(format.name)")
      _ = try format.pack(tree, to: scratch.file("ours.\(format.name)"))
      try Files.makeDirectory(out)
      let extract = try Run(
        tar, ["-xf", scratch.file("ours.\(format.name)"), "-C", out],
        environment: ["LC_ALL": "C.UTF-8"])
      #expect(extract.status == 0 && extract.errors.isEmpty, "\(extract.errors)")
      #expect(try FileNode(readingDirectory: out).treeDigest() == tree.treeDigest())
    }
  }

  @Test("hard links become files, and long names of GNU are read", .needs("tar", "ln"))
  func gnu() throws {
    let (tar, ln) = (try #require(Run.find("tar")), try #require(Run.find("ln")))
    let name = String(repeating: "n", count: 200)
    try Files.create("\(folder)/\(name)", [1, 2, 3])
    try run(ln, name, "zz-second")
    try run(tar, "--format=gnu", "--sort=name", "-cf", scratch.file("a.tar"), ".")
    let opened = try #require(try OpenedFiles(path: scratch.file("a.tar"))).container
    #expect(try opened.root.treeDigest() == FileNode(readingDirectory: folder).treeDigest())
  }

  static let reader = """
    import hashlib, sys, zipfile
    archive = zipfile.ZipFile(sys.argv[1])
    assert archive.testzip() is None
    for entry in archive.infolist():
      assert entry.date_time == (1980, 1, 1, 0, 0, 0), entry
      print(oct(entry.external_attr >> 16), entry.file_size, entry.filename)
    """

  @Test(
    "Python reads what we write, also where all lengths have 64 bits", .needs("python3"),
    arguments: [100, 1 << 32])
  func python(longFrom: Int) throws {
    let python = try #require(Run.find("python3"))
    var bytes: [UInt8] = []
    var writer = ZIPWriter(longFrom: longFrom == 1 << 32 ? 0xFFFF_FFFF : longFrom) { bytes += $0 }
    _ = try writer.write(tree)
    try Files.create(scratch.file("a.zip"), bytes)
    try expectTree(scratch.file("a.zip"))
    let run = try Run(python, ["-c", Self.reader, scratch.file("a.zip")])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.text.contains("0o100755 17 Scripts/check\n"))
    #expect(run.text.contains("0o40755 0 Notes/größe/\n"))
    if let unzip = Run.optional("unzip") {
      #expect(try Run(unzip, ["-tq", scratch.file("a.zip")]).status == 0)
    }
  }

  @Test("Python writes, we read: compressed, to a pipe, with 64 bits", .needs("python3"))
  func pythonWrites() throws {
    let python = try #require(Run.find("python3"))
    let script = """
      import sys, zipfile
      class Pipe:
        def write(self, data): return sys.stdout.buffer.write(data)
        def flush(self): pass
      with zipfile.ZipFile(Pipe(), 'w', zipfile.ZIP_DEFLATED) as archive:
        archive.writestr('a.txt', 'text ' * 1000)
        with archive.open('b/größe.txt', 'w', force_zip64=True) as file: file.write(b'x' * 70000)
      """
    let run = try Run(python, ["-c", script])
    #expect(run.status == 0, "\(run.errors)")
    let root = try ParticleFormat.zip.unpack(run.output).root
    #expect(try root["a.txt"]?.regularFileContents()?.count == 5000)
    #expect(
      try root["b/größe.txt"]?.regularFileContents() == [UInt8](repeating: 0x78, count: 70000))
  }

  @Test("more entries than 16 bits count")
  func manyEntries() throws {
    var children: [String: FileNode] = [:]
    for index in 0..<66_000 { children["\(index)"] = FileNode(regularFileWithContents: []) }
    let large = try FileNode(directoryWithFileNodes: children)
    let bytes = try ParticleFormat.zip.packed(large).bytes
    #expect(try ParticleFormat.zip.unpack(bytes).root.children?.count == 66_000)
    if let unzip = Run.optional("unzip") {
      try Files.create(scratch.file("many.zip"), bytes)
      #expect(try Run(unzip, ["-tqq", scratch.file("many.zip")]).status == 0)
    }
  }
}

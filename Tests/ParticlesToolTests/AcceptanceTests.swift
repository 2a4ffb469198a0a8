import Particles
import ParticlesContainer
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// `Spec/container.md#acceptance`: commands that certify a package or write a new file from it accept the
/// packages that `verify` accepts, and no more.
@Suite("What commands accept")
struct AcceptanceTests {
  private let scratch: Scratch
  private var path: String { scratch.file("fire.particles") }

  init() throws { scratch = try Scratch() }

  /// The frames of a package.
  private func frames(_ bytes: [UInt8]) throws -> [(position: Int, head: FrameHeader)] {
    var frames: [(Int, FrameHeader)] = []
    var position = Layout.headerSize
    while position < bytes.count {
      let head = try FrameHeader(Array(bytes[position...].prefix(24)), at: position)
      frames.append((position, head))
      position += head.frameLength
    }
    return frames
  }

  /// An effect of three generations.
  private func effect() throws -> [UInt8] {
    var package = try #require(EffectTemplate.named("sparks")).package().container
    try package.save(to: path)
    for number in 0..<2 {
      try package.root.setFileNode(
        FileNode(regularFileWithContents: Array("note \(number)".utf8)), at: "Notes/a")
      try package.save(mode: .append, synchronizing: false)
    }
    return try Files.read(path)
  }

  /// Replaces a frame by one with another head and a right checksum.
  private func forge(
    _ bytes: [UInt8], _ number: Int, of kind: FrameKind,
    _ change: (inout FrameHeader, inout [UInt8]) -> Void
  ) throws -> [UInt8] {
    let found = try frames(bytes).filter { $0.head.kind == kind }[number]
    let start = found.position + Layout.frameHeaderSize
    let range = found.position..<found.position + found.head.frameLength
    var (head, payload) = (found.head, Array(bytes[start..<range.upperBound]))
    change(&head, &payload)
    let new = FrameHeader(kind, rawLength: head.rawLength, payload: payload, place: head.place)
    var forged = bytes
    forged.replaceSubrange(range, with: new.bytes + payload)
    return forged
  }

  /// Commands that certify the package or write a new file from it.
  private static let commands = [
    ["digest", "fire.particles"], ["unpack", "fire.particles", "-o", "out"],
    ["extract", "fire.particles", "-o", "out"], ["compact", "fire.particles"],
    ["pack", "fire.particles", "-o", "out.particles"],
    ["convert", "fire.particles", "-o", "out.plist", "--to", "cocos2d"],
    ["convert", "fire.particles", "-o", "out.zip"],
    ["convert", "fire.particles", "--to", "pixi", "--dry-run"],
  ]

  private func run(_ arguments: [String]) throws -> Run {
    try Run(
      Run.built("particles"), arguments, in: scratch.path,
      environment: ["XDG_DATA_HOME": scratch.file("data")])
  }

  @Test("a package that is sound in its last generation only is listed, and nothing is made of it")
  func commands() throws {
    let sound = try effect()
    let block = try #require(try frames(sound).filter { $0.head.kind == .data }.dropLast().last)
    var damaged = sound
    damaged[block.position + Layout.frameHeaderSize] ^= 1
    let forged = [
      try forge(sound, 0, of: .root) { head, _ in head.rawLength += 7 },
      try forge(sound, 0, of: .done) { _, payload in payload[0] = 7 },
      try forge(sound, 0, of: .blocks) { _, payload in payload[0] ^= 1 },
      damaged,
    ]
    for bytes in forged {
      #expect(bytes.count == sound.count && bytes != sound)
      try SafeSave.file(path, replacing: true) { try $0.write(bytes) }
      #expect(try run(["verify", "fire.particles"]).status == 1)
      for command in Self.commands {
        let run = try run(command)
        #expect(run.status == 2, "\(command): \(run.text)")
        #expect(run.errors.contains("[container/"), "\(command): \(run.errors)")
        #expect(try Files.list(scratch.path) == ["fire.particles"], "\(command)")
      }
      #expect(try Files.read(path) == bytes)
      #expect(try run(["list", "fire.particles"]).text.hasSuffix("Notes/a\ndocument.json\n"))
      // The tables of all generations are needed to find contents.
      let extracted = try run(["extract", "fire.particles", "Notes/a"])
      #expect(extracted.text == "note 1" || bytes == forged[2], "\(extracted.errors)")
      // What can be proved is everything here.
      let recovered = try run(["unpack", "--recover", "fire.particles", "-o", "rest"])
      #expect(recovered.status == 1, "\(recovered.errors)")
      #expect(try Files.read(scratch.file("rest/Notes/a")) == Array("note 1".utf8))
      try Files.removeAll(scratch.file("rest"))
    }
    // These commands accept the package as it was.
    try SafeSave.file(path, replacing: true) { try $0.write(sound) }
    for command in Self.commands.reversed() {
      #expect(try run(command).status == 0, "\(command)")
      for name in try Files.list(scratch.path) where name.hasPrefix("out") {
        try Files.removeAll(scratch.file(name))
      }
    }
  }

  @Test("of damaged images in one block, those are recovered whose own checksums are right")
  func images() throws {
    // Files with the chunks of an image in PNG.
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      var writer = ByteWriter()
      writer.bigEndian(UInt64(content.count), 4)
      writer.write(name.utf8)
      writer.write(content)
      writer.bigEndian(UInt64(CRC32.checksum(writer.bytes.dropFirst(4))), 4)
      return writer.bytes
    }
    let images = (0..<3).map { number in
      [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + chunk("IHDR", Array(0..<13))
        + chunk("IDAT", SampleTree.noise(3000, seed: UInt64(number))) + chunk("IEND", [])
    }
    var root = FileNode.emptyDirectory
    for (name, image) in zip(["a.png", "b.png", "c.png"], images) {
      try root.setFileNode(FileNode(regularFileWithContents: image), at: name)
    }
    var bytes = try Container(root: root).encoded()
    let block = try #require(try frames(bytes).first { $0.head.kind == .data })
    let start = block.position + block.head.frameLength / 2
    for offset in 0..<8 { bytes[start + offset] ^= 0x5A }
    try Files.create(path, bytes)
    let run = try run(["unpack", "--recover", "fire.particles", "-o", "rest"])
    #expect(run.status == 1)
    let found = try Files.list(scratch.file("rest"))
    #expect(found.contains("a.png") && !found.contains("b.png"), "\(run.errors)")
    for (name, image) in zip(["a.png", "b.png", "c.png"], images) where found.contains(name) {
      #expect(try Files.read(scratch.file("rest/\(name)")) == image)
    }
    #expect(run.errors.contains("b.png"))
  }
}

/// A link or a folder that the system refuses.
@Suite(
  "Refused calls",
  .enabled(if: FaultInjection.obstacle == nil, "\(FaultInjection.obstacle ?? ""): not tested"))
struct RefusedCallTests {
  @Test(
    "a link that cannot be read is an error with its path",
    arguments: [
      ("readlinkat", ["digest", "tree"]), ("readlinkat", ["pack", "tree", "-o", "out.particles"]),
      ("readlink", ["compact", "link.particles"]),
      ("readlink", ["edit", "link.particles", "name=x"]),
    ])
  func links(call: String, arguments: [String]) throws {
    let scratch = try Scratch()
    try Files.makeDirectory(scratch.file("tree"))
    try Files.create(scratch.file("tree/a"), [1])
    try Files.makeLink(scratch.file("tree/link.a"), to: "a")
    try #require(EffectTemplate.named("sparks")).package().container
      .write(to: scratch.file("fire.particles"), as: .flat)
    try Files.makeLink(scratch.file("link.particles"), to: "fire.particles")
    defer { withExtendedLifetime(scratch) {} }
    let injection = FaultInjection(Run.built("particles"), arguments, in: scratch.path)
    var point = try #require(try injection.points().first)
    point.call = call
    // The first calls may come from the runtime, which looks for its own program.
    for number in 1..<20 {
      point.number = number
      guard let (run, line) = try injection.run(.error("EACCES"), at: point) else { break }
      // A remark about other programs that have the document open is left out.
      guard line.contains("link."),
        run.errors.contains("permission denied [file/unreadable]")
      else { continue }
      #expect(run.status == 2, "\(line)")
      #expect(run.errors.contains("link."), "\(run.errors)")
      return
    }
    Issue.record("the link was not read")
  }

  @Test(
    "a save whose folder cannot be flushed reports that it was saved, and the next one goes on from it",
    arguments: [false, true])
  func unflushed(isDirectory: Bool) throws {
    let package = try #require(EffectTemplate.named("sparks")).package().container
    func stage() throws -> (Scratch, FaultInjection) {
      let scratch = try Scratch()
      try package.write(
        to: scratch.file("fire.particles"), as: isDirectory ? .directory : .flat)
      return (
        scratch,
        FaultInjection(
          Run.built("ParticlesSaveProbe"),
          ["fire.particles", "replace", "document.json", "new", "again"], in: scratch.path)
      )
    }
    // The file is flushed first, then its folder.
    let rehearsal = try stage()
    var point = try withExtendedLifetime(rehearsal.0) {
      try #require(try rehearsal.1.points().first { $0.call == "fsync" })
    }
    point.number = 2
    let (scratch, injection) = try stage()
    let (run, _) = try #require(try injection.run(.error("EIO"), at: point))
    #expect(run.text.contains("was saved, but its folder cannot be flushed"), "\(run.text)")
    #expect(run.text.contains("[file/unflushed]"))
    #expect(run.status == 0, "\(run.text)")
    let saved = try Container(contentsOf: scratch.file("fire.particles"))
    for name in ["document.json", "document.json again"] {
      #expect(try saved.root[name]?.regularFileContents() == Array("new".utf8))
    }
    #expect(try Files.list(scratch.path) == ["fire.particles"])
  }
}

import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Copies, and moves to another file system, have the permissions of the original, and are private before.
@Suite("Permissions of copies")
struct PrivateCopyTests {
  private let scratch: Scratch
  private let other: Other

  /// A folder on another file system, or in /tmp where there is none.
  private final class Other: Sendable {
    let path: String
    init() throws {
      let place = (try? Files.status("/dev/shm"))??.kind == .directory ? "/dev/shm" : "/tmp"
      path = "\(place)/particles-test-\(UInt64.random(in: 0...UInt64.max))"
      try Files.makeDirectory(path)
    }
    deinit { try? Files.removeAll(path) }
  }

  init() throws {
    scratch = try Scratch()
    other = try Other()
  }

  private static let isRoot = (try? Run(Run.find("id") ?? "id", ["-u"]))?.text == "0\n"

  private func chmod(_ path: String, _ mode: UInt32) throws {
    try OpenFile(reading: path).setMode(mode)
  }

  /// Copies by `duplicate`, and moves to another file system.
  private func both(_ path: String, _ check: (_ copy: String, _ isMoved: Bool) throws -> Void)
    throws
  {
    let copy = "\(path) copy"
    try DocumentPlaces.copy(path, to: copy)
    try check(copy, false)
    let moved = "\(other.path)/moved"
    try DocumentPlaces.move(path, to: moved, versions: nil)
    #expect(try Files.status(path) == nil)
    try check(moved, true)
    // And back, as from the trash of a volume.
    let back = scratch.file("back")
    try DocumentPlaces.move(moved, to: back, versions: nil)
    try check(back, true)
  }

  @Test(
    "files", arguments: [0o600, 0o400, 0o640, 0o644, 0o664, 0o700, 0o755, 0o777] as [UInt32])
  func files(_ mode: UInt32) throws {
    let path = scratch.file("a.txt")
    try Files.create(path, [1, 2, 3])
    try chmod(path, mode)
    try both(path) { (copy, _) throws in
      #expect(try Files.status(copy)?.mode == mode, "\(copy)")
      #expect(try Files.read(copy) == [1, 2, 3])
    }
  }

  @Test("folders, with all that is in them")
  func folders() throws {
    let path = scratch.file("a.particles")
    let modes: [(String, UInt32)] = [
      ("document.json", 0o600), ("inner/run", 0o750), ("inner/deep/x", 0o444),
      ("e\u{301}.txt", 0o640), ("inner/deep", 0o700), ("inner", 0o750), ("", 0o700),
    ]
    try Files.makeDirectories("\(path)/inner/deep")
    for (name, _) in modes
    where name.contains("document") || name.contains("run") || name.contains("x") {
      try Files.create("\(path)/\(name)", Array(name.utf8))
    }
    try Files.makeLink("\(path)/link", to: "document.json")
    for (name, mode) in modes { try chmod("\(path)/\(name)", mode) }
    try both(path) { (copy, _) throws in
      for (name, mode) in modes {
        let place = "\(copy)/\(UnicodeForms.composed(name))"
        #expect(try Files.status(place)?.mode == mode, "\(place)")
      }
      #expect(try Files.destination(ofLink: "\(copy)/link") == "document.json")
    }
  }

  @Test("a copy is private until it is complete")
  func window() throws {
    let tree = try FileNode(directoryWithFileNodes: [
      "a": FileNode(regularFileWithContents: [1])
    ])
    var temporary = ""
    try tree.write(toDirectory: scratch.file("new")) { folder in
      temporary = folder
      #expect(try Files.status(folder)?.mode == 0o700)
      #expect(try Files.status(scratch.file("new")) == nil)
      try chmod(folder, 0o750)
    }
    #expect(try Files.status(scratch.file("new"))?.mode == 0o750)
    #expect(try Files.status(temporary) == nil)
    // Where files cannot be without a name.
    try SafeSave.file(scratch.file("file"), replacing: false, private: true) { file in
      #expect(try file.status().mode == 0o600)
      #expect(try Files.status(scratch.file("file")) == nil)
      try file.setMode(0o640)
    }
    #expect(try Files.status(scratch.file("file"))?.mode == 0o640)
  }

  @Test("times are those of the original after a move, and new ones after a copy")
  func times() throws {
    let path = scratch.file("folder")
    try Files.makeDirectory(path)
    try Files.create("\(path)/document.json", [1])
    let touch = try #require(Run.find("touch"))
    for name in ["folder/document.json", "folder"] {
      _ = try Run.succeeding(touch, ["-d", "2020-01-02 03:04:05.123456789", scratch.file(name)])
    }
    let old = try #require(try Files.status(path)).state.nanoseconds
    try both(path) { (copy, isMoved) throws in
      for name in ["", "/document.json"] {
        #expect(try (Files.status(copy + name)?.state.nanoseconds == old) == isMoved)
      }
    }
    try Files.removeAll(scratch.file("back"))
    try Files.create(scratch.file("file"), [1])
    _ = try Run.succeeding(touch, ["-d", "2020-01-02 03:04:05.123456789", scratch.file("file")])
    try both(scratch.file("file")) { (copy, isMoved) throws in
      #expect(try (Files.status(copy)?.state.nanoseconds == old) == isMoved)
    }
  }

  /// Sets an attribute, and returns whether the file system has it.
  private func set(_ name: String, _ path: String, _ bytes: [UInt8]) -> Bool {
    (try? Files.setAttribute(name, of: path, to: bytes)) != nil
  }

  /// An access control list: the owner may do everything, the group nothing, user 12345 may read.
  private static let list: [UInt8] =
    [2, 0, 0, 0] + entry(1, 6) + entry(2, 4, 12345) + entry(4, 0) + entry(16, 4) + entry(32, 0)

  private static func entry(_ tag: UInt8, _ bits: UInt8, _ id: UInt32 = .max) -> [UInt8] {
    [tag, 0, bits, 0] + (0..<4).map { UInt8(truncatingIfNeeded: id >> (8 * $0)) }
  }

  @Test("extended attributes, with those of files in folders")
  func attributes() throws {
    let path = scratch.file("folder")
    try Files.makeDirectory(path)
    try Files.create("\(path)/document.json", [1])
    for name in ["", "/document.json"] {
      guard set("user.xdg.tags", path + name, Array("red".utf8)),
        set("user.xdg.tags", other.path, Array("x".utf8))
      else { return print("skipped: files have no attributes here") }
    }
    try both(path) { (copy, _) throws in
      for name in ["", "/document.json"] {
        #expect(Files.attribute("user.xdg.tags", of: copy + name) == Array("red".utf8))
      }
    }
  }

  @Test("access control lists; those of the folder are not added")
  func lists() throws {
    let name = "system.posix_acl_access"
    let (path, plain) = (scratch.file("a.txt"), scratch.file("plain.txt"))
    try Files.create(path, [1])
    try Files.create(plain, [1])
    try chmod(plain, 0o640)
    guard set(name, path, Self.list) else {
      return print("skipped: files have no access control lists here")
    }
    #expect(try Files.status(path)?.mode == 0o640)
    for folder in [scratch.path, other.path] {
      #expect(set("system.posix_acl_default", folder, Self.list))
    }
    try both(path) { (copy, _) throws in
      #expect(Files.attribute(name, of: copy) == Self.list, "\(copy)")
      #expect(try Files.status(copy)?.mode == 0o640)
    }
    try Files.removeAll(scratch.file("back"))
    try Files.removeAll("\(path) copy")
    try both(plain) { (copy, _) throws in
      #expect(Files.attribute(name, of: copy) == nil, "\(copy)")
      #expect(try Files.status(copy)?.mode == 0o640)
    }
  }

  @Test("where there are no access control lists, the group gets what the list gave it")
  func withoutLists() throws {
    let path = scratch.file("a.txt")
    try Files.create(path, [1])
    guard set("system.posix_acl_access", path, Self.list) else {
      return print("skipped: files have no access control lists here")
    }
    let folder = scratch.file("ram")
    try Files.makeDirectory(folder)
    guard (try? Run("/bin/mount", ["-t", "ramfs", "ramfs", folder]))?.status == 0 else {
      return print("skipped: no file system can be mounted")
    }
    defer { _ = try? Run("/bin/umount", ["-l", folder]) }
    try DocumentPlaces.move(path, to: "\(folder)/a.txt", versions: nil)
    #expect(try Files.status("\(folder)/a.txt")?.mode == 0o600)
  }

  @Test(
    "the owner, if we may give files away", .enabled(if: isRoot, "only root can give files away"))
  func owner() throws {
    let chown = try #require(Run.find("chown"))
    let path = scratch.file("folder")
    try Files.makeDirectory(path)
    try Files.create("\(path)/document.json", [1])
    _ = try Run.succeeding(chown, ["-R", "12345:23456", path])
    try chmod("\(path)/document.json", 0o4750)
    try both(path) { (copy, _) throws in
      for name in ["", "/document.json"] {
        let status = try #require(try Files.status(copy + name))
        #expect(status.owner == (12345, 23456))
        if !name.isEmpty { #expect(status.mode == 0o4750) }
      }
    }
  }

  @Test(
    "a copy of a file of somebody else has no rights of that owner, and no more for a group",
    .needs("setpriv"), .enabled(if: isRoot, "only root can be somebody else"))
  func somebodyElse() throws {
    let (setpriv, chown) = (try #require(Run.find("setpriv")), try #require(Run.find("chown")))
    let tool = Run.built("particles")
    let folder = "\(other.path)/open"
    try Files.makeDirectory(folder)
    for path in [other.path, folder] { try chmod(path, 0o777) }
    try Files.create("\(folder)/a.txt", [1])
    _ = try Run.succeeding(chown, ["12345:23456", "\(folder)/a.txt"])
    // Others may read, the group may not.
    try chmod("\(folder)/a.txt", 0o6704)
    let copied = try Run(
      setpriv,
      [
        "--reuid", "54321", "--regid", "54321", "--clear-groups", tool, "duplicate",
        "\(folder)/a.txt",
      ])
    #expect(copied.status == 0, "\(copied.errors)")
    let status = try #require(try Files.status("\(folder)/a 2.txt"))
    #expect(status.mode == 0o704 && status.owner == (54321, 54321))
  }
}

import Foundation
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

enum Unprivileged {
  /// The tool without the rights of root, or nil if that is not possible.
  static let command: [String]? = {
    let tool = Run.built("particles")
    if geteuid() != 0 { return [tool] }
    let setpriv = Run.find("setpriv") ?? "setpriv"
    let command = [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", tool]
    let run = try? Run(command[0], command.dropFirst() + ["--version"])
    return run?.status == 0 ? command : nil
  }()
}

/// What the system allows to a user who is not root.
@Suite(
  "Permissions",
  .enabled(if: Unprivileged.command != nil, "no setpriv here that runs the tool as another user"))
struct PermissionTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try OpenFile(reading: scratch.path).setMode(0o777)
    for name in ["tree", "drop", "data"] { try Files.makeDirectory(scratch.file(name)) }
    try OpenFile(reading: scratch.file("data")).setMode(0o777)
    try Files.create(scratch.file("tree/a"), [1])
  }

  /// Runs the tool with a data folder that the user can write to.
  private func run(_ arguments: String...) throws -> Run {
    let command = try #require(Unprivileged.command)
    return try Run(
      command[0], command.dropFirst() + arguments, in: scratch.path,
      environment: ["XDG_DATA_HOME": scratch.file("data")])
  }

  @Test("a folder in which names can be made but not listed is a place to save to")
  func dropBox() throws {
    let drop = try OpenFile(reading: scratch.file("drop"))
    try drop.setMode(0o333)
    defer { try? drop.setMode(0o777) }
    for _ in 0..<2 {
      for arguments in Self.saves {
        let run = try Run(arguments[0], Array(arguments.dropFirst()), in: scratch.path)
        #expect(run.status == 0, "\(run.errors)")
      }
    }
    try drop.setMode(0o777)
    #expect(try Files.list(scratch.file("drop")) == ["d", "flat"])
    #expect(try Files.read(scratch.file("drop/d/a")) == [1])
  }

  /// Command lines that save into the folder `drop`: a file, a directory.
  private static let saves = [
    ["pack", "tree", "-o", "drop/flat", "--force"],
    ["unpack", "drop/flat", "-o", "drop/d", "--force"],
  ].map { (Unprivileged.command ?? []) + $0 }

  @Test(
    "a new name is on the disk before the save ends, also in a folder that cannot be opened",
    .enabled(
      if: FaultInjection.obstacle == nil,
      "\(FaultInjection.obstacle ?? ""): the order of renaming and flushing is not tested"))
  func flushedName() throws {
    let drop = try OpenFile(reading: scratch.file("drop"))
    try drop.setMode(0o333)
    defer { try? drop.setMode(0o777) }
    // New files first, then in place of others.
    for _ in 0..<2 {
      for arguments in Self.saves {
        let calls = try FaultInjection(
          arguments[0], Array(arguments.dropFirst()), in: scratch.path
        ).calls()
        let rename = try #require(calls.lastIndex { $0.hasPrefix("rename") }, "\(calls)")
        #expect(calls[rename...].contains("syncfs"), "\(calls)")
      }
    }
    try drop.setMode(0o777)
    #expect(try Files.list(scratch.file("drop")) == ["d", "flat"])
  }

  @Test(
    "rights of a group that cannot be kept are not those of another",
    .enabled(if: geteuid() == 0, "only root has files of others"),
    arguments: [(0o660, 0o600), (0o664, 0o644), (0o640, 0o600), (0o666, 0o666)]
      as [(UInt32, UInt32)])
  func group(old: UInt32, new: UInt32) throws {
    try Files.create(scratch.file("a"), [1])
    try OpenFile(reading: scratch.file("a")).setMode(old)
    let run = try run("pack", "tree", "-o", "a", "--force")
    #expect(run.status == 0, "\(run.errors)")
    let status = try #require(try Files.status(scratch.file("a")))
    #expect(status.mode == new && status.owner == (65534, 65534))
  }

  // MARK: Editing

  /// A document of root with these permissions, in a folder with these permissions.
  private func document(_ mode: UInt32, in folder: String, _ folderMode: UInt32) throws -> String {
    let path = scratch.file("\(folder)/a.particles")
    try Files.makeDirectory(scratch.file(folder))
    let new = try Run(Run.built("particles"), ["new", path, "-t", "blank", "-q"])
    #expect(new.status == 0)
    try OpenFile(reading: path).setMode(mode)
    try OpenFile(reading: scratch.file(folder)).setMode(folderMode)
    return path
  }

  @Test(
    "a document of another user keeps its owner, and a folder without permission is not needed",
    .enabled(if: geteuid() == 0, "only root can create files of others"),
    arguments: [("shared", 0o777), ("closed", 0o755)] as [(String, UInt32)])
  func foreign(folder: String, mode: UInt32) throws {
    let path = try document(0o666, in: folder, mode)
    let old = try #require(try Files.status(path))
    let edited = try run("edit", path, "seed=1")
    #expect(edited.status == 0, "\(edited.errors)")
    #expect(edited.errors == "seed: not set -> 1\nsaved \(path)\n")
    let new = try #require(try Files.status(path))
    #expect(new.owner == old.owner && new.state.isSameFile(as: old.state))
    #expect(new.mode == 0o666 && new.size > old.size)
  }

  @Test(
    "what cannot be kept is reported, and what cannot be written is named",
    .enabled(if: geteuid() == 0, "only root can create files of others"))
  func refused() throws {
    let path = try document(0o644, in: "open", 0o777)
    let readOnly = try run("edit", path, "seed=1")
    #expect(readOnly.status == 2 && readOnly.errors.contains("[file/read-only]"))
    #expect(!readOnly.errors.contains("->"))
    let forced = try run("edit", path, "seed=1", "--force")
    #expect(forced.status == 0, "\(forced.errors)")
    #expect(forced.errors.contains("(expected 0:0, found 65534:65534) [file/owner]"))
    let owned = try #require(try Files.status(path))
    #expect(owned.owner == (65534, 65534))
    let closed = try document(0o644, in: "sealed", 0o755)
    let folder = scratch.file("sealed")
    let sealed = try run("edit", closed, "seed=1", "--force")
    #expect(sealed.status == 2 && sealed.errors.hasPrefix("particles: \(folder): error: "))
    let copy = try run("edit", closed, "seed=1", "-o", "\(folder)/b.particles")
    #expect(copy.status == 2 && copy.errors.hasPrefix("particles: \(folder): error: "))
    #expect(!copy.errors.contains("->"))
  }
}

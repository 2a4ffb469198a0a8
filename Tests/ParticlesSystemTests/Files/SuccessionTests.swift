import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("What a new file takes over from the old one")
struct SuccessionTests {
  /// Whether files in a folder can have attributes of their own here.
  private static let hasAttributes: Bool = {
    guard let scratch = try? Scratch() else { return false }
    try? Files.create(scratch.file("a"), [])
    let set = Run.find("setfattr") ?? "setfattr"
    return (try? Run(set, ["-n", "user.test", "-v", "1", scratch.file("a")]))?.status == 0
  }()

  private static let isRoot = (try? Run(Run.find("id") ?? "id", ["-u"]))?.text == "0\n"

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Replaces the file `a`, or the folder `a`.
  private func replace(asFolder: Bool) throws {
    if asFolder {
      try SafeSave.directory(scratch.file("a"), replacing: true) {
        try Files.create("\($0)/new", [])
      }
    } else {
      try SafeSave.file(scratch.file("a"), replacing: true) { try $0.write([2]) }
    }
  }

  private func create(asFolder: Bool) throws {
    let path = scratch.file("a")
    if asFolder { try Files.makeDirectory(path) } else { try Files.create(path, [1]) }
  }

  @Test("contents that were made of a file replace it only in the state that they were made of")
  func unchanged() throws {
    for isThere in [true, false] {
      let path = scratch.file("made \(isThere)")
      if isThere { try Files.create(path, [1]) }
      let before = try Files.status(path)?.state
      // In the body, what was read is older already.
      expectThrows(.fileChanged) {
        try SafeSave.file(
          path, replacing: true,
          { file in
            try SafeSave.file(path, replacing: true) { try $0.write([2]) }
            try file.write([3])
          }, confirm: SafeSave.unchanged(path, since: before))
      }
      #expect(try Files.read(path) == [2])
      let now = try Files.status(path)?.state
      try SafeSave.file(
        path, replacing: true, { try $0.write([4]) },
        confirm: SafeSave.unchanged(path, since: now))
      #expect(try Files.read(path) == [4])
    }
  }

  @Test(
    "extended attributes", .needs("setfattr", "getfattr"),
    .enabled(if: hasAttributes, "files have no attributes here"),
    arguments: [false, true])
  func attributes(asFolder: Bool) throws {
    let (set, get) = (try #require(Run.find("setfattr")), try #require(Run.find("getfattr")))
    try create(asFolder: asFolder)
    let long = String(repeating: "x", count: 1000)
    for (name, value) in [("user.comment", "größe"), ("user.empty", ""), ("user.long", long)] {
      #expect(try Run(set, ["-n", name, "-v", value, scratch.file("a")]).status == 0)
    }
    let before = try Run.succeeding(get, ["-d", "-m", "-", "a"], in: scratch.path).text
    try replace(asFolder: asFolder)
    let after = try Run.succeeding(get, ["-d", "-m", "-", "a"], in: scratch.path).text
    #expect(after == before)
    #expect(before.contains("user.comment") && before.contains(long))
  }

  @Test(
    "the owner, if we may give it away", .enabled(if: isRoot, "only root can give files away"),
    arguments: [false, true])
  func owner(asFolder: Bool) throws {
    let chown = try #require(Run.find("chown"))
    try create(asFolder: asFolder)
    #expect(try Run(chown, ["12345:23456", scratch.file("a")]).status == 0)
    try replace(asFolder: asFolder)
    let status = try #require(try Files.status(scratch.file("a")))
    #expect(status.owner == (12345, 23456))
  }

  @Test("permissions of a folder, those to read it alone among them")
  func permissions() throws {
    try create(asFolder: true)
    for mode in [0o750, 0o700, 0o555] as [UInt32] {
      try OpenFile(reading: scratch.file("a")).setMode(mode)
      try replace(asFolder: true)
      #expect(try Files.status(scratch.file("a"))?.mode == mode)
      try OpenFile(reading: scratch.file("a")).setMode(0o755)
    }
  }

  @Test("the replacement of a private file is private while it is written")
  func privacy() throws {
    try create(asFolder: false)
    try OpenFile(reading: scratch.file("a")).setMode(0o600)
    try SafeSave.file(scratch.file("a"), replacing: true) { file in
      let mode = try file.status().mode
      #expect(mode & 0o077 == 0)
    }
  }
}

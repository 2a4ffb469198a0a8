import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Modes of files that are installed for a desktop")
struct DesktopModeTests {
  private let scratch: Scratch
  private let environment: [String: String]

  init() throws {
    scratch = try Scratch()
    environment = scratch.desktop()
  }

  /// Runs the tool with a umask.
  /// - Parameter withDatabases: whether the programs that update databases are in `PATH`.
  private func particles(
    umask: String, _ arguments: [String], withDatabases: Bool = true
  ) throws {
    let words = ["-c", "umask \(umask); exec \"$0\" \"$@\"", Run.built("particles")] + arguments
    let path = withDatabases ? [:] : ["PATH": scratch.path]
    _ = try Run.succeeding("/bin/sh", words, environment: environment.merging(path) { $1 })
  }

  /// The modes of all files and folders below a folder, by their paths.
  private func modes(_ folder: String) throws -> [String: UInt32] {
    var modes: [String: UInt32] = [:]
    for name in try Files.list(folder) {
      let path = Files.joined(folder, name)
      let status = try #require(try Files.status(path, followingLinks: false))
      modes[path] = status.mode & 0o7777
      if status.kind == .directory { modes.merge(try self.modes(path)) { $1 } }
    }
    return modes
  }

  /// The modes that a tree has to have: programs begin with `#!`, and KDE shows menus
  /// of programs only.
  private func wanted(_ paths: some Sequence<String>) throws -> [String: UInt32] {
    try Dictionary(
      uniqueKeysWithValues: paths.map { path in
        if try Files.status(path)?.kind == .directory { return (path, 0o755) }
        let isProgram = try Files.read(path).starts(with: Array("#!".utf8))
        return (path, isProgram || path.contains("/servicemenus/") ? 0o755 : 0o644)
      })
  }

  /// A folder of the scratch folder that gets the files, and the arguments.
  private static let ways = [
    ("share", ["install"]), ("usr", ["install", "--prefix", "SCRATCH/usr"]),
    (
      "root",
      ["install", "--prefix", "/usr", "--program", "/usr/bin/particles", "--root", "SCRATCH/root"]
    ),
  ]

  @Test("they do not depend on the umask", arguments: ["000", "022", "077"], ways)
  func umasks(umask: String, way: (folder: String, arguments: [String])) throws {
    let arguments = way.arguments.map { $0.replacing("SCRATCH", with: scratch.path) }
    try particles(umask: umask, ["desktop"] + arguments)
    let found = try modes(scratch.path).filter { $0.key.contains("/\(way.folder)") }
    #expect(found.values.contains(0o755) && found.count > 10)
    #expect(try found == wanted(found.keys))
    let programs = found.keys.filter { $0.hasSuffix("/run-action") }
    #expect(programs.map { found[$0] } == [0o755])
  }

  @Test("an installation restores modes that an older version left to the umask")
  func older() throws {
    try particles(umask: "022", ["desktop", "install"], withDatabases: false)
    let found = try modes(scratch.file("share"))
    for path in found.keys { try Files.setMode(of: path, 0o777) }
    // Another program made this one.
    let other = scratch.file("share/applications/other.desktop")
    try Files.create(other, [])
    try Files.setMode(of: other, 0o666)
    try particles(umask: "000", ["desktop", "install"], withDatabases: false)
    var restored = try modes(scratch.file("share"))
    #expect(restored.removeValue(forKey: other) == 0o666)
    #expect(try restored == wanted(restored.keys))
  }

  @Test("settings that are made for the default program are private", arguments: ["000", "077"])
  func settings(umask: String) throws {
    try particles(umask: umask, ["desktop", "install", "--default"])
    #expect(try Files.status(scratch.file("config"))?.mode == 0o700)
    #expect(try Files.status(scratch.file("config/mimeapps.list"))?.mode == 0o644)
    // A file that the user has keeps its mode.
    try particles(umask: umask, ["desktop", "uninstall"])
    try Files.makeDirectory(scratch.file("config"))
    try Files.create(scratch.file("config/mimeapps.list"), Array("[Default Applications]\n".utf8))
    try Files.setMode(of: scratch.file("config/mimeapps.list"), 0o600)
    try particles(umask: umask, ["desktop", "install", "--default"])
    #expect(try Files.status(scratch.file("config/mimeapps.list"))?.mode == 0o600)
  }
}

import ParticlesContainer
import ParticlesDocuments
internal import ParticlesPlatform

/// A scripted session with a text or an effect, for tests that kill it: each edit is saved automatically and
/// then acknowledged with a line.
///
///     ParticlesSaveProbe session <document> <data folder> place|journal|hold <edits>
///
/// Nothing happens by a timer, so that a run makes the same system calls each time. With `hold`, the program edits and saves
/// again and again until it is killed, or its standard input ends, as it does with the test.
enum Session {
  static func run(
    _ path: String, data: String, inPlace: Bool, edits: Int, holding isHeld: Bool = false
  ) async throws {
    var configuration = DocumentConfiguration(dataFolder: data)
    configuration.autosave = .off
    configuration.isWatching = false
    configuration.presenceFolder = nil
    // The window is longer than the session, which saves by itself.
    if !inPlace { configuration.autosave = .recovery(seconds: 86_400) }
    if path.hasSuffix(".txt") {
      let document = Document<PlainText>(path: path, configuration: configuration)
      if isHeld { return try await hold(document) }
      try await session(document, inPlace: inPlace, edits) { $0.text = "state \($1)\n" }
    } else {
      let document = Document<FileTree>(path: path, configuration: configuration)
      try await session(document, inPlace: inPlace, edits) { tree, number in
        let node = FileNode(regularFileWithContents: Array("state \(number)\n".utf8))
        try tree.root.setFileNode(node, at: "state")
      }
    }
  }

  /// Whether there is nothing more to read.
  private static var inputHasEnded: Bool {
    var input = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    return poll(&input, 1, 0) > 0 && read(0, &byte, 1) <= 0
  }

  /// Edits a text and saves it, wherever that is possible, until the program is killed or its input ends.
  private static func hold(_ document: Document<PlainText>) async throws {
    try await document.open()
    var number = 0
    while !inputHasEnded {
      try await document.edit("Edit") { [number] in $0.text = "state \(number)\n" }
      try await document.autosave()
      number += 1
      try await Task.sleep(nanoseconds: 5_000_000)
    }
  }

  private static func session<Content>(
    _ document: Document<Content>, inPlace: Bool, _ edits: Int,
    _ edit: @Sendable (inout Content, Int) throws -> Void
  ) async throws {
    try await document.open()
    for number in 1...edits {
      try await document.edit("Edit") { try edit(&$0, number) }
      try await document.autosave()
      if inPlace == (await document.hasUnsavedChanges) { exit(3) }
      acknowledge("\(number)")
    }
    // The program ends without a save, as a crash does.
  }

  /// Edits a document together with other processes: each edit adds a file of its own, and is acknowledged
  /// when it is saved.
  ///
  ///     ParticlesSaveProbe share <document> <data folder> <name> <edits>
  static func share(_ path: String, data: String, name: String, edits: Int) async throws {
    var configuration = DocumentConfiguration(dataFolder: data)
    configuration.autosave = .off
    configuration.timeout = 60
    configuration.keepsVersions = false
    let document = Document<FileTree>(path: path, configuration: configuration)
    try await document.open()
    for number in 0..<edits {
      let node = FileNode(regularFileWithContents: Array("\(number)".utf8))
      try await document.edit("Edit") { try $0.root.setFileNode(node, at: "\(name)/\(number)") }
      try await document.save()
      acknowledge("\(name)/\(number)")
    }
    try await document.close()
  }

  /// One system call for each line, without a buffer that a signal could lose.
  private static func acknowledge(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }
}

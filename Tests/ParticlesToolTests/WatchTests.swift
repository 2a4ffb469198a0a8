import Foundation
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The real program, which waits for changes of a document.
@Suite("particles watch")
struct WatchTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func write(_ text: String, to name: String) throws {
    try SafeSave.file(scratch.file(name), replacing: true) { try $0.write(Array(text.utf8)) }
  }

  /// Runs `watch` and calls `change` until it ends.
  private func watch(
    _ options: [String], _ change: @Sendable @escaping (_ round: Int) throws -> Void
  ) throws -> Run {
    let ended = Lock(false)
    // A thread of its own, because the threads of tests may all be waiting for programs.
    Thread {
      var round = 0
      while !ended.withLock(\.self) {
        // The watching process does not tell when it watches, so changes are made until it ends.
        Thread.sleep(forTimeInterval: 0.05)
        round += 1
        if !ended.withLock(\.self) { try? change(round) }
      }
    }.start()
    defer { ended.withLock { $0 = true } }
    return try Run(
      Run.built("particles"), ["watch", scratch.file("a.txt")] + options, killedAfter: 240)
  }

  @Test("a command runs after each change, with the path in place of {}", .needs("echo"))
  func changes() throws {
    try write("0", to: "a.txt")
    let run = try watch(["--now", "--count", "3", "--", "echo", "changed", "{}"]) { round in
      try write("\(round)", to: "a.txt")
    }
    #expect(run.status == 0, "\(run.errors)")
    let line = "changed \(scratch.file("a.txt"))\n"
    #expect(run.text == line + line + line)
  }

  @Test("a script gets the path from the environment, and a shell runs nothing in it", .needs("sh"))
  func environment() throws {
    let name = "d$(touch ran)`touch ran` \"'\\ ;touch ran.txt"
    try write("0", to: name)
    let script = #"cd "${1%/*}" && test "$1" = "$PARTICLES_PATH" && env | grep -c ^PARTICLES_PATH="#
    let run = try Run(
      Run.built("particles"),
      ["watch", scratch.file(name), "--now", "--count", "1", "--", "sh", "-c", script, "-", "{}"],
      environment: ["PATH": Run.variable("PATH") ?? "/usr/bin:/bin", "PARTICLES_PATH": "old"],
      killedAfter: 240)
    #expect(run.status == 0 && run.text == "1\n", "\(run.errors)")
    #expect(try Files.list(scratch.path) == [name])
  }

  @Test("no help and no page has {} in a word for a shell")
  func words() throws {
    let help = try Run.succeeding(Run.built("particles"), ["help", "--markdown"]).text
    var texts = ["help": help]
    for name in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
      texts[name] = String(decoding: try Files.read(Repository.path(name)), as: UTF8.self)
    }
    var folders = [Repository.path("Spec")]
    while let folder = folders.popLast() {
      for name in try Files.list(folder) {
        let path = Files.joined(folder, name)
        if try Files.status(path)?.kind == .directory {
          folders.append(path)
        } else if name.hasSuffix(".md") {
          texts[path] = String(decoding: try Files.read(path), as: UTF8.self)
        }
      }
    }
    #expect(texts.count > 20)
    let word = /\bsh\s+-\w*c\s+(?:'[^']*\{\}|"[^"]*\{\})/
    for (name, text) in texts { #expect(!text.contains(word), "\(name)") }
    #expect(#"particles watch a -- sh -ec 'echo {}'"#.contains(word))
  }

  @Test("a failing command is the status; another time alone is no change", .needs("false"))
  func status() throws {
    try write("0", to: "a.txt")
    let old = try OpenFile(reading: Repository.path("README.md")).status().state
    let touched = Lock(0)
    let run = try watch(["--count", "1", "--", "false"]) { round in
      if round <= 20 {
        try OpenFile(updating: scratch.file("a.txt")).setModified(as: old)
        touched.withLock { $0 = round }
      } else {
        try write("new \(round)", to: "a.txt")
      }
    }
    #expect(run.status == 1 && run.errors.contains("ended with status 1"))
    #expect(touched.withLock(\.self) == 20)
  }

  @Test("a document that is missing or deleted, and a command that is missing, are errors")
  func errors() throws {
    let missing = try Run(
      Run.built("particles"), ["watch", scratch.file("none"), "--", "true"], killedAfter: 240)
    #expect(missing.status == 2 && missing.errors.contains("[file/not-found]"))
    try write("0", to: "a.txt")
    let program = try Run(
      Run.built("particles"),
      ["watch", scratch.file("a.txt"), "--now", "--", "no-such-program"], killedAfter: 240)
    #expect(program.status == 2 && program.errors.contains("no such program"))
    let deleted = try watch(["--", "true"]) { round in
      if round == 2 { try Files.removeAll(scratch.file("a.txt")) }
    }
    #expect(deleted.status == 2 && deleted.errors.contains("it was deleted"))
  }
}

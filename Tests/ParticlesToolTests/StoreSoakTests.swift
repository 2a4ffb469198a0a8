import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The real program edits, undoes and keeps versions, and is killed: kept versions can be read, and every
/// edit that has reached the document can be undone.
@Suite("Versions of programs that are killed")
struct StoreSoakTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try #require(EffectTemplate.named("fire")).package().container.write(to: document, as: .flat)
  }

  private var document: String { scratch.file("a.particles") }
  private var data: String { scratch.file("data") }
  private var environment: [String: String] { ["XDG_DATA_HOME": data] }

  private func run(_ words: String...) throws -> Run {
    try Run(Run.built("particles"), words, environment: environment)
  }

  private func seed() throws -> Int? {
    try EffectEditor(EffectPackage(Container(contentsOf: document))).value("seed")?.int
  }

  /// The program at a system call, where it is killed.
  private func kill(_ words: [String], at point: FaultInjection.Point) throws -> Bool {
    let injection = FaultInjection(
      try #require(Run.find("env")),
      ["XDG_DATA_HOME=\(data)", Run.built("particles")] + words, in: scratch.path)
    return try injection.run(.death, at: point) != nil
  }

  /// Calls that change something.
  private static let calls = [
    "write", "pwrite64", "rename", "openat", "flock", "unlink", "fsync",
  ]

  @Test(
    "killed at random system calls: versions verify, and edits that are in the document are undone",
    .enabled(
      if: FaultInjection.obstacle == nil,
      "\(FaultInjection.obstacle ?? ""): killed edits are not tested"))
  func killed() throws {
    var random = SeededGenerator(seed: 29)
    let wanted = Sample.isWhole ? 100 : 8
    var (kills, undone, round) = (0, 0, 0)
    let deadline = Deadline(seconds: Sample.isWhole ? 400 : 100)
    // Not every command makes as many calls.
    while kills < wanted || undone == 0, !deadline.isOver {
      round += 1
      let before = try seed()
      let value = 1000 + round
      let commands: [[String]] = [
        ["edit", document, "seed=\(value)"], ["edit", document, "seed=\(value)"],
        ["undo", document], ["redo", document], ["versions", document, "prune"],
        ["versions", document, "restore", "1"], ["versions", document, "delete", "2"],
      ]
      let command = commands[Int.random(in: 0..<commands.count, using: &random)]
      let call = Self.calls[Int.random(in: 0..<Self.calls.count, using: &random)]
      let number = Int.random(in: 1...(call == "openat" ? 40 : 6), using: &random)
      let point = FaultInjection.Point(call: call, number: number, last: number)
      if try kill(command, at: point) { kills += 1 }
      let subject = "\(command.dropFirst(command[0] == "edit" ? 2 : 0)) at \(point)"
      #expect(try Container(contentsOf: document).verify().isEmpty, "\(subject)")
      let check = try run("versions", document, "verify")
      #expect(check.status == 0, "\(subject): \(check.text)\(check.errors)")
      // Whatever the killed program has saved is undone by the next one.
      if command[0] == "edit", try seed() == value {
        let undo = try run("undo", document)
        #expect(undo.errors == "undid seed=\(value)\n", "\(subject)")
        #expect(try seed() == before, "\(subject)")
        undone += 1
      }
    }
    #expect(kills > 0 && undone > 0, "\(kills) kills, \(undone) undone in \(round) rounds")
    let edit = try run("edit", document, "seed=1")
    #expect(edit.status == 0 && !edit.errors.contains("warning"), "\(edit.errors)")
    #expect(try run("versions", document, "verify").status == 0)
  }

  @Test(
    "an edit that is killed at any call after its save is undone by the next program",
    .enabled(
      if: FaultInjection.obstacle == nil,
      "\(FaultInjection.obstacle ?? ""): killed edits are not tested"))
  func everyCall() throws {
    let injection = FaultInjection(
      try #require(Run.find("env")),
      ["XDG_DATA_HOME=\(data)", Run.built("particles"), "edit", document, "seed=7"],
      in: scratch.path)
    _ = try run("edit", document, "seed=5")
    let points = try injection.points()
    _ = try run("edit", document, "seed=5")
    var undone = 0
    for first in points {
      for point in first.times {
        guard try injection.run(.death, at: point) != nil else { break }
        guard try seed() == 7 else { continue }
        let undo = try run("undo", document)
        #expect(undo.errors == "undid seed=7\n" && undo.status == 0, "\(point): \(undo.errors)")
        #expect(try seed() == 5, "\(point)")
        undone += 1
      }
    }
    #expect(undone >= 2)
    #expect(try run("versions", document, "verify").status == 0)
  }

  @Test(
    "a data folder that is full is a warning, and the document is saved",
    .enabled(
      if: FaultInjection.obstacle == nil,
      "\(FaultInjection.obstacle ?? ""): full disks are not tested"))
  func full() throws {
    _ = try run("edit", document, "seed=1")
    var (told, number) = (0, 1)
    // `write` writes the document itself. In a sample of the calls the first calls fail.
    while Sample.isWhole || number <= 2 {
      let injection = FaultInjection(
        try #require(Run.find("env")),
        ["XDG_DATA_HOME=\(data)", Run.built("particles"), "edit", document, "seed=\(9 + number)"],
        in: scratch.path)
      let point = FaultInjection.Point(call: "pwrite64", number: number, last: number)
      guard let (run, call) = try injection.run(.error("ENOSPC"), at: point) else { break }
      if run.status == 0 {
        #expect(try seed() == 9 + number)
        #expect(run.errors.contains("[file/history]"), "\(call): \(run.errors)")
        #expect(run.errors.contains("no space left") && run.errors.contains("store.sqlite"))
        told += 1
      } else {
        // The failed call writes the document.
        #expect(run.errors.contains("no space left") && run.errors.contains("a.particles"))
      }
      #expect(try self.run("versions", document, "verify").status == 0)
      number += 1
    }
    #expect(told >= 2 && number > 2)
  }

  @Test(
    "programs that edit, undo and tidy up at the same time, and are killed, leave sound versions")
  func together() async throws {
    let seconds = Sample.isWhole ? 30.0 : 3
    let (deadline, end) = (Deadline(seconds: seconds), Deadline(seconds: seconds + 120))
    let (document, environment) = (document, environment)
    let done = try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<3 {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(worker))
          var (count, round, longest) = (0, 0, 150)
          while !deadline.isOver || count < 5 && !end.isOver {
            round += 1
            let commands: [[String]] = [
              ["edit", document, "extras.w\(worker)=\(round)"], ["undo", document],
              ["versions", document, "prune"], ["redo", document],
            ]
            let command = commands[worker == 2 ? round % 4 : round % 3 == 2 ? 1 : 0]
            let milliseconds = Int.random(in: 5...longest, using: &random)
            let run = try Run(
              Run.built("particles"), command, environment: environment,
              killedAfter: Double(milliseconds) / 1000)
            if run.status == 0 { count += 1 } else { longest += 5 }
          }
          return count
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(done.allSatisfy { $0 >= 5 }, "\(done)")
    #expect(try Container(contentsOf: document).verify().isEmpty)
    let check = try run("versions", document, "verify")
    #expect(check.status == 0, "\(check.text)\(check.errors)")
    #expect(try run("versions", document).status == 0)
    let edit = try run("edit", document, "seed=1")
    #expect(edit.status == 0 && !edit.errors.contains("warning"), "\(edit.errors)")
    #expect(try run("undo", document).errors == "undid seed=1\n")
  }

  @Test(
    "a copy that is killed leaves nothing; what a killed copy of a folder has left is removed later",
    .enabled(
      if: FaultInjection.obstacle == nil,
      "\(FaultInjection.obstacle ?? ""): killed copies are not tested"))
  func copies() throws {
    let folder = scratch.file("folder")
    try Files.makeDirectory(folder)
    try Files.rename(document, "\(folder)/a.particles")
    try #require(EffectTemplate.named("fire")).package().container
      .write(to: "\(folder)/d.particles", as: .directory)
    let names = try Files.list(folder)
    for name in names {
      let injection = FaultInjection(
        Run.built("particles"), ["duplicate", "\(folder)/\(name)", "\(folder)/copy"],
        in: scratch.path)
      let points = try injection.points()
      try Files.removeAll("\(folder)/copy")
      var count = 0
      for first in points {
        for point in first.times {
          guard try injection.run(.death, at: point) != nil else { break }
          count += 1
          let left = try Files.list(folder).filter { !names.contains($0) }
          if name == "a.particles" {
            #expect(left.isEmpty || left == ["copy"], "\(point): \(left)")
          }
          for item in left where item.hasPrefix(".") {
            // As if it had been left a while ago.
            _ = try Run.succeeding(
              try #require(Run.find("touch")), ["-d", "5 minutes ago", "\(folder)/\(item)"])
          }
          // Another operation in the folder.
          let other = try run("duplicate", "\(folder)/a.particles", "\(folder)/other")
          #expect(other.status == 0)
          try Files.removeAll("\(folder)/other")
          if left.contains("copy") { try Files.removeAll("\(folder)/copy") }
          #expect(try Files.list(folder) == names, "\(point)")
        }
      }
      #expect(count >= 2)
    }
  }
}

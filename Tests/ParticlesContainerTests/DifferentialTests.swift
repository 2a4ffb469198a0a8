import Foundation
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Our readers against the reader in Python and the reader of pages, on packages that two generators make:
/// `PackageMutants` and `GenerationMutants`, in turn.
///
/// `make differential COUNT=100000 SEED=1` runs it for longer. The suite makes a short run.
@Suite("Differential reading", .needs("python3"))
struct DifferentialTests {
  private static func setting(_ name: String, _ standard: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
  }

  /// How often readers accepted packages with a fault of one kind.
  private struct Tally {
    var count = 0
    var accepted = 0
    /// Accepted by readers, but not by a verification of all generations.
    var unverified = 0
  }

  @Test("file, pipe, commands, Python and pages accept the same packages and see the same tree")
  func readers() throws {
    let count = Self.setting("PARTICLES_DIFFERENTIAL_COUNT", 600)
    let seed = Self.setting("PARTICLES_DIFFERENTIAL_SEED", 1)
    let seconds = Double(Self.setting("PARTICLES_DIFFERENTIAL_SECONDS", 3600))
    let python = try ForeignReader(python: #require(Run.find("python3")))
    let pages = try Run.optional("node").map { try ForeignReader(node: $0) }
    let scratch = try Scratch()
    var mutants = try PackageMutants(seed: UInt64(seed))
    var generations = GenerationMutants(seed: UInt64(seed))
    var random = SeededGenerator(seed: UInt64(seed) ^ 0xDA)
    var (torn, done, differences) = (0, 0, 0)
    var tallies: [String: Tally] = [:]
    let start = Date()
    while done < count, Date().timeIntervalSince(start) < seconds {
      var name = "any"
      let bytes: [UInt8]
      if done.isMultiple(of: 2) {
        bytes = try mutants.next()
      } else {
        let package = generations.next()
        bytes = package.bytes
        name = "\(package.place.rawValue): \(package.kind)"
      }
      done += 1
      let answer = try python.judge(bytes)
      let file = Differential.judge(bytes)
      let verification = Differential.verify(bytes)
      var fault = Self.difference(answer, file, verification)
      fault = try fault ?? Self.difference(pages?.judge(bytes), file)
      fault = try fault ?? Self.differenceOfPipe(bytes, file, scratch)
      for (name, judged) in Differential.commands(bytes, in: scratch.file("unpacked"))
      where judged.digest != file.digest {
        fault = fault ?? "file: \(file); \(name): \(judged)"
      }
      fault = fault ?? Differential.faultOfRecovery(bytes, file.digest)
      if file.digest != nil, fault == nil {
        fault = try Differential.faultOfDamage(bytes, &random)
      }
      if let fault {
        differences += 1
        let path = Self.keep(bytes, "\(seed)-\(done)")
        Issue.record("\(name): \(fault); \(path)")
        if differences >= 20 { break }
      }
      tallies[name, default: Tally()].count += 1
      if file.digest != nil {
        tallies[name]?.accepted += 1
        if verification != nil { tallies[name]?.unverified += 1 }
      }
      if !file.warnings.isEmpty { torn += 1 }
    }
    #expect(try python.finish() == 0)
    if let pages { #expect(try pages.finish() == 0) }
    let accepted = tallies.values.reduce(0) { $0 + $1.accepted }
    print(
      "differential: \(done) packages of seed \(seed), \(accepted) accepted, \(torn) with an "
        + "unfinished save, \(differences) differences")
    for (name, tally) in tallies.sorted(by: { $0.key < $1.key }) {
      print(
        "  \(name): \(tally.count), accepted \(tally.accepted), of these refused by verify "
          + "\(tally.unverified)")
    }
    // All answers must be common, or little was compared.
    #expect(accepted > done / 5 && accepted < done * 4 / 5 && torn > done / 100)
    for kind in GenerationMutants.Kind.allCases where kind.isContents && done >= 10_000 {
      let tally = try #require(tallies["in an earlier generation: \(kind)"])
      #expect(tally.accepted > 0 && tally.unverified > 0, "\(kind)")
    }
  }

  /// The difference between file and Python, or nil.
  private static func difference(
    _ answer: ForeignReader.Answer, _ file: Judgement, _ verification: Diagnostic?
  ) -> String? {
    guard answer.digest == file.digest?.description,
      answer.digest == nil || answer.torn == tail(file)
    else { return "file: \(file), torn \(tail(file)); Python: \(answer)" }
    let isVerified = verification == nil
    if answer.isVerified != isVerified {
      return "verify: \(verification?.description ?? "sound"); Python: \(answer)"
    }
    return nil
  }

  /// The difference between file and page, or nil.
  private static func difference(
    _ answer: ForeignReader.Answer?, _ file: Judgement
  ) -> String? {
    guard let answer else { return nil }
    guard answer.digest == file.digest?.description,
      answer.digest == nil || answer.torn == tail(file)
    else { return "file: \(file), torn \(tail(file)); page: \(answer)" }
    return nil
  }

  /// The length of an unfinished save.
  private static func tail(_ file: Judgement) -> Int {
    file.warnings.first?.found?.split(separator: " ").first.flatMap { Int($0) } ?? 0
  }

  /// The difference between file and pipe, without limits and with the limits of a command, or nil.
  private static func differenceOfPipe(
    _ bytes: [UInt8], _ file: Judgement, _ scratch: Scratch
  ) throws -> String? {
    let pipe = try Differential.unpack(bytes, to: scratch.file("out"))
    guard pipe.digest == file.digest, pipe.digest == nil || tail(pipe) == tail(file) else {
      return "file: \(file), torn \(tail(file)); pipe: \(pipe), torn \(tail(pipe))"
    }
    let limited = Differential.judge(bytes, limits: .standard)
    let other = try Differential.unpack(bytes, to: scratch.file("out"), limits: .standard)
    if other.digest != limited.digest { return "with limits: \(limited); pipe: \(other)" }
    return nil
  }

  /// Keeps a package for a look at it.
  private static func keep(_ bytes: [UInt8], _ name: String) -> String {
    let path = Files.joined(Files.temporaryFolder, "differential-\(name).particles")
    try? SafeSave.file(path, replacing: true) { try $0.write(bytes) }
    return path
  }
}

import Foundation
import ParticlesContainer
import ParticlesCore
import ParticlesTestSupport
import Testing

/// Our readers against the reader in Python, on packages that the mutant generator makes.
///
/// `make differential COUNT=100000 SEED=1` runs it for longer; the suite makes a short run.
@Suite("Differential reading", .needs("python3"))
struct DifferentialTests {
  private static func setting(_ name: String, _ standard: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
  }

  @Test("file, pipe, commands and Python accept the same packages and see the same tree")
  func readers() throws {
    let count = Self.setting("PARTICLES_DIFFERENTIAL_COUNT", 600)
    let seed = Self.setting("PARTICLES_DIFFERENTIAL_SEED", 1)
    let seconds = Double(Self.setting("PARTICLES_DIFFERENTIAL_SECONDS", 3600))
    let python = try PythonReader(#require(Run.find("python3")))
    let scratch = try Scratch()
    var mutants = try PackageMutants(seed: UInt64(seed))
    var random = SeededGenerator(seed: UInt64(seed) ^ 0xDA)
    var (accepted, torn, done, differences) = (0, 0, 0, 0)
    let start = Date()
    while done < count, Date().timeIntervalSince(start) < seconds {
      let bytes = try mutants.next()
      done += 1
      let answer = try python.judge(bytes)
      let file = Differential.judge(bytes)
      let pipe = try Differential.unpack(bytes, to: scratch.file("out"))
      var fault = Self.difference(answer, file, pipe)
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
        Issue.record("\(fault); \(path)")
        if differences >= 20 { break }
      }
      if file.digest != nil { accepted += 1 }
      if !file.warnings.isEmpty { torn += 1 }
    }
    #expect(try python.finish() == 0)
    print(
      "differential: \(done) packages of seed \(seed), \(accepted) accepted, \(torn) with an "
        + "unfinished save, \(differences) differences")
    // All answers must be common, or little was compared.
    #expect(accepted > done / 5 && accepted < done * 4 / 5 && torn > done / 100)
  }

  /// What differs; nil if nothing does.
  private static func difference(
    _ answer: String, _ file: Judgement, _ pipe: Judgement
  ) -> String? {
    let fields = answer.split(separator: " ")
    if let digest = file.digest {
      let torn = file.warnings.first?.found?.split(separator: " ").first ?? "0"
      guard fields.first == "accepted", fields.count == 4 else {
        return "file accepts, Python: \(answer)"
      }
      guard fields[1] == digest.description, fields[3] == torn else {
        return "file: \(digest), torn \(torn); Python: \(answer)"
      }
      // From a pipe, a package of several generations is refused: as such, or for a fault of the first.
      let isFirst = fields[2] == "1"
      guard pipe.digest == (isFirst ? digest : nil),
        !isFirst || pipe.warnings.count == file.warnings.count
      else { return "file: \(file); pipe: \(pipe)" }
    } else {
      if fields.first != "refused" { return "file: \(file); Python: \(answer)" }
      if pipe.digest != nil { return "file: \(file); pipe accepts" }
    }
    return nil
  }

  /// Keeps a package for a look at it.
  private static func keep(_ bytes: [UInt8], _ name: String) -> String {
    let path = Files.joined(Files.temporaryFolder, "differential-\(name).particles")
    try? SafeSave.file(path, replacing: true) { try $0.write(bytes) }
    return path
  }
}

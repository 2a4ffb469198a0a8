import ParticlesContainer
import ParticlesCore
import ParticlesTestSupport
import Testing

/// At every system call of the real program that changes something: after a crash, a document opens
/// as the old one or the new one. After a refused call, it opens as the old one.
@Suite(
  "Faults while saving",
  .enabled(
    if: FaultInjection.obstacle == nil,
    "\(FaultInjection.obstacle ?? ""): what death and full disks do to a save is not tested"))
struct FaultTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Plays a scenario on stages of its own, with a fault at one point at a time.
  private func everyPoint(
    of scenario: FaultScenario, _ points: [FaultInjection.Point], _ fault: FaultInjection.Fault,
    _ body: (FaultStage, FaultInjection.Point, Run, _ call: Substring) throws -> Void
  ) throws -> Int {
    var count = 0
    for first in points {
      for point in first.times {
        let stage = try scenario.stage(scratch, "\(fault) \(point)")
        guard let (run, call) = try stage.injection.run(fault, at: point) else { break }
        try body(stage, point, run, call)
        count += 1
        try #require(point.number < 999)
      }
    }
    return count
  }

  /// The digests before and after, and the points at which something can happen between.
  private func rehearse(
    _ scenario: FaultScenario
  ) throws -> (old: ContentDigest?, new: ContentDigest?, points: [FaultInjection.Point]) {
    let stage = try scenario.stage(scratch, "rehearsal")
    let old = try stage.digest()
    let points = try stage.injection.points()
    #expect(try stage.leftovers() == [] && Set(stage.names()) == ["fire", "other"])
    return (old, try stage.digest(), points)
  }

  @Test("killed at any call: the old document or the new one", arguments: FaultScenario.all)
  func death(_ scenario: FaultScenario) throws {
    let (old, new, points) = try rehearse(scenario)
    var seen: Set<ContentDigest?> = []
    let count = try everyPoint(of: scenario, points, .death) { stage, point, _, _ in
      let digest = try stage.digest()
      #expect(digest == old || digest == new, "\(point)")
      seen.insert(digest)
      let extra = Set(try stage.names()).subtracting(["fire", "other"])
      #expect(try Set(stage.leftovers()) == extra, "\(point)")
      let again = try stage.saveAgain()
      #expect(again.status == 0, "\(point): \(again.errors)")
      #expect(try stage.digest() == new, "\(point)")
      #expect(try stage.names() == ["fire", "other"], "\(point)")
    }
    #expect(seen == [old, new])
    #expect(count >= 5)
  }

  @Test("what takes a place is on the disk before it does", arguments: FaultScenario.all)
  func order(_ scenario: FaultScenario) throws {
    let stage = try scenario.stage(scratch, "order")
    let calls = try stage.injection.points().map(\.call)
    guard let rename = calls.firstIndex(where: { $0.hasPrefix("rename") }) else { return }
    // One call for all that is in a new directory.
    let isDirectory = calls.contains { $0.hasPrefix("mkdir") }
    let wait = try #require(calls.firstIndex(of: isDirectory ? "syncfs" : "fsync"))
    #expect(wait < rename, "\(calls)")
  }

  /// Calls whose failure is no reason not to save: rights that cannot be given away, missing locks,
  /// and files that are tidied up.
  private static let forgivable: Set = [
    "fchown", "fsetxattr", "flock", "unlink", "unlinkat", "rmdir",
  ]

  /// Whether it is worth trying: a file system does not become read-only under an open file.
  private static func canFail(_ call: String, _ code: String) -> Bool {
    if forgivable.contains(call) { return false }
    let isByName = ["open", "rename", "mkdir", "symlink"].contains { call.hasPrefix($0) }
    return isByName ? code != "EIO" : code != "EROFS"
  }

  @Test(
    "refused at any call: status 2, the path of the user, the old document, nothing beside it",
    arguments: FaultScenario.all)
  func refusal(_ scenario: FaultScenario) throws {
    let (old, new, points) = try rehearse(scenario)
    var total = 0
    for code in ["ENOSPC", "EIO", "EROFS"] {
      let known: Set = old == nil ? ["other"] : ["fire", "other"]
      let fatal = points.filter { Self.canFail($0.call, code) }
      total += try everyPoint(of: scenario, fatal, .error(code)) { stage, point, run, call in
        // Messages to the user are no part of the document, and neither are reads.
        if call.contains(/write\([12],/) { return }
        if point.call.hasPrefix("open") && !call.contains("O_CREAT") { return }
        #expect(run.status == 2, "\(code), \(call)")
        let message = run.errors + run.text
        #expect(message.contains("fire") && !message.contains(".tmp"), "\(call): \(message)")
        let digest = try stage.digest()
        // A file that has its place already cannot go back. A loss of power may still take it away.
        let isLate = point.call == "fsync" && digest == new
        #expect(digest == old || isLate, "\(code), \(call)")
        if old != new {
          let isTold = message.contains("[file/unflushed]")
          #expect(isLate == isTold, "\(code), \(call): \(message)")
        }
        #expect(Set(try stage.names()) == (isLate ? ["fire", "other"] : known), "\(code), \(call)")
      }
    }
    #expect(total >= 8)
  }
}

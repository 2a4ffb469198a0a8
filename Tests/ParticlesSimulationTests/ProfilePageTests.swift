import Foundation
import ParticlesCore
@testable import ParticlesModel
import ParticlesTestSupport
import Testing

@Suite("Spec/profiles.md")
struct ProfilePageTests {
  @Test("the table of laws is that of the library")
  func laws() throws {
    try Golden.checkSection("laws", of: "Spec/profiles.md", is: EngineLaw.markdown)
  }

  @Test("the table of switches is that of the library")
  func switches() throws {
    try Golden.checkSection("switches", of: "Spec/profiles.md", is: EngineLaw.switchesMarkdown)
  }

  @Test("the tables of evidence are those of the library")
  func evidence() throws {
    try Golden.checkSection(
      "evidence-kinds", of: "Spec/profiles.md", is: EngineLaw.evidenceKindsMarkdown)
    try Golden.checkSection("evidence", of: "Spec/profiles.md", is: EngineLaw.evidenceMarkdown)
  }

  @Test("every switch of every law has evidence, and where it is from")
  func lines() throws {
    let names = try #require(EngineLaw.all.first).lines.map(\.name)
    for row in EngineLaw.all {
      #expect(row.lines.map(\.name) == names)
      for exception in row.exceptions {
        for name in exception.names {
          #expect(names.contains(name), "\(row.profile.rawValue) \(name)")
        }
      }
      for (line, neutral) in zip(row.lines, EngineLaw.all[0].lines) {
        let what = "\(line.profile.rawValue) \(line.name)"
        #expect(line.source.isEmpty == (line.evidence == .unused), "\(what)")
        // What differs from `neutral` was found out, and matters.
        if line.value != neutral.value {
          #expect([.recorded, .read].contains(line.evidence), "\(what)")
        }
      }
    }
  }

  @Test("a profile says how its law is known, also where it is not")
  func evidenceOfProfiles() {
    let count = EngineLaw.all[0].lines.count
    for profile in EngineLaw.all.map(\.profile) {
      #expect(profile.evidence == EngineLaw.all.first { $0.profile == profile }?.lines)
    }
    for (profile, engine) in [
      (Profile.defold, "Defold"), (Profile(rawValue: "of my own"), "of my own"),
    ] {
      #expect(profile.evidence.count == count)
      #expect(profile.evidence.allSatisfy { $0.evidence == .assumed && $0.engine == engine })
      #expect(zip(profile.evidence, EngineLaw.all[0].lines).allSatisfy { $0.value == $1.value })
    }
    #expect(Profile.libgdx.evidence.first { $0.name == "death" }?.evidence == .read)
  }

  @Test("every value of a switch other than that of neutral is used by a law")
  func used() {
    let neutral = EngineLaw()
    let laws = EngineLaw.all.map(\.law)
    func check<S: Explained & Hashable>(_ value: (EngineLaw) -> S) {
      let used = Set(laws.map(value))
      for item in S.allCases where item != value(neutral) {
        #expect(used.contains(item), "\(S.self) \(item.rawValue)")
      }
    }
    check(\.order)
    check(\.firstStep)
    check(\.account)
    check(\.clock)
    check(\.death)
    check(\.ages)
    check(\.integrator)
    check(\.motion)
    check(\.evaluation)
    check(\.share)
    check(\.lifetimes)
    check(\.clamping)
    check(\.drag)
    check(\.ellipse)
  }
}

import Foundation
import ParticlesCore
import ParticlesModel
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

  @Test("every value of a switch other than that of neutral is used by a law")
  func used() {
    let neutral = EngineLaw()
    let laws = EngineLaw.all.map(\.law)
    func check<S: EngineSwitch & Hashable>(_ value: (EngineLaw) -> S) {
      let used = Set(laws.map(value))
      for item in S.allCases where item != value(neutral) {
        #expect(used.contains(item), "\(S.name) \(item.rawValue)")
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

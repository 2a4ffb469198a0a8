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

  @Test("every value of a switch is explained")
  func switches() throws {
    let page = String(decoding: try Files.read(Repository.path("Spec/profiles.md")), as: UTF8.self)
    let values =
      EngineLaw.Order.allCases.map(\.rawValue) + EngineLaw.FirstStep.allCases.map(\.rawValue)
      + EngineLaw.Account.allCases.map(\.rawValue) + EngineLaw.Death.allCases.map(\.rawValue)
      + EngineLaw.Integrator.allCases.map(\.rawValue)
      + EngineLaw.Clamping.allCases.map(\.rawValue) + EngineLaw.Drag.allCases.map(\.rawValue)
      + EngineLaw.Clock.allCases.map(\.rawValue)
    for value in values { #expect(page.contains("| `\(value)` |"), "\(value)") }
  }
}

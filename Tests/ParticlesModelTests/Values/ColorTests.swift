import ParticlesModel
import Testing

@Suite struct ColorTests {
  @Test(arguments: ["#000000", "#ffffff", "#12ab80", "#ff8800"])
  func hexadecimalDigitsAreReadAndWritten(_ text: String) throws {
    let color = try #require(ParticleSystem.Color(hexadecimal: text))
    #expect(color.hexadecimal == text)
  }

  @Test func componentsAreClampedAndRounded() {
    #expect(ParticleSystem.Color(-1, 2, .nan).hexadecimal == "#00ff00")
    #expect(ParticleSystem.Color(0.5019, 0, 0, 0.5).hexadecimal == "#800000")
  }
}

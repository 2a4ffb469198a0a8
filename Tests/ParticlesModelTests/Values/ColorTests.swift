import ParticlesModel
import Testing

@Suite struct ColorTests {
  @Test(arguments: ["#000000", "#ffffff", "#12ab80", "#ff8800"])
  func hexadecimalDigitsAreReadAndWritten(_ text: String) throws {
    let color = try #require(ParticleSystem.Color(hexadecimal: text))
    #expect(color.hexadecimal == text)
  }

  @Test(
    "texts of other lengths are no colours, however long they are",
    arguments: [0, 1, 2, 5, 7, 9, 1_000_000])
  func otherLengths(_ count: Int) {
    // Work that grows with the square of the length would take hours for the last one.
    #expect(ParticleSystem.Color(hexadecimal: "#" + String(repeating: "f", count: count)) == nil)
  }

  @Test func shortFormsAndAlphaAreRead() {
    typealias Color = ParticleSystem.Color
    #expect(Color(hexadecimal: "#f80") == Color(hexadecimal: "#ff8800"))
    #expect(Color(hexadecimal: "#f80c") == Color(hexadecimal: "#ff8800cc"))
    #expect(Color(hexadecimal: "#é80") == nil && Color(hexadecimal: "#ff880é") == nil)
  }

  @Test func componentsAreClampedAndRounded() {
    #expect(ParticleSystem.Color(-1, 2, .nan).hexadecimal == "#00ff00")
    #expect(ParticleSystem.Color(0.5019, 0, 0, 0.5).hexadecimal == "#800000")
  }
}

import ParticlesModel
import Testing

@Suite("Names of colours")
struct ColorNameTests {
  @Test("are those of CSS, in any case; digits are read as before")
  func names() {
    let expected = [
      "black": "#000000", "White": "#ffffff", "REBECCAPURPLE": "#663399", "tan": "#d2b48c",
      "aliceblue": "#f0f8ff", "yellowgreen": "#9acd32", "lightgoldenrodyellow": "#fafad2",
    ]
    for (name, color) in expected {
      #expect(ParticleSystem.Color(text: name)?.hexadecimal == color, "\(name)")
    }
    #expect(ParticleSystem.Color(text: "#f80")?.hexadecimal == "#ff8800")
    #expect(ParticleSystem.Color(text: "transparent")?.alpha == 0)
    for text in ["", "blac", "blackk", "black ", "#12345", "color", "ff0000", " red", "red,"] {
      #expect(ParticleSystem.Color(text: text) == nil, "'\(text)'")
    }
  }
}

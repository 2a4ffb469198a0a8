import Foundation
import ParticlesCore
import Testing

@Suite("Normalisation forms")
struct UnicodeNormalizationTests {
  /// Characters that Unicode 15.0 has: accents, letters that are composed, and some syllables. Ideographs are left out.
  private static func scalars() -> [Unicode.Scalar] {
    let ranges: [ClosedRange<UInt32>] = [
      0xC0...0x33FF, 0xA600...0xABFF, 0xF900...0xFFFF, 0x10000...0x11FFF, 0x16A00...0x16FFF,
      0x1BC00...0x1E9FF, 0x2F800...0x2FA1D,
    ]
    let syllables = stride(from: 0xAC00 as UInt32, through: 0xD7A3, by: 13)
    return (ranges.flatMap { Array($0) } + syllables).compactMap(Unicode.Scalar.init).filter {
      $0.properties.age.map { ($0.major, $0.minor) <= (15, 0) } ?? false
    }
  }

  @Test("each character has the forms that Foundation has for it")
  func characters() {
    var count = 0
    for scalar in Self.scalars() {
      let text = String(scalar)
      count += 1
      let (c, d) = (
        text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping
      )
      guard
        UnicodeNormalization.composed(text).unicodeScalars.elementsEqual(c.unicodeScalars),
        UnicodeNormalization.decomposed(text).elementsEqual(d.unicodeScalars)
      else {
        Issue.record("U+\(String(scalar.value, radix: 16))")
        continue
      }
    }
    #expect(count > 20_000)
  }

  /// Examples of UAX 15 and of `NormalizationTest.txt`.
  @Test(
    "accents are put in order, and composed with the letter before them",
    arguments: [
      ("e\u{301}", "\u{E9}", "e\u{301}"),
      ("\u{1E0B}\u{323}", "\u{1E0D}\u{307}", "d\u{323}\u{307}"),
      ("q\u{307}\u{323}", "q\u{323}\u{307}", "q\u{323}\u{307}"),
      ("\u{1E9B}\u{323}", "\u{1E9B}\u{323}", "\u{17F}\u{323}\u{307}"),
      ("\u{212B}", "\u{C5}", "A\u{30A}"),
      ("\u{958}", "\u{915}\u{93C}", "\u{915}\u{93C}"),
      ("\u{1100}\u{1161}\u{11A8}", "\u{AC01}", "\u{1100}\u{1161}\u{11A8}"),
      ("\u{AC00}\u{11A7}", "\u{AC00}\u{11A7}", "\u{1100}\u{1161}\u{11A7}"),
      ("a\u{5AE}\u{300}b", "\u{E0}\u{5AE}b", "a\u{5AE}\u{300}b"),
      // The standard library of Swift 6.3 keeps the accent before the vowels, unlike Python and the standard.
      ("\u{176}\u{F75}", "\u{176}\u{F71}\u{F74}", "Y\u{F71}\u{F74}\u{302}"),
      // Accents of one class keep their order.
      ("b\u{300}\u{301}\u{316}", "b\u{316}\u{300}\u{301}", "b\u{316}\u{300}\u{301}"),
      ("plain", "plain", "plain"), ("", "", ""),
    ])
  func order(text: String, c: String, d: String) {
    #expect(UnicodeNormalization.composed(text).unicodeScalars.elementsEqual(c.unicodeScalars))
    #expect(UnicodeNormalization.decomposed(text).elementsEqual(d.unicodeScalars))
  }
}

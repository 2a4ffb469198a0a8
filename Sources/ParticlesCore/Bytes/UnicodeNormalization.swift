internal import CParticlesUnicode

/// The canonical normalisation forms of Unicode 15.0, independent of the system.
package enum UnicodeNormalization {
  /// Returns the scalars of a text in normalisation form D: letters, then their accents.
  package static func decomposed(_ text: String) -> [Unicode.Scalar] {
    var scalars: [(scalar: Unicode.Scalar, order: UInt8)] = []
    scalars.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars { append(scalar, to: &scalars) }
    sortAccents(of: &scalars)
    return scalars.map { $0.scalar }
  }

  /// Returns a text in normalisation form C.
  package static func composed(_ text: String) -> String {
    var scalars: [(scalar: Unicode.Scalar, order: UInt8)] = []
    for scalar in text.unicodeScalars { append(scalar, to: &scalars) }
    sortAccents(of: &scalars)
    compose(&scalars)
    var composed = ""
    composed.unicodeScalars.append(contentsOf: scalars.lazy.map { $0.scalar })
    return composed
  }

  /// Appends the characters that a scalar consists of, with their combining classes.
  private static func append(
    _ scalar: Unicode.Scalar, to scalars: inout [(scalar: Unicode.Scalar, order: UInt8)]
  ) {
    // No scalar below is decomposed or combines with others.
    guard scalar.value >= 0xC0 else { return scalars.append((scalar, 0)) }
    if let syllable = Hangul(scalar) {
      scalars += syllable.letters.map { ($0, 0) }
      return
    }
    var parts: (UInt32, UInt32) = (0, 0)
    let isComposed = withUnsafeMutableBytes(of: &parts) {
      particles_unicode_decompose(
        scalar.value, $0.baseAddress?.assumingMemoryBound(to: UInt32.self)) != 0
    }
    guard !isComposed else {
      for part in [parts.0, parts.1] where part != 0 {
        Unicode.Scalar(part).map { append($0, to: &scalars) }
      }
      return
    }
    scalars.append((scalar, scalar.properties.canonicalCombiningClass.rawValue))
  }

  /// Puts the accents behind each letter in the order of their combining classes, stable within a class.
  private static func sortAccents(of scalars: inout [(scalar: Unicode.Scalar, order: UInt8)]) {
    var start = 0
    while start < scalars.count {
      var (end, isSorted) = (start, true)
      while end < scalars.count, scalars[end].order != 0 {
        if end > start, scalars[end - 1].order > scalars[end].order { isSorted = false }
        end += 1
      }
      if !isSorted {
        // The sorting of the library does not promise to keep the order of equals.
        let accents = scalars[start..<end].enumerated().sorted {
          ($0.element.order, $0.offset) < ($1.element.order, $1.offset)
        }
        scalars.replaceSubrange(start..<end, with: accents.map { $0.element })
      }
      start = end + 1
    }
  }

  /// Composes scalars in form D. Each joins the last scalar of class 0 before it. A scalar in between blocks
  /// this if its class is not lower, or if it is an uncomposed scalar of class 0.
  private static func compose(_ scalars: inout [(scalar: Unicode.Scalar, order: UInt8)]) {
    var starter: Int?
    var count = 0
    for (scalar, order) in scalars {
      if let place = starter {
        let isBlocked =
          count > place + 1 && (scalars[count - 1].order >= order || scalars[count - 1].order == 0)
        if !isBlocked, let composed = composition(scalars[place].scalar, scalar) {
          scalars[place].scalar = composed
          continue
        }
      }
      if order == 0 { starter = count }
      scalars[count] = (scalar, order)
      count += 1
    }
    scalars.removeSubrange(count...)
  }

  private static func composition(
    _ first: Unicode.Scalar, _ second: Unicode.Scalar
  ) -> Unicode.Scalar? {
    if let syllable = Hangul.composition(first, second) { return syllable }
    let composed = particles_unicode_compose(first.value, second.value)
    return composed == 0 ? nil : Unicode.Scalar(composed)
  }
}

/// A syllable of Korean: a consonant, a vowel, and perhaps a second consonant, of which it is computed
/// (The Unicode Standard 15.0, 3.12).
private struct Hangul {
  private static let (syllables, leads, vowels, tails) =
    (0xAC00 as UInt32, 0x1100 as UInt32, 0x1161 as UInt32, 0x11A7 as UInt32)
  private static let (leadCount, vowelCount, tailCount) = (19 as UInt32, 21 as UInt32, 28 as UInt32)

  private let index: UInt32

  init?(_ scalar: Unicode.Scalar) {
    let index = scalar.value &- Self.syllables
    guard index < Self.leadCount * Self.vowelCount * Self.tailCount else { return nil }
    self.index = index
  }

  var letters: [Unicode.Scalar] {
    let (pair, tail) = index.quotientAndRemainder(dividingBy: Self.tailCount)
    let (lead, vowel) = pair.quotientAndRemainder(dividingBy: Self.vowelCount)
    let letters = [Self.leads + lead, Self.vowels + vowel] + (tail > 0 ? [Self.tails + tail] : [])
    return letters.compactMap { Unicode.Scalar($0) }
  }

  static func composition(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    let (lead, vowel) = (first.value &- leads, second.value &- vowels)
    if lead < leadCount, vowel < vowelCount {
      return Unicode.Scalar(syllables + (lead * vowelCount + vowel) * tailCount)
    }
    let tail = second.value &- tails
    guard let pair = Hangul(first), pair.index.isMultiple(of: tailCount), 1..<tailCount ~= tail
    else { return nil }
    return Unicode.Scalar(first.value + tail)
  }
}

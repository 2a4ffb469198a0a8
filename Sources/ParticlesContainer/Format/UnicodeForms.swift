internal import ParticlesCore

/// Unicode normalisation and case folding of names, both by Unicode 15.0 (`Spec/container.md#names`).
/// Characters of later versions are left as they are, so that all readers agree.
package enum UnicodeForms {
  /// Returns `text` in normalisation form C.
  package static func composed(_ text: String) -> String {
    // Text of scalars below U+0300 is composed.
    guard text.unicodeScalars.contains(where: { $0.value >= 0x300 }) else { return text }
    return mappingKnownText(of: text, UnicodeNormalization.composed)
  }

  /// Whether `text` is in normalisation form C.
  package static func isComposed(_ text: String) -> Bool {
    text.utf8.elementsEqual(composed(text).utf8)
  }

  /// Returns upper case, then lower case, then form C: equal for two names that a case-insensitive
  /// file system may treat as one.
  package static func folded(_ name: String) -> String {
    composed(mappingKnownText(of: name) { $0.uppercased().lowercased() })
  }

  /// Applies `change` to the parts of a text between characters that Unicode 15.0 does not have.
  private static func mappingKnownText(of text: String, _ change: (String) -> String) -> String {
    guard text.unicodeScalars.contains(where: isLater) else { return change(text) }
    var result = ""
    var known = ""
    for scalar in text.unicodeScalars {
      if isLater(scalar) {
        result += change(known)
        result.unicodeScalars.append(scalar)
        known = ""
      } else {
        known.unicodeScalars.append(scalar)
      }
    }
    return result + change(known)
  }

  private static func isLater(_ scalar: Unicode.Scalar) -> Bool {
    // All characters below have been there since Unicode 6.
    guard scalar.value >= 0x800 else { return false }
    guard let age = scalar.properties.age else { return true }
    return (age.major, age.minor) > (15, 0)
  }
}

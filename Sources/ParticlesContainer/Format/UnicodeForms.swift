#if canImport(Darwin)
  internal import Foundation
#else
  // The standard library has the tables, but publishes them as SPI only.
  @_spi(_Unicode) internal import Swift
#endif

/// Unicode normalisation and case folding of names.
package enum UnicodeForms {
  /// Returns `text` in normalisation form C.
  package static func composed(_ text: String) -> String {
    // Text of scalars below U+0300 is composed.
    guard text.unicodeScalars.contains(where: { $0.value >= 0x300 }) else { return text }
    #if canImport(Darwin)
      return text.precomposedStringWithCanonicalMapping
    #else
      var composed = ""
      composed.unicodeScalars.append(contentsOf: text._nfc)
      return composed
    #endif
  }

  /// Whether `text` is in normalisation form C.
  package static func isComposed(_ text: String) -> Bool {
    text.utf8.elementsEqual(composed(text).utf8)
  }

  /// Returns upper case, then lower case, then form C: equal for two names that a case-insensitive
  /// file system may treat as one.
  package static func folded(_ name: String) -> String {
    composed(name.uppercased().lowercased())
  }
}

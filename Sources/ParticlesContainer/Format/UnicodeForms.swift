#if canImport(Darwin)
  internal import Foundation
#else
  // The standard library has the tables and does not show them; elsewhere Foundation does.
  @_spi(_Unicode) internal import Swift
#endif

/// The two Unicode operations that names need.
package enum UnicodeForms {
  /// `text` in normalisation form C.
  package static func composed(_ text: String) -> String {
    // Below U+0300 every text is composed.
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

  /// Equal for two names that a file system which ignores case may take for one: composed, lower
  /// case of upper case.
  package static func folded(_ name: String) -> String {
    composed(name.uppercased().lowercased())
  }
}

#if !canImport(Darwin)
  // The standard library has the tables, but publishes them as SPI only.
  @_spi(_Unicode) internal import Swift
#endif

/// The canonical decomposition of text: letters, then their accents.
enum UnicodeDecomposition {
  /// Returns the scalars of a text in normalisation form D; on Apple's systems as they are.
  static func of(_ text: String) -> [Unicode.Scalar] {
    #if canImport(Darwin)
      return Array(text.unicodeScalars)
    #else
      return Array(text._nfd)
    #endif
  }
}

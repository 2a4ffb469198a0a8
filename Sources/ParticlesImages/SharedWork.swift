/// A kind of work on images. Its results depend on the input and the limits only.
package enum SharedWork: Hashable, Sendable {
  /// Conversion of an image for a package.
  case convert
  /// Decoding of an image that is embedded as text.
  case unpack
  /// Encoding of an image as text.
  case pack
}

internal import ParticlesCore
package import ParticlesImages
public import ParticlesModel

extension ImageReference {
  /// A reference to an image in a package, with metadata from its bytes.
  public init(describing bytes: [UInt8], at path: String) {
    self.init(describing: bytes, at: path, picture: try? Bitmap(decoding: bytes))
  }

  /// The same for bytes that were already decoded, or cannot be decoded.
  package init(describing bytes: [UInt8], at path: String, picture: Bitmap?) {
    self.init(uri: path)
    mimeType = ImageFormat(of: bytes)?.mimeType
    sha256 = SHA256.digest(bytes).description
    (width, height) = (picture?.width, picture?.height)
  }
}

/// An image format, recognised by the first bytes of a file.
package struct ImageFormat: Sendable, Hashable {
  /// The name for users.
  package let name: String

  /// The media type.
  package let mimeType: String

  /// The usual extension.
  package let fileExtension: String

  private let beginnings: [[UInt8]]

  /// PNG.
  package static let png = ImageFormat("PNG", "image/png", "png", PNG.signature)
  /// JPEG.
  package static let jpeg = ImageFormat("JPEG", "image/jpeg", "jpg", [0xFF, 0xD8, 0xFF])
  /// GIF.
  package static let gif = ImageFormat("GIF", "image/gif", "gif", Array("GIF8".utf8))
  /// TIFF.
  package static let tiff = ImageFormat(
    "TIFF", "image/tiff", "tiff", [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A])
  /// OpenEXR.
  package static let openEXR = ImageFormat(
    "OpenEXR", "image/x-exr", "exr", [0x76, 0x2F, 0x31, 0x01])
  /// Windows bitmap.
  package static let bmp = ImageFormat("BMP", "image/bmp", "bmp", Array("BM".utf8))

  /// All recognised formats.
  package static let all: [ImageFormat] = [.png, .jpeg, .gif, .tiff, .openEXR, .bmp]

  private init(
    _ name: String, _ mimeType: String, _ fileExtension: String, _ beginnings: [UInt8]...
  ) {
    self.name = name
    self.mimeType = mimeType
    self.fileExtension = fileExtension
    self.beginnings = beginnings
  }

  /// Recognises the format of a file; nil if it is none of ``all``.
  package init?(of bytes: [UInt8]) {
    let found = Self.all.first { format in
      format.beginnings.contains { bytes.starts(with: $0) }
    }
    guard let found else { return nil }
    self = found
  }
}

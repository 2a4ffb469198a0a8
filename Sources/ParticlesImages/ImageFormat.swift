/// An image format, recognised by the first bytes of a file.
package struct ImageFormat: Sendable, Hashable {
  /// The name for users.
  package let name: String

  /// The media type.
  package let mimeType: String

  /// The usual extension.
  package let fileExtension: String

  /// The first bytes of files.
  private let beginnings: [[UInt8]]

  /// The places in ``beginnings`` of bytes that may have any value.
  private let free: Range<Int>

  package static let png = ImageFormat("PNG", "image/png", "png", PNG.signature)
  package static let jpeg = ImageFormat("JPEG", "image/jpeg", "jpg", [0xFF, 0xD8, 0xFF])
  package static let gif = ImageFormat("GIF", "image/gif", "gif", Array("GIF8".utf8))
  package static let tiff = ImageFormat(
    "TIFF", "image/tiff", "tiff", [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A])
  package static let openEXR = ImageFormat(
    "OpenEXR", "image/x-exr", "exr", [0x76, 0x2F, 0x31, 0x01])
  /// Windows bitmap.
  package static let bmp = ImageFormat("BMP", "image/bmp", "bmp", Array("BM".utf8))

  /// WebP.
  package static let webP = ImageFormat(
    "WebP", "image/webp", "webp", Array("RIFF....WEBP".utf8), free: 4..<8)
  /// Truevision TGA. A file has no signature at its beginning, but a header.
  package static let tga = ImageFormat("TGA", "image/x-tga", "tga")

  package static let all: [ImageFormat] = [
    .png, .jpeg, .webP, .gif, .tiff, .openEXR, .bmp, .tga,
  ]

  private init(
    _ name: String, _ mimeType: String, _ fileExtension: String, _ beginnings: [UInt8]...,
    free: Range<Int> = 0..<0
  ) {
    self.name = name
    self.mimeType = mimeType
    self.fileExtension = fileExtension
    self.beginnings = beginnings
    self.free = free
  }

  /// Recognises the format of a file. Returns nil if the format is not in ``all``.
  package init?(of bytes: [UInt8]) {
    let found = Self.all.first { format in
      format.beginnings.contains { beginning in
        bytes.count >= beginning.count
          && beginning.indices.allSatisfy {
            format.free.contains($0) || beginning[$0] == bytes[$0]
          }
      }
    }
    guard let format = found ?? (TGA.isOne(bytes) ? .tga : nil) else { return nil }
    self = format
  }
}

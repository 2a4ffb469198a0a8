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

extension ImageFormat {
  /// The pixels that the header of an image states, without decoding anything; nil for a format whose header is not read,
  /// and for one that is cut short.
  package func statedPixels(of bytes: [UInt8]) -> Int? {
    func little(_ at: Int, _ count: Int) -> Int? {
      guard at + count <= bytes.count else { return nil }
      return (0..<count).reversed().reduce(0) { $0 << 8 | Int(bytes[at + $1]) }
    }
    func product(_ width: Int?, _ height: Int?) -> Int? {
      guard let width, let height else { return nil }
      let (pixels, isOver) = width.multipliedReportingOverflow(by: height)
      return isOver ? .max : pixels
    }
    switch self {
    case .gif: return product(little(6, 2), little(8, 2))
    case .bmp:
      // The height of a picture from the top is negative.
      let height = little(22, 4).map { Int(Int32(truncatingIfNeeded: $0).magnitude) }
      return product(little(18, 4), height)
    case .jpeg: return product(jpegSide(bytes, 7), jpegSide(bytes, 5))
    default: return nil
    }
  }

  /// A side of a JPEG file, from the header of its frame.
  private func jpegSide(_ bytes: [UInt8], _ place: Int) -> Int? {
    var at = 2
    while at + 9 <= bytes.count, bytes[at] == 0xFF {
      let marker = bytes[at + 1]
      // All frames but the tables C4, C8 and CC.
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        return Int(bytes[at + place]) << 8 | Int(bytes[at + place + 1])
      }
      at += marker == 0xFF ? 1 : 2 + (Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]))
    }
    return nil
  }
}

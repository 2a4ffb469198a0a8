public import ParticlesCore

extension Bitmap {
  /// Decodes a picture of any format that is read: PNG, also in Apple's variant, JPEG, WebP, GIF, BMP, TGA and
  /// TIFF. Of several frames, it is the first one.
  ///
  /// ```swift
  /// let spark = try Bitmap(decoding: bytes)
  /// ```
  /// - Throws: a ``ParticlesCore/Diagnostic``: ``ParticlesCore/Rule/image`` if the file is damaged,
  ///   ``ParticlesCore/Rule/imageUnchecked`` if it has another format, with the name of the format and the next step,
  ///   ``ParticlesCore/Rule/limit`` if it has more pixels than the limits allow. `CancellationError` if the current
  ///   task is cancelled.
  public init(decoding bytes: [UInt8], limits: Limits = .standard) throws(Failure) {
    try WorkBudget.checkCancellation()
    self =
      switch ImageFormat(of: bytes) {
      case .png?: try PNG.decode(bytes, limits: limits)
      case .tiff?: try TIFF.decode(bytes, limits: limits)
      case .jpeg?: try JPEG.decode(bytes, limits: limits)
      case .webP?: try WebPFile.decode(bytes, limits: limits)
      case .gif?: try GIF.decode(bytes, limits: limits)
      case .bmp?: try BMP.decode(bytes, limits: limits)
      case .tga?: try TGA.decode(bytes, limits: limits)
      default: throw UnreadFile.fault(of: bytes)
      }
    try WorkBudget.checkCancellation()
  }
}

/// Kinds of files that are in the place of a picture, and from which no picture is read.
enum UnreadFile {
  private struct Kind {
    var name: String
    var start: [UInt8]
    /// The place of `start` in the file.
    var offset = 0
    var step: String

    init(_ name: String, _ start: String, at offset: Int = 0, step: String = UnreadFile.export) {
      (self.name, self.offset, self.step) = (name, offset, step)
      self.start = Array(start.utf8)
    }
  }

  private static let export = "export it as PNG"

  private static let kinds: [Kind] = [
    Kind(
      "a Git LFS pointer", "version https://git-lfs.github.com/spec/",
      step: "`git lfs pull` fetches the file"),
    Kind("a Photoshop picture", "8BPS"), Kind("a DDS texture", "DDS "),
    Kind("a KTX texture", "KTX ", at: 1), Kind("a compressed texture of Godot", "GST2"),
    Kind("an AVIF picture", "ftypavif", at: 4), Kind("a HEIC picture", "ftypheic", at: 4),
    Kind("a QOI picture", "qoif"), Kind("a Radiance picture", "#?RADIANCE"),
  ]

  /// Returns the finding for bytes of an unsupported format: the kind of file, and the next step. The step is part
  /// of the message, because few messages show their hint.
  static func fault(of bytes: [UInt8]) -> Diagnostic {
    let kind = kinds.first { bytes.dropFirst($0.offset).starts(with: $0.start) }
    let found =
      if let kind {
        "\(kind.name); \(kind.step)"
      } else if isSVG(bytes) {
        "an SVG picture; \(export)"
      } else if let format = ImageFormat(of: bytes) {
        "an \(format.name) picture; \(export)"
      } else if bytes.isEmpty {
        "an empty file"
      } else {
        "a file that begins with the bytes \(bytes.prefix(4).hexDigits)"
      }
    var fault = Diagnostic(.imageUnchecked, found: found)
    if found.contains("; ") { fault.hint = nil }
    return fault
  }

  /// Whether these bytes are an XML document whose root is named `svg`. A declaration, comments and a document type
  /// may precede it.
  private static func isSVG(_ bytes: [UInt8]) -> Bool {
    let start = String(decoding: bytes.prefix(4096), as: UTF8.self)
    let text = start.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    guard text.first == "<" else { return false }
    return text.contains("<svg") || text.contains("<!DOCTYPE svg")
  }
}

internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// The image of a file: found by its name, or embedded as PNG or TIFF in gzip in base64.
enum CocosImage {
  private static let nameKey = "textureFileName"
  private static let dataKey = "textureImageData"

  /// Adds the image to the document and gives its index, or nil if the file names none. The file
  /// that is named comes first, as it does in the programs of the family; the embedded image is
  /// looked at anyway, to say if it is damaged. If nobody has the image, the document knows its name.
  static func add(
    _ reader: CocosReader, _ context: DecodingContext, _ images: inout ImportedImages,
    to system: inout ParticleSystem
  ) throws -> Int? {
    let name = reader.text(nameKey)
    let embedded = try reader.text(dataKey).flatMap { text -> [UInt8]? in
      do {
        return try unpack(text, limits: context.limits)
      } catch let fault as Diagnostic {
        reader.note(fault, dataKey)
        return nil
      }
    }
    if let name {
      switch images.search([name]) {
      case .success(let found):
        return try images.add(found.bytes, named: found.name, at: nameKey, to: &system)
      case .failure(let finding) where embedded == nil:
        reader.note(finding.rule, nameKey, finding.detail ?? "", found: finding.found)
        return images.addUnresolved(name, to: &system)
      default: break
      }
    }
    guard let embedded else { return nil }
    let kind = ImageFormat(of: embedded)?.fileExtension ?? "bin"
    let fileName = name.map(ImageFinder.baseName) ?? "particle.\(kind)"
    // What is embedded may be of another kind than the name says.
    let isNamedRight = Files.pathExtension(of: fileName) == kind
    return try images.add(
      embedded, named: isNamedRight ? fileName : "\(Files.stem(of: fileName)).\(kind)",
      at: dataKey, to: &system)
  }

  /// The image that a text stands for.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/embeddedImage`` or
  ///   ``ParticlesCore/Rule/image`` that says what is wrong with it.
  static func unpack(_ text: String, limits: Limits) throws -> [UInt8] {
    var bytes = try [UInt8](base64: text, rule: .embeddedImage)
    // gzip, or zlib without it.
    if bytes.starts(with: [0x1F, 0x8B]) || bytes.first == 0x78 {
      bytes = try Zlib.inflate(bytes, limit: limits.fileBytes, rule: .embeddedImage)
    }
    switch ImageFormat(of: bytes) {
    case .png?: _ = try PNG.decode(bytes, limits: limits)
    case .tiff?: _ = try TIFF.decode(bytes, limits: limits)
    case nil:
      throw Diagnostic(
        .embeddedImage, expected: "an image",
        found: "bytes that begin with \(bytes.prefix(4).hexDigits)")
    default: break
    }
    return bytes
  }

  /// The text that stands for an image. Equal images give equal texts.
  static func pack(_ image: [UInt8]) -> String { Deflate(level: 9).gzip(image).base64 }
}

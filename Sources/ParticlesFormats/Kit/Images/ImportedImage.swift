internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// An image that a particle file embeds or names, as it is added to a package.
struct ImportedImage {
  let reference: ImageReference

  /// The files of the package that hold it, by their paths: the image, and its original if that was
  /// converted.
  private(set) var files: [String: [UInt8]] = [:]

  /// The original type as text: "in Apple's variant of PNG"; nil if it was not converted.
  let wasConverted: String?

  /// The reason why no picture can be read from it; nil for a picture.
  let fault: Diagnostic?

  /// Takes an image. TIFF, TGA and Apple's variant of PNG become plain PNG, because browsers do not decode
  /// them. Anything else, readable or not, is kept unchanged.
  init(_ bytes: [UInt8], name: String, limits: Limits, names: inout UniqueNames) throws {
    let name = Self.packageName(name)
    let ending = Self.ending(of: name)
    let converted = try SharedImages.result(
      .convert, of: bytes, limits: limits, size: \.image.count
    ) { try ConvertedImage(bytes, limits: limits) }
    let newEnding = converted.isRenamed ? ".png" : ending
    let stem = names.claim(Files.stem(of: name), endings: [ending, newEnding])
    (wasConverted, fault) = (converted.wasConverted, converted.fault)
    if wasConverted != nil { files["Source/\(stem)\(ending)"] = bytes }
    let path = "\(Imported.imageDirectory)/\(stem)\(newEnding)"
    files[path] = converted.image
    var reference = converted.reference
    (reference.name, reference.uri) = (stem, path)
    self.reference = reference
  }

  /// The name of an image in the package, without characters that are not portable.
  static func packageName(_ name: String) -> String {
    let scalars = name.unicodeScalars.prefix(100).map { scalar in
      scalar.isControl || "\\/:*?\"<>|".unicodeScalars.contains(scalar) ? "_" : scalar
    }
    var text = String(String.UnicodeScalarView(scalars))
    while let last = text.last, last == "." || last == " " { text.removeLast() }
    return text.isEmpty ? "image" : text
  }

  /// The extension of a name with its point, in the original spelling.
  static func ending(of name: String) -> String {
    String(name.unicodeScalars.dropFirst(Files.stem(of: name).unicodeScalars.count))
  }
}

/// An image in a form that every program reads, with its metadata.
private struct ConvertedImage: Sendable {
  let image: [UInt8]
  let reference: ImageReference
  /// Whether its extension is that of another format.
  let isRenamed: Bool
  let wasConverted: String?
  let fault: Diagnostic?

  init(_ bytes: [UInt8], limits: Limits) throws {
    let format = ImageFormat(of: bytes)
    let decoded = Result { try Bitmap(decoding: bytes, limits: limits) }
    // An image whose decoding was cancelled is not known to be wrong.
    try Task.checkCancellation()
    let picture = try? decoded.get()
    fault = if case .failure(let error) = decoded { error as? Diagnostic } else { nil }
    isRenamed = picture != nil && (format == .tiff || format == .tga)
    let isApple = picture != nil && PNG.isAppleVariant(bytes)
    wasConverted =
      isApple ? "in Apple's variant of PNG" : isRenamed ? format.map { "a \($0.name)" } : nil
    if let picture, wasConverted != nil { image = try PNG.encode(picture) } else { image = bytes }
    reference = ImageReference(describing: image, at: "", picture: picture)
  }
}

internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// An image that a particle file brought along or named, as it becomes part of a package.
struct ImportedImage {
  /// What the document says of it.
  let reference: ImageReference

  /// The files of the package that hold it, by their paths: the image, and what it was made from if
  /// that is not what everybody can read.
  private(set) var files: [String: [UInt8]] = [:]

  /// What it was before, in words: "in Apple's variant of PNG"; nil if it is as it was.
  let wasConverted: String?

  /// Takes an image. TIFF and Apple's variant of PNG become plain PNG; anything else, readable or
  /// not, stays as it is.
  init(_ bytes: [UInt8], name: String, limits: Limits) throws {
    var name = Self.packageName(name)
    var image = bytes
    if let (picture, kind) = Self.convertible(bytes, limits: limits) {
      files["Source/\(name)"] = bytes
      image = try PNG.encode(picture)
      if kind.isTIFF { name = Files.stem(of: name) + ".png" }
      wasConverted = kind.words
    } else {
      wasConverted = nil
    }
    let path = "\(EffectPackage.imageDirectory)/\(name)"
    files[path] = image
    var reference = ImageReference(describing: image, at: path)
    reference.name = Files.stem(of: name)
    self.reference = reference
  }

  private static func convertible(
    _ bytes: [UInt8], limits: Limits
  ) -> (Bitmap, (words: String, isTIFF: Bool))? {
    if PNG.isAppleVariant(bytes), let picture = try? PNG.decode(bytes, limits: limits) {
      return (picture, ("in Apple's variant of PNG", false))
    }
    if ImageFormat(of: bytes) == .tiff, let picture = try? TIFF.decode(bytes, limits: limits) {
      return (picture, ("a TIFF", true))
    }
    return nil
  }

  /// The name of an image in the package, which is more particular than a file system.
  static func packageName(_ name: String) -> String {
    let scalars = name.unicodeScalars.prefix(100).map { scalar in
      scalar.isControl || "\\/:*?\"<>|".unicodeScalars.contains(scalar) ? "_" : scalar
    }
    var text = String(String.UnicodeScalarView(scalars))
    while let last = text.last, last == "." || last == " " { text.removeLast() }
    return text.isEmpty ? "image" : text
  }
}

extension DecodingContext {
  /// The image that a file names behind a key, or the finding that nobody has it. An effect is
  /// imported without an image that cannot be read.
  func image(_ reference: String, at key: String) -> Result<[UInt8], Diagnostic> {
    let name = ImageFinder.baseName(of: reference).excerpt
    do {
      if let bytes = try findImage(reference) { return .success(bytes) }
      return .failure(Diagnostic(.missingImage, at: .key(key), name))
    } catch let fault as Diagnostic {
      return .failure(
        Diagnostic(
          .missingImage, at: .key(key), name, found: fault.message, hint: fault.hint))
    } catch {
      return .failure(Diagnostic(.missingImage, at: .key(key), name))
    }
  }
}

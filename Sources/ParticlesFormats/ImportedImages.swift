internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// Collects the images that a particle file names: looks for them, puts them into the package and
/// the document, each once.
struct ImportedImages {
  private let context: DecodingContext
  private let report: (Diagnostic) -> Void

  /// The images by their path in the package, and beside them those that had to be rewritten as
  /// they were found.
  private(set) var files: [String: [UInt8]] = [:]

  init(context: DecodingContext, report: @escaping (Diagnostic) -> Void) {
    self.context = context
    self.report = report
  }

  /// The bytes of the first image that somebody has, with its name. One that cannot be read is
  /// reported, and so is one that nobody has: the effect is imported without it.
  /// - Parameters:
  ///   - references: the names that it may have.
  ///   - name: the one that the file says, for messages.
  ///   - path: the key that says it.
  func find(
    _ references: [String], named name: String, at path: String
  ) -> (name: String, bytes: [UInt8])? {
    do {
      for reference in references {
        guard let bytes = try context.findImage(reference) else { continue }
        return (ImageFinder.baseName(of: reference), bytes)
      }
      report(Diagnostic(.missingImage, at: .key(path), name.excerpt))
    } catch {
      let fault = error as? Diagnostic
      report(
        Diagnostic(
          .missingImage, at: .key(path), name.excerpt, found: fault?.message, hint: fault?.hint))
    }
    return nil
  }

  /// Adds an image, unless it is there already, and gives its index.
  mutating func add(
    _ bytes: [UInt8], named name: String, at keyPath: String, to system: inout ParticleSystem
  ) throws -> Int {
    let path = "\(EffectPackage.imageDirectory)/\(Self.packageName(name))"
    if let known = system.images.firstIndex(where: { $0.uri == path }) { return known }
    let readable = try readable(bytes, name: name, at: keyPath)
    var reference = ImageReference(describing: readable, at: path)
    reference.name = Files.stem(of: name)
    system.images.append(reference)
    files[path] = readable
    return system.images.count - 1
  }

  /// The image as others can read it. Apple's variant of PNG becomes a plain one; what was found
  /// stays in the package beside the source.
  private mutating func readable(
    _ bytes: [UInt8], name: String, at path: String
  ) throws -> [UInt8] {
    guard PNG.isAppleVariant(bytes),
      let picture = try? PNG.decode(bytes, limits: context.limits)
    else { return bytes }
    files["Source/\(Self.packageName(name))"] = bytes
    report(
      Diagnostic(
        .approximated, at: .key(path),
        "\(name.excerpt) is in Apple's variant of PNG; it becomes a plain one", severity: .note))
    return try PNG.encode(picture)
  }

  /// The name of an image in the package, which is more particular than a file system.
  private static func packageName(_ name: String) -> String {
    let scalars = name.unicodeScalars.prefix(100).map { scalar in
      scalar.isControl || "\\/:*?\"<>|".unicodeScalars.contains(scalar) ? "_" : scalar
    }
    var text = String(String.UnicodeScalarView(scalars))
    while let last = text.last, last == "." || last == " " { text.removeLast() }
    return text.isEmpty ? "image" : text
  }
}

extension ParticleSystem {
  /// The index of a sprite, which is added unless it is there already.
  mutating func index(ofSprite sprite: Sprite) -> Int {
    if let known = sprites.firstIndex(of: sprite) { return known }
    sprites.append(sprite)
    return sprites.count - 1
  }
}

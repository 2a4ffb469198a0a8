internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

// The image: a path that is seldom true on another computer, or the bytes themselves.

extension SceneKitDecoder {
  /// Adds the sprite of a system; nil if it has no image, or nobody has it.
  mutating func addSprite(of scene: SceneKitSystem) throws -> Int? {
    guard let (name, bytes) = try image(of: scene.object) else { return nil }
    let path = "\(EffectPackage.imageDirectory)/\(Self.packageName(name))"
    let image: Int
    if let known = system.images.firstIndex(where: { $0.uri == path }) {
      image = known
    } else {
      image = system.images.count
      let readable = try readable(bytes, name: name, for: scene.object)
      var reference = ImageReference(describing: readable, at: path)
      reference.name = Files.stem(of: name)
      system.images.append(reference)
      images[path] = readable
    }
    var sprite = Sprite(image: image)
    sprite.grid = scene.grid()
    if let known = system.sprites.firstIndex(of: sprite) { return known }
    system.sprites.append(sprite)
    return system.sprites.count - 1
  }

  /// The image as others can read it. Apple's variant of PNG becomes a plain one; what was found
  /// stays in the package beside the source.
  private mutating func readable(
    _ bytes: [UInt8], name: String, for object: ArchivedObject
  ) throws -> [UInt8] {
    guard PNG.isAppleVariant(bytes),
      let picture = try? PNG.decode(bytes, limits: context.limits)
    else { return bytes }
    images["Source/\(Self.packageName(name))"] = bytes
    reader.report(
      Diagnostic(
        .approximated, at: .key(object.path(of: "particleImage")),
        "\(name.excerpt) is in Apple's variant of PNG; it becomes a plain one", severity: .note))
    return try PNG.encode(picture)
  }

  private func image(of object: ArchivedObject) throws -> (name: String, bytes: [UInt8])? {
    let key = "particleImage"
    let reference: String?
    switch object.value(key) {
    case nil: return nil
    case .data(let bytes)?:
      return ("particle.\(ImageFormat(of: bytes)?.fileExtension ?? "bin")", bytes)
    case .dictionary?: reference = try object.dictionary(key)?.string("path")
    case .string(let path)?: reference = path
    case let other?:
      object.mismatch(key, expected: "a path", found: other.kind)
      return nil
    }
    guard let reference else {
      object.reportUninterpreted(key, "an image without path")
      return nil
    }
    return try find(reference, at: object.path(of: key))
  }

  /// An image that cannot be read is reported, and the effect is imported without it.
  private func find(_ reference: String, at path: String) throws -> (String, [UInt8])? {
    let name = ImageFinder.baseName(of: reference)
    do {
      if let bytes = try context.findImage(reference) { return (name, bytes) }
      reader.report(Diagnostic(.missingImage, at: .key(path), name.excerpt))
    } catch let fault as Diagnostic {
      reader.report(
        Diagnostic(
          .missingImage, at: .key(path), name.excerpt, found: fault.message,
          hint: fault.hint))
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

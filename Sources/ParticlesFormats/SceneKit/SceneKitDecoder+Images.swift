internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

// The image: a path that is seldom true on another computer, or the bytes themselves.

extension SceneKitDecoder {
  /// Adds the sprite of a system; nil if it has no image, or nobody has it.
  mutating func addSprite(of scene: SceneKitSystem) throws -> Int? {
    guard let (name, bytes) = try image(of: scene.object) else { return nil }
    let imported = try ImportedImage(bytes, name: name, limits: context.limits)
    let image: Int
    if let known = system.images.firstIndex(where: { $0.uri == imported.reference.uri }) {
      image = known
    } else {
      image = system.images.count
      system.images.append(imported.reference)
      images.merge(imported.files) { first, _ in first }
      if let kind = imported.wasConverted {
        reader.report(
          Diagnostic(
            .approximated, at: .key(scene.object.path(of: "particleImage")),
            "\(name.excerpt) is \(kind); it becomes a plain PNG", severity: .note))
      }
    }
    var sprite = Sprite(image: image)
    sprite.grid = scene.grid()
    if let known = system.sprites.firstIndex(of: sprite) { return known }
    system.sprites.append(sprite)
    return system.sprites.count - 1
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
    return find(reference, at: object.path(of: key))
  }

  private func find(_ reference: String, at path: String) -> (String, [UInt8])? {
    switch context.image(reference, at: path) {
    case .success(let bytes): return (ImageFinder.baseName(of: reference), bytes)
    case .failure(let finding): reader.report(finding)
    }
    return nil
  }
}

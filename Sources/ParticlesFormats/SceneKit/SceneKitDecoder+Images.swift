internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesPropertyLists

// The image: a path that is seldom true on another computer, or the bytes themselves.

extension SceneKitDecoder {
  private static let key = "particleImage"

  /// Adds the sprite of a system; nil if it has no image, or nobody has it.
  mutating func addSprite(of scene: SceneKitSystem) throws -> Int? {
    guard let (name, bytes) = try image(of: scene.object) else { return nil }
    var sprite = Sprite(
      image: try images.add(
        bytes, named: name, at: scene.object.path(of: Self.key), to: &system))
    sprite.grid = scene.grid()
    return system.index(ofSprite: sprite)
  }

  private func image(of object: ArchivedObject) throws -> (name: String, bytes: [UInt8])? {
    let key = Self.key
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
    return images.find([reference], at: object.path(of: key))
  }
}

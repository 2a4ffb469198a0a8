internal import ParticlesPropertyLists
internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

// The image: a path that is seldom true on another computer, or the bytes themselves.

extension SceneKitDecoder {
  private static let key = "particleImage"

  /// Adds the sprite of a system; nil if it names no image.
  mutating func addSprite(of scene: SceneKitSystem) throws -> Int? {
    guard let image = try addImage(of: scene.object) else { return nil }
    var sprite = Sprite(image: image)
    sprite.grid = scene.grid()
    return images.index(of: sprite, in: &system)
  }

  private mutating func addImage(of object: ArchivedObject) throws -> Int? {
    let key = Self.key
    let reference: String?
    switch object.value(key) {
    case nil: return nil
    case .data(let bytes)?:
      return try images.add(
        bytes, named: "particle.\(ImageFormat(of: bytes)?.fileExtension ?? "bin")",
        at: object.path(of: key), to: &system)
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
    return try images.add([reference], at: object.path(of: key), to: &system)?.index
  }
}

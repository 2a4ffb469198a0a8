internal import ParticlesCore
internal import ParticlesModel

/// The names of the images of an effect: those of the files beside, and those by which SpriteKit
/// finds them, without extension and without the number of pixels that a point has.
struct SpriteKitImageNames {
  /// The image that a file beside holds, by the name of the file.
  private(set) var files: [String: Int] = [:]

  /// The same by the name in lower case: names that differ in case only are the same for some file
  /// systems.
  private var taken: [String: Int] = [:]

  /// The name in the archive, by emitter.
  private(set) var names: [Int: String] = [:]

  /// The emitters that show an image, by the image.
  private(set) var emitters: [Int: [Int]] = [:]

  init(_ system: ParticleSystem) {
    for emitter in system.emitters.indices {
      guard let index = system.emitters[emitter].sprites.first,
        system.sprites.indices.contains(index),
        system.images.indices.contains(system.sprites[index].image)
      else { continue }
      add(system.sprites[index], of: system.images[system.sprites[index].image], to: emitter)
    }
  }

  private mutating func add(_ sprite: Sprite, of image: ImageReference, to emitter: Int) {
    let name = ImageFinder.baseName(of: image.uri)
    let kind = Files.pathExtension(of: name)
    var stem = Files.stem(of: name)
    for suffix in ["@2x", "@3x"] where stem.hasSuffix(suffix) { stem.removeLast(3) }
    let suffix = sprite.scale == 2 ? "@2x" : sprite.scale == 3 ? "@3x" : ""
    var unique = stem
    var number = 2
    func file() -> String { unique + suffix + (kind.isEmpty ? "" : ".\(kind)") }
    while let other = taken[file().lowercased()], other != sprite.image {
      unique = "\(stem)-\(number)"
      number += 1
    }
    files[file()] = sprite.image
    taken[file().lowercased()] = sprite.image
    emitters[sprite.image, default: []].append(emitter)
    names[emitter] = SpriteKitTexture.kinds.contains(kind) ? unique : file()
  }
}

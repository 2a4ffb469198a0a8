internal import ParticlesCore
internal import ParticlesModel

/// The names of the images of an effect: those of the files beside, and those by which SpriteKit
/// finds them, without extension and without the number of pixels that a point has. An image that
/// nobody has keeps its name as it is.
struct SpriteKitImageNames {
  /// The image that a file beside holds, by the name of the file.
  private(set) var files: [String: Int] = [:]

  /// The name in the archive, by emitter.
  private(set) var names: [Int: String] = [:]

  /// Which images show on which emitters.
  private(set) var images: ExportedImages

  init(_ system: ParticleSystem, missing: Set<Int>) {
    images = ExportedImages(system)
    for emitter in system.emitters.indices {
      guard let image = system.shownImage(of: emitter),
        let sprite = system.emitters[emitter].sprites.first
      else { continue }
      let name = ImageFinder.baseName(of: system.images[image].uri)
      add(
        image, named: name, scale: system.sprites[sprite].scale, isMissing: missing.contains(image),
        to: emitter)
    }
  }

  private mutating func add(
    _ image: Int, named name: String, scale: Double, isMissing: Bool, to emitter: Int
  ) {
    let kind = Files.pathExtension(of: name)
    let isUsual = SpriteKitTexture.kinds.contains(kind)
    let ending = isMissing ? ImportedImage.ending(of: name) : kind.isEmpty ? "" : ".\(kind)"
    var (stem, suffix) = (Files.stem(of: name), "")
    for known in ["@2x", "@3x"] where stem.hasSuffix(known) {
      stem.removeLast(3)
      suffix = known
    }
    if !isMissing { suffix = scale == 2 ? "@2x" : scale == 3 ? "@3x" : "" }
    // SpriteKit tells images apart by their stems only.
    let kinds = isUsual || ending.isEmpty ? SpriteKitTexture.kinds.map { ".\($0)" } : [ending]
    let unique = images.stem(
      stem, endings: kinds.flatMap { kind in ["", "@2x", "@3x"].map { $0 + kind } }, for: image)
    let file = unique + suffix + ending
    files[file] = image
    names[emitter] = isUsual && !isMissing ? unique : file
  }
}

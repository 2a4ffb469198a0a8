internal import ParticlesContainer
package import ParticlesCore
package import ParticlesImages
package import ParticlesModel

/// The images of an effect, decoded, and what is wrong with them.
package struct EffectTextures {
  /// The images by their index in the document.
  private(set) var bitmaps: [Int: Bitmap] = [:]
  /// A warning for each image that a soft dot takes the place of.
  private(set) var problems: [Diagnostic] = []

  init(_ package: EffectPackage, of system: ParticleSystem, limits: Limits) {
    let sprites = system.emitters.filter(\.enabled).flatMap(\.sprites)
    let used = Set(
      sprites.filter { system.sprites.indices.contains($0) }.map { system.sprites[$0].image })
    var images = DecodedImages(package, limits: limits)
    var missing: MissingPictures?
    for index in used.sorted() where system.images.indices.contains(index) {
      let path = system.images[index].uri
      do {
        bitmaps[index] = try images.bitmap(at: path)
      } catch {
        var pictures = missing ?? MissingPictures(system)
        bitmaps[index] = pictures.bitmap(for: index)
        missing = pictures
        problems.append(Self.problem(error, at: path))
      }
    }
  }

  /// The warning for an image that cannot be shown.
  private static func problem(_ error: any Error, at path: String) -> Diagnostic {
    var fault = error as? Diagnostic ?? Diagnostic(.image, found: "\(error)")
    if fault.rule == .absentImage { fault.hint = "--images names a folder with images" }
    fault.location = .entry(path)
    fault.severity = .warning
    let instead = "a soft dot is drawn instead"
    fault.detail = fault.detail.map { "\($0); \(instead)" } ?? instead
    return fault
  }

  /// The images of an effect in a package by their index in its document; a soft dot for one that is missing.
  package static func bitmaps(
    of system: ParticleSystem, in package: EffectPackage, limits: Limits
  ) -> [Int: Bitmap] {
    EffectTextures(package, of: system, limits: limits).bitmaps
  }

  /// Most images of particles are soft dots. It is as large as conversions take an image of unknown size to be.
  static let dot = Bitmap(width: 32, height: 32) { x, y in
    (1, 1, 1, max(0, 1 - x * x - y * y))
  }
}

/// The images of a package, decoded. An effect shows the same image at any number of places; its pixels are
/// decoded once.
struct DecodedImages {
  private let package: EffectPackage
  private var limits: Limits
  private var known: [String: Bitmap] = [:]

  /// - Parameter limits: the most pixels are those of all images together.
  init(_ package: EffectPackage, limits: Limits) {
    self.package = package
    self.limits = limits
  }

  /// Reads an image of the package.
  /// - Throws: ``ParticlesCore/Rule/limit`` if it has more pixels than the images before it have left.
  mutating func bitmap(at path: String) throws -> Bitmap {
    if let bitmap = known[path] { return bitmap }
    guard let file = package.container.root[path]?.contents else {
      throw Diagnostic(.absentImage, at: .entry(path))
    }
    try limits.check(file.size, \.fileBytes, "bytes of an image")
    let bytes = try file.bytes()
    let bitmap = try Bitmap(decoding: bytes, limits: limits)
    limits.imagePixels =
      min(limits.pixels, limits.imagePixels) - bitmap.width * bitmap.height
    known[path] = bitmap
    return bitmap
  }
}

internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// The images of an effect, decoded, and what is wrong with them.
struct EffectTextures {
  /// The images by their index in the document.
  private(set) var bitmaps: [Int: Bitmap] = [:]
  /// A warning for each image that a soft dot takes the place of.
  private(set) var problems: [Diagnostic] = []

  init(_ package: EffectPackage, of system: ParticleSystem, limits: Limits) {
    let sprites = system.emitters.filter(\.enabled).flatMap(\.sprites)
    let used = Set(
      sprites.filter { system.sprites.indices.contains($0) }.map { system.sprites[$0].image })
    // An effect shows the same image at any number of places; its pixels are decoded once.
    var known: [String: Bitmap] = [:]
    for index in used.sorted() where system.images.indices.contains(index) {
      let path = system.images[index].uri
      do {
        let bitmap = try known[path] ?? Self.decode(path, in: package, limits)
        known[path] = bitmap
        bitmaps[index] = bitmap
      } catch {
        bitmaps[index] = Self.dot
        problems.append(
          Diagnostic(
            .absentImage, at: .entry(path), "a soft dot is drawn instead",
            found: (error as? Diagnostic)?.message ?? "\(error)", severity: .warning,
            hint: "--images names a folder with images"))
      }
    }
  }

  /// Most images of particles are soft dots.
  static let dot = Bitmap(width: 64, height: 64) { x, y in
    (1, 1, 1, max(0, 1 - x * x - y * y))
  }

  /// Reads an image of the package.
  static func decode(
    _ path: String, in package: EffectPackage, _ limits: Limits
  ) throws -> Bitmap {
    guard let file = package.container.root[path]?.contents else {
      throw Diagnostic(.absentImage, at: .entry(path))
    }
    try limits.check(file.size, \.fileBytes, "bytes of an image")
    let bytes = try file.bytes()
    return ImageFormat(of: bytes) == .tiff
      ? try TIFF.decode(bytes, limits: limits) : try PNG.decode(bytes, limits: limits)
  }
}

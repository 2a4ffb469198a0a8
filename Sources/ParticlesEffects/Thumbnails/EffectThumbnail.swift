internal import ParticlesContainer
public import ParticlesCore
public import ParticlesImages
internal import ParticlesModel

/// A thumbnail of an effect: a frame of the running effect, at the moment when most is visible.
///
/// ```swift
/// let thumbnail = EffectThumbnail(try OpenedEffect(path: "fire.particles").package)
/// let png = try PNG.encode(thumbnail.bitmap(size: 256))
/// ```
///
/// A thumbnail in the package is used instead if it shows the current effect and is large enough. See
/// ``EffectPackage/embedPreviews(size:animation:limits:)``. If an effect shows no particles, the images of its
/// emitters are drawn.
public struct EffectThumbnail: Sendable {
  private let package: EffectPackage
  private let limits: Limits

  /// The most particles of an emitter. More do not look different in a picture of this size.
  private static let mostParticles = 10_000

  /// The most seconds that run before the effect is seen, and for how many emitters. With more emitters, this time is
  /// shorter.
  private static let (longestPrewarm, prewarmedEmitters) = (20.0, 100.0)

  /// The most samples that are painted, for each pixel of the picture.
  private static let mostPaint = 600

  /// The most emitters. Each needs a fifth of a megabyte while it runs.
  private static let mostEmitters = 500

  /// The most particle steps: once for the picture, and eight times in the search for its moment and its view.
  private static let mostSteps = 100_000_000

  package static let sizes = 1...1024

  /// The most pixels of all images together, 5000 × 5000. They are in memory twice, 4 bytes each.
  private static let mostPixels = 25_000_000

  /// The most texels of all textures, of 16 bytes each.
  private static let mostTexels = 3_000_000

  /// Creates a thumbnail. The effect is read when the picture is drawn.
  /// - Parameters:
  ///   - package: the package of the effect.
  ///   - limits: the limits for reading and drawing. A thumbnail has fewer particles and layers than a picture may
  ///     have: 10,000 particles of an emitter, 600 layers on average, 500 emitters, 100 million particle steps, and
  ///     25 million pixels of all images. Emitters are prewarmed for 20 s at most, and shorter if there are more than
  ///     100. Particle steps and layers are fewer where ``ParticlesCore/Limits/work`` does not suffice.
  public init(_ package: EffectPackage, limits: Limits = .standard) {
    self.package = package
    self.limits = limits
  }

  /// Returns the thumbnail in the package, made smaller, or else a new picture.
  /// - Parameter size: the width and height in pixels, 1 to 1024.
  /// - Throws: the error that makes the document unreadable, or ``ParticlesCore/Rule/imageOutput`` for a size out of
  ///   range.
  public func bitmap(size: Int) throws(Failure) -> Bitmap {
    try picture(size: size).bitmap
  }

  /// A picture, warnings about omitted parts, and its view. The view is nil for the thumbnail in the package, and for
  /// the images of the emitters.
  package typealias Picture = (bitmap: Bitmap, problems: [Diagnostic], view: PictureView?)

  package func picture(size: Int) throws(Failure) -> Picture {
    try WorkBudget.run(limits) { () throws(Failure) in
      try Self.check(size: size)
      if let embedded = try embedded(size: size) { return (embedded, [], nil) }
      return try drawn(size: size)
    }
  }

  /// Throws ``ParticlesCore/Rule/imageOutput`` for a size that a thumbnail cannot have.
  package static func check(size: Int) throws(Failure) {
    guard !sizes.contains(size) else { return }
    throw Diagnostic(
      .imageOutput, "the size of a thumbnail",
      expected: "\(sizes.lowerBound) to \(sizes.upperBound) pixels", found: "\(size)")
  }

  private func embedded(size: Int) throws(Failure) -> Bitmap? {
    guard let thumbnail = package.thumbnail(limits: limits), thumbnail.shows(size),
      try thumbnail.matchesEntries(of: package, limits: limits)
    else { return nil }
    return try? PNG.decode(thumbnail.bytes, limits: limits).fitting(width: size, height: size)
  }

  /// Draws the effect, without the picture in the package.
  func drawn(size: Int) throws(Failure) -> Picture {
    try Self.check(size: size)
    var limits = limits
    limits.particles = min(limits.particles, Self.mostParticles)
    limits.imagePixels = min(limits.imagePixels, Self.mostPixels)
    var plan = EffectAnimation.Plan()
    (plan.width, plan.height, plan.mostTexels) = (size, size, Self.mostTexels)
    var system = try package.system(limits: limits)
    // A third of the work that is left after reading is for painting. A fifth of the rest is for the moment and the
    // view. A sixteenth is for steps that are begun.
    let left =
      Int64(min(WorkBudget.left ?? .max, limits.work, Int(clamping: Int64(1) << 32))) / 16 * 15
    limits.particleSteps = min(
      limits.particleSteps, Self.mostSteps,
      Int(clamping: left * 2 / 3 * 4 / 5 * Int64(WorkBudget.particlesOfStep)))
    limits.paint = min(
      limits.paint, Self.mostPaint * size * size,
      Int(clamping: left / 3 * Int64(WorkBudget.samplesOfStep)))
    let omitted = system.emitters.count - Self.mostEmitters
    var problems: [Diagnostic] = []
    if omitted > 0 {
      system.emitters.removeLast(omitted)
      problems.append(
        Diagnostic(
          .limit, "\(omitted) emitters of a thumbnail are left out",
          expected: "at most \(Self.mostEmitters) emitters", severity: .warning))
    }
    let prewarm =
      Self.longestPrewarm * min(1, Self.prewarmedEmitters / Double(max(1, system.emitters.count)))
    for index in system.emitters.indices {
      let timing = system.emitters[index].timing
      system.emitters[index].timing.prewarm = min(timing.prewarm, prewarm * max(timing.speed, 0))
    }
    let animation = try EffectAnimation(
      system, of: package, plan: plan, isStill: true, limits: limits)
    var picture: Bitmap?
    try animation.draw { picture = $0 }
    problems += animation.problems
    if let picture, !picture.hasOneColor { return (picture, problems, animation.view) }
    return (
      SpriteThumbnail(system, of: package, limits: limits).bitmap(size: size),
      problems.filter { $0.rule != .emptyPicture }, nil
    )
  }
}

extension Bitmap {
  /// Whether all pixels are equal.
  var hasOneColor: Bool {
    stride(from: 4, to: pixels.count, by: 4).allSatisfy { index in
      (0..<4).allSatisfy { pixels[index + $0] == pixels[$0] }
    }
  }
}

/// A picture of an effect without simulation, for effects that show no particles: the first image of
/// each emitter in its colour at 30 % of the lifetime, large particles behind small ones.
struct SpriteThumbnail {
  private struct Layer {
    var image: Bitmap
    var tint: Pixel
    var isAdditive: Bool
    /// The size of the image as a fraction of the thumbnail.
    var extent: Double
  }

  private let layers: [Layer]
  private let background: Pixel

  /// The number of emitters that are drawn.
  private static let most = 8

  /// The least size of an image, as a fraction of the thumbnail.
  private static let leastExtent = 0.35

  /// Reads the images. A soft dot replaces an image that cannot be read.
  init(_ system: ParticleSystem, of package: EffectPackage, limits: Limits) {
    var found: [(layer: Layer, size: Double)] = []
    var images = DecodedImages(package, limits: limits)
    for emitter in system.emitters.prefix(Self.most) {
      let image = Self.image(of: emitter, in: system, &images) ?? EffectTextures.dot
      let life = max(emitter.lifetime.mean, 1e-3)
      let opacity = emitter.color.opacity.curve(lifetime: life).curve
      var color = emitter.color.base.gradient(lifetime: life).gradient.color(at: 0.3)
      color.alpha *= min(max(opacity.value(at: 0.3), 0.25), 1)
      let layer = Layer(
        image: image, tint: Pixel(color), isAdditive: emitter.render.blend.mode == .add, extent: 1)
      found.append((layer, emitter.size.width.from.mean.magnitude))
    }
    let largest = found.map { $0.size }.max() ?? 0
    layers = found.sorted { $0.size > $1.size }.map { layer, size in
      var layer = layer
      layer.extent = largest > 0 ? max(size / largest, Self.leastExtent) : 1
      return layer
    }
    background = Pixel(system.preview.background ?? EffectAnimation.darkness)
  }

  private static func image(
    of emitter: Emitter, in system: ParticleSystem, _ images: inout DecodedImages
  ) -> Bitmap? {
    guard let sprite = emitter.sprites.first, system.sprites.indices.contains(sprite),
      system.images.indices.contains(system.sprites[sprite].image)
    else { return nil }
    return try? images.bitmap(at: system.images[system.sprites[sprite].image].uri)
  }

  /// Draws the picture.
  /// - Parameter size: the width and height in pixels, 1 to 1024.
  func bitmap(size: Int) -> Bitmap {
    // Supersample: images are usually larger than the thumbnail.
    Bitmap(width: size, height: size, samples: 3) { x, y in
      var color = background
      for layer in layers {
        // The longer side of the image has this extent.
        guard let texel = layer.image.pixel(atX: x / layer.extent, y: y / layer.extent) else {
          continue
        }
        color.blend(texel.tinted(by: layer.tint), isAdditive: layer.isAdditive)
      }
      return color
    }
  }
}

extension Pixel {
  fileprivate init(_ color: Color) { self.init(color.red, color.green, color.blue, color.alpha) }
}

/// A thumbnail in a package, with the digests of the effect that it shows (`Spec/document.md`, "Previews").
struct EmbeddedThumbnail {
  /// The keyword of the tree digest of all that the picture shows.
  static let sourceKey = "Particles:Source"
  /// The keyword of the digest of the entries, which needs no reading of their contents.
  static let entriesKey = "Particles:Entries"

  /// The PNG.
  let bytes: [UInt8]
  /// The digest of the package without its previews when it was drawn.
  let source: String
  private let entries: String?

  /// - Returns: nil for the picture of another program, because it has no digest.
  init?(_ bytes: [UInt8]) {
    let texts = PNG.texts(of: bytes)
    guard let source = texts[Self.sourceKey] else { return nil }
    self.bytes = bytes
    self.source = source
    entries = texts[Self.entriesKey]
  }

  /// Whether it is at least as large as a thumbnail of a size.
  func shows(_ size: Int) -> Bool {
    PNG.size(of: bytes).map { min($0.width, $0.height) >= size } ?? false
  }

  /// Whether the document and entries of the package are unchanged since the picture was drawn. Reads only the
  /// document.
  func matchesEntries(of package: EffectPackage, limits: Limits) throws(Failure) -> Bool {
    try entries == package.entriesDigest(limits: limits).description
  }
}

extension EffectPackage {
  /// The largest PNG in bytes that is taken for a thumbnail: more than 1024 × 1024 pixels need.
  private static let mostThumbnailBytes = 8 << 20

  /// The thumbnail. Nil if another program made it, or if it cannot be read.
  func thumbnail(limits: Limits) -> EmbeddedThumbnail? {
    guard let file = container.root[Self.thumbnailPath]?.contents,
      file.size <= min(limits.fileBytes, Self.mostThumbnailBytes), let bytes = try? file.bytes()
    else { return nil }
    return EmbeddedThumbnail(bytes)
  }

  /// The digest of the document, and of paths, kinds and sizes of all entries but previews.
  func entriesDigest(limits: Limits) throws(Failure) -> ContentDigest {
    var hash = SHA256()
    hash.update(Array("particles entries 1\n".utf8))
    withoutPreviews.forEachDescendant { path, node in
      var record = ByteWriter()
      switch node.kind {
      case .directory: record.byte(UInt8(ascii: "d"))
      case .file: record.byte(node.isExecutable ? UInt8(ascii: "x") : UInt8(ascii: "f"))
      case .link: record.byte(UInt8(ascii: "l"))
      }
      record.size(node.contents?.size ?? 0)
      for text in [path, node.symbolicLinkDestination ?? ""] {
        record.u32(UInt32(text.utf8.count))
        record.write(text.utf8)
      }
      hash.update(record.bytes)
    }
    hash.update(SHA256.digest(try document(limits: limits)).bytes)
    return hash.finalize()
  }

  /// All files but the previews.
  var withoutPreviews: FileNode {
    var root = container.root
    root.removeFileNode(named: Self.previewDirectory)
    return root
  }
}

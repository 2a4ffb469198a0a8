internal import ParticlesContainer
public import ParticlesCore
internal import ParticlesFormats
public import ParticlesModel

/// What a person wants to know of an effect, gathered from its document, its images, and where it
/// came from.
public struct EffectSummary: Sendable {
  /// The effect.
  public var system: ParticleSystem

  /// How many particles each emitter keeps busy.
  public var populations: [ParticleSystem.Population]

  /// A picture in the package.
  public struct Texture: Sendable, Hashable {
    /// The path in the package.
    public var uri: String
    /// The width in pixels; nil if nobody knows.
    public var width: Int?
    /// The height in pixels; nil if nobody knows.
    public var height: Int?
    /// The size of the file in bytes; nil if it is not there.
    public var bytes: Int?

    /// The bytes that it takes on a graphics card, four for each pixel; nil if its size is not
    /// known.
    public var memory: Int? {
      guard let width, let height else { return nil }
      let (pixels, isTooMuch) = width.multipliedReportingOverflow(by: height)
      return isTooMuch || pixels > .max / 4 ? .max : pixels * 4
    }
  }

  /// The images of the document.
  public var textures: [Texture]

  /// Where the effect was imported from; nil if it was made here.
  public var origin: EffectOrigin?

  /// The files of the package.
  public var fileCount: Int

  /// The bytes in them.
  public var contentBytes: Int

  /// The digest of the tree.
  public var digest: String

  /// Gathers what there is to know.
  /// - Throws: what makes the document unreadable; what reading the package throws.
  public init(_ package: EffectPackage, limits: Limits = .standard) throws {
    let system = try package.system(limits: limits)
    let root = package.container.root
    self.system = system
    populations = system.populations()
    textures = try system.images.map { image in
      var texture = Texture(
        uri: image.uri, width: image.width, height: image.height,
        bytes: root[image.uri]?.contents?.size)
      if texture.memory == nil, let file = root[image.uri]?.contents, file.size <= limits.fileBytes
      {
        let facts = try ImageReference(describing: file.bytes(), at: image.uri)
        (texture.width, texture.height) = (facts.width, facts.height)
      }
      return texture
    }
    origin = try package.origin(limits: limits)
    var (count, bytes) = (0, 0)
    root.forEachDescendant { _, node in
      guard let contents = node.contents else { return }
      count += 1
      bytes += contents.size
    }
    (fileCount, contentBytes) = (count, bytes)
    digest = try root.treeDigest().description
  }

  /// The most particles alive at once, an estimate from above.
  public var peak: Double { populations.reduce(0) { $0 + $1.alive } }

  /// How long the effect emits until it is over, in seconds, pauses included: the longest period of
  /// the emitters that start with it. Nil if it does not end by itself.
  public var duration: Double? {
    var longest = 0.0
    for index in system.startingEmitters where system.emitters.indices.contains(index) {
      let emitter = system.emitters[index]
      guard emitter.enabled else { continue }
      let timing = emitter.timing
      let emitsForever = timing.duration == nil && emitter.emission.rate != 0
      guard !timing.loop, !emitsForever else { return nil }
      let lastBurst =
        emitter.emission.bursts.map {
          $0.cycles == 0 ? .infinity : $0.time + Double($0.cycles - 1) * $0.interval
        }.max() ?? 0
      let period = timing.duration.map { $0.bounds.upper } ?? lastBurst
      longest = max(longest, timing.delay.bounds.upper + period)
    }
    return longest.isFinite ? longest : nil
  }

  /// Whether an emitter begins again after its period.
  public var loops: Bool { system.emitters.contains { $0.enabled && $0.timing.loop } }
}

internal import ParticlesContainer
public import ParticlesCore
internal import ParticlesFormats
public import ParticlesModel
internal import ParticlesRender

/// A summary of an effect: its particle counts, textures, size and origin.
public struct EffectSummary: Sendable {
  /// The effect.
  public var system: ParticleSystem

  /// The estimated particle counts of each emitter.
  public var populations: [ParticleSystem.Population]

  /// An image of the effect.
  public struct Texture: Sendable, Hashable {
    /// The path in the package.
    public var uri: String
    /// The width in pixels, or nil if unknown.
    public var width: Int?
    /// The height in pixels, or nil if unknown.
    public var height: Int?
    /// The size of the file in bytes, or nil if the file is missing.
    public var bytes: Int?

    /// The bytes in texture memory at 4 bytes a pixel. Nil if the size in pixels is unknown.
    public var memory: Int? {
      guard let width, let height else { return nil }
      let (pixels, isTooMuch) = width.multipliedReportingOverflow(by: height)
      return isTooMuch || pixels > .max / 4 ? .max : pixels * 4
    }
  }

  /// The images of the document.
  public var textures: [Texture]

  /// The source that the effect was imported from. Nil if it was not imported.
  public var origin: EffectOrigin?

  /// The number of files in the package.
  public var fileCount: Int

  /// The size of all files in bytes.
  public var contentBytes: Int

  /// The digest of the tree in hexadecimal digits.
  public var digest: String

  /// Creates the summary of an effect.
  /// - Throws: the error that makes the document or the package unreadable.
  public init(_ package: EffectPackage, limits: Limits = .standard) throws(Failure) {
    self = try WorkBudget.run(limits) { () throws(Failure) in
      try EffectSummary(withinBudget: package, limits)
    }
  }

  private init(withinBudget package: EffectPackage, _ limits: Limits) throws(Failure) {
    let system = try package.system(limits: limits)
    let root = package.container.root
    self.system = system
    populations = system.populations()
    textures = try system.images.map { image throws(Failure) in
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

  /// An upper bound of the number of particles alive at once.
  public var peak: Double { populations.reduce(0) { $0 + $1.alive } }

  /// The time until the effect stops emitting, in seconds, including pauses: the longest period of
  /// the emitters that start with the effect. Nil if it does not end.
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

  /// Whether an enabled emitter loops.
  public var loops: Bool { system.emitters.contains { $0.enabled && $0.timing.loop } }
}

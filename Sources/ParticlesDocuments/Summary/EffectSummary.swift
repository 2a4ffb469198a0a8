internal import ParticlesContainer
public import ParticlesCore
internal import ParticlesFormats
public import ParticlesModel
package import ParticlesRender

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
  public init(_ package: EffectPackage, limits: Limits = .standard) throws {
    self = try WorkBudget.run(limits) { try EffectSummary(withinBudget: package, limits) }
  }

  private init(withinBudget package: EffectPackage, _ limits: Limits) throws {
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

/// The facts about a document that an index keeps: numbers and words with names, texts, and problems. An unreadable
/// document has its problems only.
package struct DocumentFacts: Sendable {
  /// The name of the format, `particles` for packages. Nil if none was recognised.
  package private(set) var format: String?
  package private(set) var name: String?
  /// The digest of the tree, in hexadecimal digits. Nil if it cannot be read.
  package private(set) var digest: String?
  /// Numbers by the names of their fields or keys. Infinity means no bound.
  package private(set) var numbers: [String: [Double]] = [:]
  /// Words by the names of their fields or keys.
  package private(set) var words: [String: [String]] = [:]
  /// The names of emitters, and the paths of images.
  package private(set) var (emitters, textures): ([String], [String]) = ([], [])
  /// The findings of `validate`.
  package private(set) var problems: [Diagnostic]

  private var system: ParticleSystem?

  /// Reads and checks a document.
  /// - Returns: nil if a file that was found in a folder is no document.
  package init?(_ document: DocumentSet.Document, _ validator: Validator) {
    let path = document.path
    var opened: OpenedEffect?
    do {
      problems = try validator.check(path) { opened = $0 }.diagnostics
    } catch {
      problems = [(error as? Diagnostic) ?? Diagnostic(.fileUnreadable, "\(error)")]
    }
    let faults = problems.filter { $0.severity == .error }
    if faults.contains(where: { document.isUnknown(because: $0) }) { return nil }
    if let opened { read(opened, validator.limits) }
    problems = problems.map { problem in
      var problem = problem
      problem.location.file = nil
      return problem
    }
    numbers["errors"] = [Double(problems.count { $0.severity == .error })]
    numbers["warnings"] = [Double(problems.count { $0.severity == .warning })]
    let codes = Set(problems.flatMap { [$0.rule.code, $0.rule.family, $0.severity.rawValue] })
    words["problem"] = codes.sorted()
  }

  private mutating func read(_ opened: OpenedEffect, _ limits: Limits) {
    switch opened.kind {
    case .package: format = "particles"
    case .archive(let archive): format = archive.name
    case .imported(let other): format = other.name
    }
    words["format"] = format.map { [$0] }
    do {
      try WorkBudget.run(limits) {
        let summary = try EffectSummary(opened.package, limits: limits)
        read(summary)
        let document = try JSONParser.parse(
          opened.package.document(limits: limits), limits: limits)
        var properties = StatedProperties()
        properties.read(document)
        numbers.merge(properties.numbers) { own, _ in own }
        words.merge(properties.words) { own, _ in own }
      }
    } catch let fault as Diagnostic where !problems.contains(where: { $0.severity == .error }) {
      problems.append(fault)
    } catch {
      // The check has reported it.
    }
    // The summary has it, unless the document cannot be read.
    if digest == nil { digest = try? opened.package.container.root.treeDigest().description }
  }

  private mutating func read(_ summary: EffectSummary) {
    let system = summary.system
    self.system = system
    name = system.asset.name
    digest = summary.digest
    emitters = system.emitters.map(\.name)
    textures = system.images.map(\.uri)
    numbers["alive"] = [summary.peak]
    numbers["emitters"] = [Double(system.emitters.count)]
    numbers["textures"] = [Double(summary.textures.count)]
    numbers["memory"] = [
      summary.textures.reduce(0.0) { $0 + Double($1.memory ?? 0) }
    ]
    numbers["duration"] = [summary.duration ?? .infinity]
    func distinct(_ words: [String]) -> [String] { Set(words).sorted() }
    words["blend"] = distinct(system.emitters.map { $0.render.blend.mode.rawValue })
    words["shape"] = distinct(system.emitters.map { $0.shape.kind.rawValue })
    words["profile"] = [system.asset.profile.rawValue]
    words["dimension"] = [system.asset.dimension.rawValue]
    words["unit"] = [system.asset.unit.rawValue]
    words["origin"] = summary.origin.map { [$0.format] }
  }

  /// Simulates the effect for two seconds.
  /// - Returns: nil if the effect cannot be read, or takes more work than the limits allow.
  package func look() -> SimilarityVector? {
    guard let system else { return nil }
    return try? SimilarityVector(running: system)
  }
}

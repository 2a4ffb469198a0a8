internal import ParticlesFormats
internal import ParticlesContainer
package import ParticlesCore
internal import ParticlesEffects
internal import ParticlesModel
package import ParticlesRender

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
    emitters = system.emitters.map { $0.name }
    textures = system.images.map { $0.uri }
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

internal import ParticlesCore

/// Something that says an emitter in the words of a format, and collects what it cannot say.
protocol EmitterEncoding {
  /// Where the emitter stands in the document: `emitters[0]`.
  var path: String { get }

  /// What cannot be said exactly.
  var losses: [Diagnostic] { get set }
}

extension EmitterEncoding {
  /// Adds a line to the report. Places are those in the emitter.
  mutating func lose(
    _ rule: Rule, _ capability: Capability, at place: String, also places: [String] = [],
    _ detail: String, recipe: String? = nil, target: Loss.Side? = nil, level: Loss.Level? = nil
  ) {
    losses.append(
      Diagnostic(
        rule, capability, at: "\(path).\(place)", also: places.map { "\(path).\($0)" }, detail,
        target: target, recipe: recipe, level: level))
  }

  /// Adds a line about what stands outside of the emitter.
  mutating func lose(
    _ rule: Rule, _ capability: Capability, atRoot place: String, _ detail: String
  ) {
    losses.append(Diagnostic(rule, capability, at: place, detail))
  }

  /// Reports a property that the format does not have, if the document uses it.
  mutating func lose<T: Equatable>(
    _ capability: Capability, at place: String, _ value: T, unless standard: T, _ detail: String
  ) {
    guard value != standard else { return }
    lose(.lost, capability, at: place, detail)
  }
}

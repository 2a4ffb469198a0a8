internal import ParticlesCore
internal import ParticlesModel

// Values of foreign files that documents must not have: out of range, in the wrong order, or no numbers.

extension ParticleSystem {
  /// Makes every value sound, and reports each change as a loss of the import.
  /// - Returns: the lines; none for a sound effect.
  mutating func settleValues() -> [Diagnostic] {
    let changes = settle()
    guard !changes.isEmpty else { return [] }
    var values = StatedValues(of: self)
    var lines = changes.prefix(Self.mostLines).map { change in
      Diagnostic(
        change, isUnused: unusedCapability(at: change.path, of: &values) != nil,
        capability(at: change.path), emitter: emitterName(at: change.path))
    }
    if changes.count > Self.mostLines {
      let rest = changes[Self.mostLines].path
      lines.append(
        Diagnostic(
          .clamped, capability(at: rest), at: rest,
          "\(changes.count - Self.mostLines) more values are out of range or out of order"))
    }
    return lines
  }

  /// A file may have a million such values.
  private static let mostLines = 100

  /// The row of the matrix for a path of the document.
  private func capability(at path: String) -> Capability {
    guard let index = Self.emitterIndex(at: path), emitters.indices.contains(index) else {
      return path.isPath(at: "preview")
        ? .preview : path.isPath(at: "asset") ? .frame2D : .texture
    }
    let steps = path.split(separator: ".").dropFirst()
    if let step = steps.first, let force = Self.index(in: step, of: "forces"),
      emitters[index].forces.indices.contains(force)
    {
      return emitters[index].forces[force].kind.capability
    }
    let inner = steps.map { step in step.prefix { $0 != "[" } }.joined(separator: ".")
    return Self.plain.first { inner.isPath(at: $0.path) }?.capability
      ?? LostProperty.capability(at: inner) ?? .extra
  }

  /// The rows for properties that every format has.
  private static let plain: [(path: String, capability: Capability)] = [
    ("emission.rate", .rate), ("timing.duration", .duration), ("lifetime", .life),
    ("launch.speed", .speedRange), ("launch.spread", .spread2D), ("launch", .cone3D),
    ("size.width", .size), ("size", .widthAndHeight), ("rotation", .rotation),
    ("color.opacity", .opacityCurve), ("color.mix", .mix), ("color", .gradient),
    ("render.blend", .blendFactors), ("render.trail", .trail), ("render.links", .links),
    ("render.soft", .soft),
    ("shape.normals", .shapePoints), ("shape.colors", .shapePoints), ("shape.type", .shapePoints),
    ("shape.offset", .shapeOffset), ("triggers", .emissionWhileAlive), ("flipbook", .flipbook),
  ]
}

extension Diagnostic {
  fileprivate init(
    _ change: Mender.Change, isUnused: Bool, _ capability: Capability, emitter: String?
  ) {
    switch change.kind {
    case .bound, .sample:
      let detail = change.numbers.map {
        "\(shortText($0.old)) became \(shortText($0.new)), the nearest number that documents allow"
      }
      self.init(
        .clamped, capability, at: change.path, detail ?? "documents do not allow the value",
        recipe: detail == nil ? change.action : nil,
        level: change.kind == .sample || isUnused ? .info : nil)
      if let numbers = change.numbers, let loss {
        let most = Swift.max(numbers.old.magnitude, numbers.new.magnitude)
        let share = (numbers.old / most - numbers.new / most).magnitude
        self.loss?.level = min(loss.level, Loss.Level(difference: share.isNaN ? 1 : share))
        self.loss?.source = Loss.Side(change.path, .finite(numbers.old))
        if self.loss?.level == .info { severity = .note }
      }
    case .order where change.path.hasSuffix(".max"):
      // Of both ends of a range, either is as likely as before.
      self.init(
        .restated, capability, at: change.path, "ranges begin with the smaller number",
        recipe: change.action)
    case .order, .replacement:
      self.init(
        .approximated, capability, at: change.path, "documents do not allow the value",
        recipe: change.action, level: isUnused ? .info : nil)
    }
    loss?.emitter = emitter
  }
}

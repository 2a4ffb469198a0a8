internal import ParticlesCore
internal import ParticlesModel

// Values of foreign files that documents must not have: out of range, in the wrong order, or no numbers.

extension ParticleSystem {
  /// Makes every value sound, and reports each change as a loss of the import.
  /// - Returns: the lines. None for a sound effect.
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

// Emission that is gathered at the beginning of a period, for formats that have bursts only.

extension ParticleSystem {
  /// Replaces emission that is gathered by bursts, if the format has these but not that.
  /// - Returns: a line for each changed emitter.
  mutating func settleEmission(for capabilities: Capabilities) -> [Diagnostic] {
    guard capabilities[.explosiveness] == .lost, capabilities[.burst] != .lost else { return [] }
    return emitters.indices.compactMap { index in
      let emission = emitters[index].emission
      guard let burst = emitters[index].gatheredBurst else { return nil }
      (emitters[index].emission.rate, emitters[index].emission.explosiveness) = (0, 0)
      emitters[index].emission.bursts = [burst]
      let path = "emitters[\(index)].emission.explosiveness"
      var line =
        emission.explosiveness == 1
        ? Diagnostic(
          .restated, .explosiveness, at: path,
          "particles that a period begins with are written as a burst"
        )
        : Diagnostic(
          .lost, .explosiveness, at: path, "emission is even or in bursts", recipe: "a burst",
          metric: Loss.Metric(
            "part of the period", ((1 - emission.explosiveness) * 1e3).rounded() / 1e3, "of 1"))
      line.loss?.emitter = emitters[index].name
      line.loss?.source = Loss.Side(path, .finite(emission.explosiveness))
      return line
    }
  }
}

extension Emitter {
  /// The burst that a period begins with, if that is nearly all that it emits.
  fileprivate var gatheredBurst: Burst? {
    guard emission.explosiveness > 0.9, emission.bursts.isEmpty, emission.rate.isConstant,
      emission.rate.mean > 0, emission.ratePerDistance == 0, emission.jitter == 0,
      let duration = timing.duration, duration.isConstant, duration.mean > 0
    else { return nil }
    // Amounts are whole, and rates are numbers for each second: 8 particles in 0.3 s are 26.67.
    let count = (emission.rate.mean * duration.mean).rounded()
    return count > 0 ? Burst(count: .constant(count)) : nil
  }
}

// Shapes that change while the emitter emits, have a random offset, or an arc that runs clockwise, for formats without
// such shapes.

extension ParticleSystem {
  /// Replaces extents and offsets of shapes by constant ones, and clockwise arcs by others, as far as the format has none.
  /// - Returns: a line for each changed property.
  mutating func settleShapes(for capabilities: Capabilities) -> [Diagnostic] {
    var lines: [Diagnostic] = []
    for index in emitters.indices {
      let (name, shape) = (emitters[index].name, emitters[index].shape)
      func add(_ line: Diagnostic, _ property: String, _ value: JSONValue) {
        var line = line
        line.loss?.emitter = name
        line.loss?.source = Loss.Side("emitters[\(index)].shape.\(property)", value)
        lines.append(line)
      }
      // Only bursts of PixiJS run either way. Directions other than normals are turned with the shape.
      if shape.runsClockwise, emitters[index].launch.direction.mode == .normal,
        ![.pixi3, .pixi5].contains(capabilities.profile)
      {
        emitters[index].shape = shape.counterClockwise
        let path = "emitters[\(index)].shape.transform.rotation"
        let isOrdered = shape.sweep != .random
        add(
          Diagnostic(
            isOrdered ? .approximated : .restated, .shapeRing, at: path,
            also: ["emitters[\(index)].shape.arc", "emitters[\(index)].shape.transform"],
            "arcs run counter-clockwise", recipe: isOrdered ? "the opposite order of places" : nil,
            level: isOrdered ? .low : nil), "arc", shape.arc.json)
      }
      if shape.extent != .one, capabilities[.shapeCurve] != .exact {
        emitters[index].shape = emitters[index].shape.settled(offsets: false)
        let error = (shape.extentError * 1e3).rounded() / 1e3
        let path = "emitters[\(index)].shape.extent"
        add(
          error == 0
            ? Diagnostic(.restated, .shapeCurve, at: path, "extents are part of the shape")
            : Diagnostic(
              .approximated, .shapeCurve, at: path, "shapes do not change over time",
              recipe: "the mean of the extents over the emission",
              metric: Loss.Metric("mean deviation of the extents", error, "of 1")),
          "extent", shape.extent.json)
      }
      if shape.offset != .zero, capabilities[.shapeOffset] != .exact {
        emitters[index].shape = emitters[index].shape.settled(extents: false)
        let path = "emitters[\(index)].shape.offset"
        let isConstant = shape.offset.components.allSatisfy { $0.isConstant }
        let isPoint = shape.kind == .point
        add(
          isConstant || isPoint
            ? Diagnostic(
              .restated, .shapeOffset, at: path,
              isConstant ? "the offset is part of the place" : "the offset is written as a shape")
            : Diagnostic(
              .approximated, .shapeOffset, at: path, "shapes have no random offset",
              recipe: shape.takesOffset ? "a wider shape of equal deviation" : "its mean"),
          "offset", shape.offset.json)
      }
    }
    return lines
  }
}

/// The places of sprites that move because a sprite is inserted before them. A line of a report
/// covers all places, without a path for each.
struct MovedSprites: Sendable, Hashable {
  /// The indices of the sprites, and of their images.
  let sprites: ClosedRange<Int>

  /// The emitters that show them.
  let emitters: Range<Int>

  var paths: [String] {
    sprites.flatMap { ["sprites[\($0)]", "images[\($0)]"] }
      + emitters.map { "emitters[\($0)].sprites" }
  }

  /// The union of both. Both end at the last sprite and at the last emitter.
  func joined(_ other: MovedSprites?) -> MovedSprites {
    guard let other else { return self }
    return MovedSprites(
      sprites: min(
        sprites.lowerBound, other.sprites.lowerBound)...max(
          sprites.upperBound, other.sprites.upperBound),
      emitters: min(
        emitters.lowerBound, other.emitters.lowerBound)..<max(
          emitters.upperBound, other.emitters.upperBound))
  }

  /// Whether a property is at or below one of the paths.
  func covers(_ path: String) -> Bool {
    for array in ["sprites", "images"] {
      if let index = ParticleSystem.index(in: path[...], of: array) {
        return sprites.contains(index)
      }
    }
    guard let index = ParticleSystem.emitterIndex(at: path) else { return false }
    return emitters.contains(index) && path.isPath(at: "emitters[\(index)].sprites")
  }
}

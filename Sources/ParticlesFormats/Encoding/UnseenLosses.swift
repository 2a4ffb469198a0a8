internal import ParticlesCore
internal import ParticlesModel

// Losses of invisible particles.

extension ParticleSystem {
  /// Lines about invisible particles, of level info: their look changes nothing, and without the emitters that
  /// they start nothing else does either.
  func quietingUnseen(_ losses: [Diagnostic]) -> [Diagnostic] {
    let unseen = emitters.map(\.isInvisible)
    guard unseen.contains(true) else { return losses }
    func isOfTriggers(_ path: String, _ emitter: Int) -> Bool {
      path.hasPrefix("emitters[\(emitter)].triggers")
    }
    let starting = emitters.indices.map { index in
      !emitters[index].triggers.isEmpty
        && !losses.contains { $0.rule == .lost && isOfTriggers($0.loss?.path ?? "", index) }
    }
    return losses.map { line in
      guard let loss = line.loss, loss.level > .info, line.rule != .missingImage,
        let index = Self.emitterIndex(at: loss.path), unseen.indices.contains(index), unseen[index],
        !isOfTriggers(loss.path, index),
        !starting[index] || emitters[index].isOfLook(loss.path)
      else { return line }
      var line = line
      line.loss?.level = .info
      line.severity = .note
      return line
    }
  }
}

extension Emitter {
  /// Whether all particles are transparent, in a blend mode that draws them so.
  var isInvisible: Bool {
    color.opacity.isPlainValue && color.opacity.from.bounds.upper <= 0
      && [.alpha, .add, .subtract, .multiplyAlpha, .screen].contains(render.blend.mode)
  }

  /// Whether a path is one of the look, and emitters that particles start inherit nothing of it.
  fileprivate func isOfLook(_ path: String) -> Bool {
    let inherited = Set(triggers.flatMap(\.inherit))
    let parts: [(name: String, inheritance: Inheritance?)] = [
      ("size", .size), ("color", .color), ("rotation", .rotation), ("sprite", nil),
      ("flipbook", nil), ("render", nil),
    ]
    return parts.contains { part in
      path.contains("].\(part.name)") && part.inheritance.map { !inherited.contains($0) } ?? true
    }
  }
}

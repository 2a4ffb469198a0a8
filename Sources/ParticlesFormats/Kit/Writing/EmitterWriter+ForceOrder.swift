internal import ParticlesCore
internal import ParticlesModel

// Forces of engines that have one of each kind, about the emitter.

extension EmitterWriter {
  /// Reports a force about another place, or one that depends on the distance, for engines whose forces
  /// are about the emitter and have one strength.
  /// - Parameter isSame: whether nothing else of the kind changes.
  /// - Returns: whether there is a line.
  @discardableResult
  mutating func loseDistance(of force: Force, at place: String, isSame: Bool = true) -> Bool {
    guard force.center != .zero || force.falloff != 0 || force.maxDistance != nil || !isSame else {
      return false
    }
    lose(
      .approximated, .attract, at: place,
      "forces start at the emitter and are independent of the distance",
      recipe: "the same strength")
    return true
  }

  /// Reports that one force of each kind is written, unless this changes nothing.
  /// - Parameters:
  ///   - kinds: the kinds of the forces, in the order of the document.
  ///   - order: the order in which the engine applies them.
  ///   - space: the coordinate space in which all of them act.
  mutating func explainOrder(of kinds: [ForceKind], by order: [ForceKind], in space: ForceSpace) {
    guard
      kinds != order.filter(kinds.contains) || emitter.forces.contains(where: { $0.space != space })
    else { return }
    lose(
      .restated, .gravity, at: "forces",
      "one force of each kind is written, in a fixed order and in one coordinate space")
  }
}

extension ForceKind {
  /// The kind for engines without vortices: these are tangential accelerations there.
  var withoutVortex: ForceKind { self == .vortex ? .tangential : self }
}

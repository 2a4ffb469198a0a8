internal import ParticlesCore
internal import ParticlesModel

// Directions, accelerations and lines of emitters in the plane.

extension EmitterWriter {
  /// The angle of directions in degrees. Random angles and directions are added to the spread.
  /// - Parameter normals: why directions along normals are lost.
  mutating func planarAngle(_ spread: inout Double, _ normals: String) -> Double {
    let direction = emitter.launch.direction
    switch direction.mode {
    case .angle:
      let (center, half, isExact) = direction.angle.spread
      if half != 0 || !isExact {
        spread = min(spread + half, 180)
        let isSame = isExact && emitter.launch.spread == 0 && format.dimension == .plane
        lose(
          isSame ? .restated : .approximated, .spread2D, at: "launch.direction",
          also: ["launch.spread"], "a random direction is written as a spread")
      } else if direction != Direction(angle: direction.angle) {
        lose(.dead, .spread2D, at: "launch.direction", "only the angle is used")
      }
      return center
    case .none: return 90
    case .random, .normal:
      spread = 180
      let isRandom = direction.mode == .random
      lose(
        isRandom ? .restated : .lost, isRandom ? .spread2D : .directionNormal,
        at: "launch.direction",
        also: ["launch.spread"],
        isRandom ? "a random direction is written as a full spread" : normals)
      return 90
    case .vector:
      let vector = direction.vector
      let isFlat = vector.z == 0
      lose(
        isFlat ? .restated : .approximated, .cone3D, at: "launch.direction",
        isFlat ? "the direction is written as an angle" : "\(format.engine) is 2D only",
        recipe: isFlat ? nil : "projected on the plane")
      return Angle.direction(vector.x, vector.y) ?? 90
    }
  }

  /// Reports a spread that is not a fan.
  mutating func loseCone(_ spread: Double) {
    let isRandom = [.random, .normal].contains(emitter.launch.direction.mode)
    guard spread > 0, spreadLaw != .planar, !isRandom else { return drop("launch.spreadLaw") }
    lose(
      .approximated, .cone3D, at: "launch.spread", also: ["launch.spreadLaw"],
      "cones become fans", recipe: "the same angle")
  }

  /// Reports what an acceleration states besides its vector and its space.
  mutating func loseTraits(ofGravity force: Force, at place: String) {
    var plain = Force(.gravity)
    (plain.vector, plain.space) = (force.vector, force.space)
    guard force != plain else { return }
    lose(.dead, .gravity, at: place, "only the vector of an acceleration is used", level: .info)
  }

  /// Reports a line that is written as a rectangle.
  mutating func explainLine(_ shape: Shape) {
    let isAlongAxis = shape.angle.truncatingRemainder(dividingBy: 90) == 0
    lose(
      isAlongAxis ? .restated : .approximated, .shapeLine, at: "shape",
      isAlongAxis
        ? "a line is written as a rectangle of height 0" : "a line becomes its bounding rectangle")
  }
}

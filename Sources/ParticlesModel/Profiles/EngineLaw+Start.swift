/// The switches of where and how particles start.
extension ParticleSystem.EngineLaw {
  /// See ``ellipse``.
  package enum Ellipse: String, Sendable, Hashable, EngineSwitch {
    /// As the distribution of the shape states.
    case uniform
    /// A square, mapped to the disc.
    case squareMapped
    /// A disc of the radius along x, cut at the radius along y, and then scaled to it.
    case cutDisc

    package var meaning: String {
      switch self {
      case .uniform: "as `shape.distribution` states"
      case .cutDisc:
        "for the radii a and b, a point (x, y) with |y| ≤ b of the disc of the radius a, as (x, y · b ÷ a), "
          + "which is uniform unless a > b; the normal of an edge is (cos φ, sin φ)"
      case .squareMapped:
        "x · √(1 − y² ÷ 2) and y · √(1 − x² ÷ 2) of a point (x, y) of the square from −1 to 1"
      }
    }
  }

  /// See ``initialAge``.
  package enum InitialAge: String, Sendable, Hashable, EngineSwitch {
    /// It counts as age only.
    case counted
    /// The particle moves for as long, in one step.
    case moved

    package var meaning: String {
      switch self {
      case .counted: "`emission.lifeOffset` is an age"
      case .moved: "the particle is also moved, by one step of that length, when it is emitted"
      }
    }
  }

  /// See ``alignment``.
  package enum Alignment: String, Sendable, Hashable, EngineSwitch {
    /// The velocity, which is opposite to the direction where the speed is negative.
    case velocity
    /// The direction.
    case direction

    package var meaning: String {
      switch self {
      case .velocity:
        "`rotation.align` follows the velocity, and the direction where the speed is 0"
      case .direction: "it follows the direction of the launch or of `motion.direction`"
      }
    }
  }

  /// See ``spreading``.
  package enum Spreading: String, Sendable, Hashable, EngineSwitch {
    /// Those that come to life, without gaps.
    case emitted
    /// All that are tried: one that `probability` leaves out leaves its place empty.
    case tried

    package var meaning: String {
      switch self {
      case .emitted: "`shape.sweep` `spread` counts the particles of a burst that come to life"
      case .tried:
        "`shape.sweep` `spread` counts all particles of a burst: one that `probability` leaves out leaves a gap"
      }
    }
  }
}

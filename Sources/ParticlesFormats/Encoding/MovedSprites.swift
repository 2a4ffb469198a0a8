internal import ParticlesCore
internal import ParticlesModel

/// The places of sprites that move because another one is put before them: a line of a report covers them,
/// however many they are, without a path for each.
struct MovedSprites: Sendable, Hashable {
  /// The indices of the sprites, and of their images.
  let sprites: ClosedRange<Int>

  /// The emitters that show them.
  let emitters: Range<Int>

  var paths: [String] {
    sprites.flatMap { ["sprites[\($0)]", "images[\($0)]"] }
      + emitters.map { "emitters[\($0)].sprites" }
  }

  /// These and others; both end at the last sprite and at the last emitter.
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

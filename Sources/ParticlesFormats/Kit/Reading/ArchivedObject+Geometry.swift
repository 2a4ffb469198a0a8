internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// Angles, and points and sizes as Foundation archives them.

extension ArchivedObject {
  /// An angle in degrees.
  func angle(_ key: String) -> Double {
    guard let radians = double(key) else { return 0 }
    guard radians.magnitude < 1e15 else {
      mismatch(key, expected: "an angle below 1e15", found: "\(radians)")
      return 0
    }
    return Angle.degrees(radians)
  }
}

extension ArchivedEmitter {
  /// An angle in degrees.
  func angle(_ name: String) -> Double { object.angle(key(name)) }

  /// Two numbers as text, bare or in an `NSValue`.
  func pair(_ name: String) throws -> (x: Double, y: Double)? {
    try object.geometry(key(name), count: 2).map { ($0[0], $0[1]) }
  }
}

extension EmitterWriter where Format: ArchiveFormat {
  /// Two numbers as text.
  mutating func set(_ key: String, pair x: Double, _ y: Double) {
    set(key, .string(Geometry.pair(x, y)))
  }
}

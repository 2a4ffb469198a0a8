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

  /// So many numbers out of text such as `{{0, 0}, {1, 1}}`, bare or in an `NSValue`.
  func geometry(_ key: String, count: Int) throws -> [Double]? {
    let text: String
    switch value(key) {
    case nil: return nil
    case .string(let bare)?: text = bare
    case .object?:
      guard let object = try object(key) else { return nil }
      text =
        ["NS.pointval", "NS.sizeval", "NS.rectval"].lazy.compactMap { object.string($0) }.first
        ?? ""
    case let other?:
      mismatch(key, expected: "\(count) numbers as text", found: other.kind)
      return nil
    }
    let words = text.prefix(512).split { "{}, \t".contains($0) }
    let numbers = words.compactMap { Double($0) }.filter { $0.isFinite && $0.magnitude < 1e15 }
    guard numbers.count == count, words.count == count else {
      mismatch(key, expected: "\(count) numbers as text", found: "'\(text.excerpt)'")
      return nil
    }
    // A negative zero is what an editor makes of a zero that it turned upside down.
    return numbers.map { ($0 + 0).tidy }
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

internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// Numbers, angles and key frames of effects: checked, and without conversion errors.

extension ArchivedObject {
  /// A number. Tiny garbage values of old editors become zero.
  func number(_ key: String, _ standard: Double) -> Double {
    guard let number = double(key) else { return standard }
    guard number.magnitude < 1e15 else {
      mismatch(key, expected: "a number below 1e15", found: "\(number)")
      return standard
    }
    return number.tidy
  }

  /// A number that must not be less than `least`.
  func number(_ key: String, _ standard: Double, atLeast least: Double) -> Double {
    let found = number(key, standard)
    guard found < least else { return found }
    reader.report(
      Diagnostic(
        .approximated, at: .key(path(of: key)), expected: "at least \(least)", found: "\(found)"))
    return least
  }

  func angle(_ key: String) -> Double {
    guard let radians = double(key) else { return 0 }
    guard radians.magnitude < 1e15 else {
      mismatch(key, expected: "an angle below 1e15", found: "\(radians)")
      return 0
    }
    return Angle.degrees(radians)
  }

  /// An array of numbers; nil, after a report, if there is none or an element is not a number.
  func numbers(_ key: String, below limit: Double = 1e15) throws -> [Double]? {
    guard let elements = try array(key) else { return nil }
    guard let numbers = numbers(elements, below: limit) else {
      mismatch(key, expected: "numbers", found: "another type")
      return nil
    }
    return numbers
  }

  private func numbers(_ elements: [KeyedArchive.Index], below limit: Double) -> [Double]? {
    var numbers: [Double] = []
    for element in elements {
      switch archive.value(at: element) {
      case .scalar(.real(let value, _)) where value.magnitude < limit: numbers.append(value.tidy)
      case .scalar(.integer(let value)) where Double(value).magnitude < limit:
        numbers.append(Double(value))
      default: return nil
      }
    }
    return numbers
  }

  /// The values of key frames, at least one; nil, after a report, if they are neither numbers nor
  /// colours.
  func keyFrameValues(_ key: String) throws -> KeyFrames.Values? {
    guard let elements = try array(key), !elements.isEmpty else { return nil }
    if let numbers = numbers(elements, below: 1e15) { return .numbers(numbers) }
    var colors: [Color] = []
    // Keys may share a colour; a hostile file could do so a million times.
    var known: [KeyedArchive.Index: Color] = [:]
    for (number, element) in elements.enumerated() {
      let place = archive.resolve(element)
      if known[place] == nil, case .object = archive.value(at: element) {
        known[place] = try object(at: element, "\(path(of: key))[\(number)]").color()
      }
      guard let color = known[place] else {
        mismatch(key, expected: "numbers or colours", found: archive.value(at: element).kind)
        return nil
      }
      colors.append(color)
    }
    return .colors(colors)
  }

  /// This object as a colour; nil, after a report, if it is not one.
  func color() throws -> Color? { try ArchivedColor.sRGB(of: self).map { Color($0) } }
}

extension KeyedEmitter {
  func angle(_ name: String) -> Double { object.angle(key(name)) }

  /// Two numbers as text, bare or in an `NSValue`.
  func pair(_ name: String) throws -> (x: Double, y: Double)? {
    try object.geometry(key(name), count: 2).map { ($0[0], $0[1]) }
  }
}

extension EmitterWriter where Format: KeyedFormat {
  mutating func set(_ key: String, pair x: Double, _ y: Double) {
    set(key, .string(Geometry.pair(x, y)))
  }
}

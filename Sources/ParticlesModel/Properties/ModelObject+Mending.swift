internal import ParticlesCore

// How values of each form are mended. `ModelObject+Orders.swift` mends objects as a whole.

extension ModelObject {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    mendObject(at: path, by: &mender)
  }

  /// Mends every property, and then the object as a whole.
  mutating func mendObject(at path: JSONPath, by mender: inout Mender) {
    for property in Self.properties {
      property.aspects.mend(&self, path.appending(property.key), &mender)
    }
    mendWhole(at: path, by: &mender)
  }
}

extension Double {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    mender.move(&self, to: bounds ?? .any, at: path)
  }
}

extension Int {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    guard let bounds, !bounds.contains(Double(self)) else { return }
    var number = Double(self)
    mender.move(&number, to: bounds, at: path)
    self = Int(exactly: number) ?? self
  }
}

extension Array where Element: JSONConvertible {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    var lost: [Int] = []
    for index in indices {
      let place = path.appending(index)
      guard mender.loses({ self[index].mend(bounds, at: place, by: &$0) }) else { continue }
      lost.append(index)
      mender.note(.replacement, .range, at: place, "left out an element that is not allowed")
    }
    for index in lost.reversed() { remove(at: index) }
  }
}

extension ComponentValue {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    mendComponents(bounds, at: path, by: &mender)
  }

  /// Mends every component.
  mutating func mendComponents(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    let count = mender.changes.count
    var components = self.components
    for index in components.indices {
      let place = path.appending(index)
      if mender.loses({ components[index].mend(bounds, at: place, by: &$0) }) {
        mender.loseNumber()
      }
    }
    if mender.changes.count > count { self = Self(components: components) }
  }
}

extension NamedAlternative {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    guard var value = stated else { return }
    value.mend(Self.bounds ?? bounds, at: path, by: &mender)
    self = Self(stating: value)
  }
}

extension Value {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    switch self {
    case .constant(var number):
      if number.isFinite, let bounds {
        // Samples are clamped. Where the bound itself is not allowed, the constant stays.
        guard bounds.contains(number) || bounds.nearest(to: number) != nil else { return }
        mender.move(&number, to: bounds, .sample, at: path)
      } else {
        mender.move(&number, to: bounds ?? .any, at: path)
      }
      self = .constant(number)
    case .uniform(var value):
      value.mend(nil, at: path, by: &mender)
      self = .uniform(value)
    case .choice(var value):
      value.mend(nil, at: path, by: &mender)
      self = .choice(value)
    case .ramp(var value):
      value.mend(nil, at: path, by: &mender)
      self = .ramp(value)
    }
  }
}

extension ColorValue {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    switch self {
    case .constant(var color):
      color.mend(bounds, at: path, by: &mender)
      self = .constant(color)
    case .varied(var value):
      value.mend(nil, at: path, by: &mender)
      self = .varied(value)
    case .range(var value):
      value.mend(nil, at: path, by: &mender)
      self = .range(value)
    case .gradient(var value):
      value.mend(nil, at: path, by: &mender)
      self = .gradient(value)
    case .choice(var value):
      value.mend(nil, at: path, by: &mender)
      self = .choice(value)
    }
  }
}

extension Track {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    if self == Track(from) {
      from.mend(bounds, at: path, by: &mender)
    } else {
      mendObject(at: path, by: &mender)
    }
  }
}

extension ColorTrack {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    if self == ColorTrack(from) {
      from.mend(bounds, at: path, by: &mender)
    } else {
      mendObject(at: path, by: &mender)
    }
  }
}

extension CurveKey {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    time.mend(nil, at: path.appending(0), by: &mender)
    value.mend(nil, at: path.appending(1), by: &mender)
    inSlope.leaveOut(at: path.appending(2), by: &mender)
    outSlope.leaveOut(at: path.appending(3), by: &mender)
  }
}

extension Double? {
  /// Leaves out a slope that is no number. Then the neighbours give one.
  fileprivate mutating func leaveOut(at path: JSONPath, by mender: inout Mender) {
    guard let number = self, !number.isFinite else { return }
    mender.note(.replacement, .range, at: path, "left out the slope \(number.plain)")
    self = nil
  }
}

extension GradientKey {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    time.mend(nil, at: path.appending(0), by: &mender)
    color.mend(nil, at: path.appending(1), by: &mender)
  }
}

extension ColorJitter {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    mendComponents(.nonNegative, at: path, by: &mender)
  }
}

extension Interval {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    mendComponents(bounds, at: path, by: &mender)
    guard lower > upper else { return }
    mender.note(.order, .range, at: path, "exchanged the ends of \(json.line)")
    (lower, upper) = (upper, lower)
  }
}

extension Rectangle {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    mender.move(&x, to: .nonNegative, at: path.appending(0))
    mender.move(&y, to: .nonNegative, at: path.appending(1))
    mender.move(&width, to: .positive, at: path.appending(2))
    mender.move(&height, to: .positive, at: path.appending(3))
  }
}

extension Quaternion {
  package mutating func mend(_ bounds: Bounds?, at path: JSONPath, by mender: inout Mender) {
    let count = mender.changes.count
    mendComponents(bounds, at: path, by: &mender)
    guard mender.changes.count > count || !isUnit else { return }
    // Squares of the greatest numbers are infinite.
    let most = components.reduce(0) { max($0, $1.magnitude) }
    guard most > 0 else { return mender.loseNumber() }
    let parts = components.map { $0 / most }
    let length = parts.reduce(0) { $0 + $1 * $1 }.squareRoot()
    self = Quaternion(components: parts.map { $0 / length })
    mender.note(.bound, .range, at: path, "changed the length of the quaternion to 1")
  }
}

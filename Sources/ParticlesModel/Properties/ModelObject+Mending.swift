public import ParticlesCore

extension ModelObject {
  package mutating func mend(at path: JSONPath, into repairs: inout [Repair]) {
    mendObject(at: path, into: &repairs)
  }

  /// Repairs every property.
  mutating func mendObject(at path: JSONPath, into repairs: inout [Repair]) {
    for property in Self.properties {
      property.aspects.mend(&self, path.appending(property.key), &repairs)
    }
  }
}

extension ParticleSystem {
  /// Repairs problems that can be repaired without guessing: sorts the keys of curves and gradients by
  /// time; keys at the same time stay in their order.
  /// - Returns: the repairs; empty if none was needed.
  public mutating func mend() -> [Diagnostic.Repair] {
    var repairs: [Repair] = []
    mend(at: .root, into: &repairs)
    return repairs
  }
}

extension Curve {
  package mutating func mend(at path: JSONPath, into repairs: inout [Repair]) {
    keys.sortByTime({ $0.time }, at: path.appending("keys"), into: &repairs)
  }
}

extension Gradient {
  package mutating func mend(at path: JSONPath, into repairs: inout [Repair]) {
    keys.sortByTime({ $0.time }, at: path.appending("keys"), into: &repairs)
    mendObject(at: path, into: &repairs)
  }
}

extension Array {
  fileprivate mutating func sortByTime(
    _ time: (Element) -> Double, at path: JSONPath, into repairs: inout [Repair]
  ) {
    let times = map(time)
    guard zip(times, times.dropFirst()).contains(where: { $1 < $0 }) else { return }
    // The sort is stable.
    sort { time($0) < time($1) }
    repairs.append(Repair(.keys, at: path.location, "sorted the keys by time"))
  }
}

extension Value {
  package mutating func mend(at path: JSONPath, into repairs: inout [Repair]) {
    guard case .ramp(var ramp) = self else { return }
    ramp.mend(at: path, into: &repairs)
    self = .ramp(ramp)
  }
}

extension ColorValue {
  package mutating func mend(at path: JSONPath, into repairs: inout [Repair]) {
    guard case .gradient(var pick) = self else { return }
    pick.mend(at: path, into: &repairs)
    self = .gradient(pick)
  }
}

extension Track {
  package mutating func mend(at path: JSONPath, into repairs: inout [Repair]) {
    if self == Track(from) {
      from.mend(at: path, into: &repairs)
    } else {
      mendObject(at: path, into: &repairs)
    }
  }
}

extension ColorTrack {
  package mutating func mend(at path: JSONPath, into repairs: inout [Repair]) {
    if self == ColorTrack(from) {
      from.mend(at: path, into: &repairs)
    } else {
      mendObject(at: path, into: &repairs)
    }
  }
}

extension VectorTrack {
  package mutating func mend(at path: JSONPath, into repairs: inout [Repair]) {
    x.mend(at: path.appending(0), into: &repairs)
    y.mend(at: path.appending(1), into: &repairs)
    z.mend(at: path.appending(2), into: &repairs)
  }
}

extension ValueVector {
  package mutating func mend(at path: JSONPath, into repairs: inout [Repair]) {
    x.mend(at: path.appending(0), into: &repairs)
    y.mend(at: path.appending(1), into: &repairs)
    z.mend(at: path.appending(2), into: &repairs)
  }
}

extension ValueScale {
  package mutating func mend(at path: JSONPath, into repairs: inout [Repair]) {
    x.mend(at: path.appending(0), into: &repairs)
    y.mend(at: path.appending(1), into: &repairs)
    z.mend(at: path.appending(2), into: &repairs)
  }
}

extension Array where Element: JSONConvertible {
  package mutating func mend(at path: JSONPath, into repairs: inout [Repair]) {
    for index in indices { self[index].mend(at: path.appending(index), into: &repairs) }
  }
}

extension NamedAlternative {
  package mutating func mend(at path: JSONPath, into repairs: inout [Repair]) {
    guard var value = stated else { return }
    value.mend(at: path, into: &repairs)
    self = Self(stating: value)
  }
}

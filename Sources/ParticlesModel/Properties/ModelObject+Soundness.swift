internal import ParticlesCore

extension ModelObject {
  package func isSound(_ bounds: Bounds?) -> Bool { isSoundObject }

  /// Whether checks of every property and of the object as a whole find no fault of a range or an order. Ends at the
  /// first one.
  var isSoundObject: Bool {
    var (root, standard) = (self, Self())
    return Self.properties.allSatisfy { $0.aspects.isSound(&root, &standard) }
      && [Diagnostic].isSound { checkWhole(at: .nowhere, into: &$0) }
  }
}

extension Track {
  package func isSound(_ bounds: Bounds?) -> Bool {
    self == Track(from) ? from.isSound(bounds) : isSoundObject
  }
}

extension ColorTrack {
  package func isSound(_ bounds: Bounds?) -> Bool {
    self == ColorTrack(from) ? from.isSound(bounds) : isSoundObject
  }
}

extension ParticleSystem {
  /// Whether ``diagnostics()`` has no fault of a range or an order.
  package var isSound: Bool {
    isSound(nil)
      && [Diagnostic].isSound { faults in
        for sprite in sprites { checkRegion(of: sprite, at: .nowhere, into: &faults) }
      }
  }
}

extension [Diagnostic] {
  /// Whether a check finds no fault of a range or an order.
  static func isSound(_ check: (inout [Diagnostic]) -> Void) -> Bool {
    var faults: [Diagnostic] = []
    check(&faults)
    return !faults.contains { $0.rule == .range || $0.rule == .keys }
  }
}

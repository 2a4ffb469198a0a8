internal import ParticlesModel

extension ParticleBatch {
  /// The particles in the order of drawing, the lowest first; nil for the order of their emission.
  /// - Parameter depth: the distance from the plane of the camera, and that from the camera.
  func order(
    _ drawing: EngineLaw.Drawing, depth: (Int) -> (plane: Double, camera: Double)
  ) -> [Int]? {
    let count = look.count
    var keys: [Double]?
    switch emitter.render.sort {
    case .none:
      guard drawing.order == .slots, let slots = emitter.emission.maxAlive, slots > 0 else { break }
      keys = (0..<count).map { Double(look.ordinal[$0] % UInt64(slots)) }
    case .oldestFirst: break
    case .youngestFirst: keys = (0..<count).map { -Double($0) }
    case .depth: keys = (0..<count).map { -depth($0).plane }
    case .distance: keys = (0..<count).map { -depth($0).camera }
    case .lifetime: keys = (0..<count).map { -share($0) }
    }
    let isLayered = !emitter.render.z.isConstantOverLife || !emitter.render.z.from.isConstant
    guard keys != nil || isLayered else { return nil }
    var order = Array(0..<count)
    order.sort { a, b in
      let (z, other) = (look.depth[a], look.depth[b])
      if z < other { return true }
      if other < z { return false }
      guard let keys else { return a < b }
      if keys[a] < keys[b] { return true }
      if keys[b] < keys[a] { return false }
      return a < b
    }
    return order
  }
}

internal import ParticlesCore
internal import ParticlesModel

// How particles are drawn, and what nothing in SpriteKit does.

extension EmitterWriter<SpriteKitFamily> {
  /// The oldest particle is on top unless somebody says otherwise.
  mutating func encodeSort() {
    let sort = emitter.render.sort
    guard sort != .youngestFirst else { return }
    guard let order = SpriteKitFamily.sortModes.firstIndex(of: sort) else {
      return lose(.lost, .sort, at: "render.sort", "particles are drawn from young to old")
    }
    set("_particleRenderOrder", integer: order)
    lose(
      .assumed, .sort, at: "render.sort", "no file is known that says it; set it in code",
      target: .init("_particleRenderOrder", .int(order)), level: .low)
  }

  mutating func encodeDepth() {
    let z = emitter.render.z
    set("_startZPosition", width: "_startZPositionVariance", z.from, .sort, at: "render.z")
    set("_zPositionSpeed", z.rate.mean)
    if !z.isStraight || !z.rate.isNumber {
      lose(.approximated, .sort, at: "render.z", "the order changes evenly", recipe: "the start")
    }
  }

  mutating func dropPhysics() {
    let (physics, detail) = (emitter.physics, "particles do not collide")
    drop(
      \.physics.diesOnCollision, .collide, at: "physics.diesOnCollision", detail,
      physics.collides ? .lost : .dead)
    let rule: Rule = physics.collides || physics.fieldMask != 0 ? .lost : .dead
    drop(\.physics.mass, .collide, at: "physics.mass", detail, rule)
    drop(\.physics.charge, .collide, at: "physics.charge", detail, rule)
    drop(\.physics.bounce, .collide, at: "physics.bounce", detail, rule)
    drop(\.physics.friction, .collide, at: "physics.friction", detail, rule)
  }
}

// Written by Tests/usual.py from 343 effects of other people in all formats. Do not edit.

extension PropertyHint {
  /// The 1st percentile, the median and the 99th percentile of values in effects.
  typealias Usual = (low: Double, middle: Double, high: Double)

  /// The usual ranges of properties, for effects in the plane and for effects in space.
  static let usual: [String: (plane: Usual?, space: Usual?)] = [
    "images[].width": ((15, 64, 460), nil),
    "images[].height": ((12, 64, 360), nil),
    "sprites[].image": ((0, 0, 14), (0, 0, 2)),
    "sprites[].grid.columns": ((2.3, 8, 11), nil),
    "emitters[].transform.translation": ((-500, 160, 530), (-63, 0, 29)),
    "emitters[].transform.angle": ((-170, -90, 83), nil),
    "emitters[].timing.duration": ((0.01, 0.3, 10), (0.1, 1, 8.8)),
    "emitters[].timing.speed": ((1.2, 2, 3), nil),
    "emitters[].emission.rate": ((0.64, 100, 10000), (2.6, 55, 1900)),
    "emitters[].emission.bursts[].count": ((0, 23, 600), (10, 30, 50)),
    "emitters[].emission.maxAlive": ((1, 200, 2000), (8, 100, 3300)),
    "emitters[].emission.minAlive": ((130, 810, 1900), nil),
    "emitters[].emission.total": ((10, 260, 300), nil),
    "emitters[].emission.explosiveness": ((0.7, 0.95, 1), nil),
    "emitters[].shape.size": ((0, 200, 1000), (0, 2, 160)),
    "emitters[].shape.radii": ((0.5, 8, 150), nil),
    "emitters[].shape.radius": ((1, 8, 71), (0.0001, 0.25, 30)),
    "emitters[].launch.direction.angle": ((-550, 0, 720), nil),
    "emitters[].launch.direction.vector": (nil, (-0.5, 0, 1)),
    "emitters[].launch.spread": ((0.17, 45, 180), (2.5, 45, 180)),
    "emitters[].launch.speed": ((-200, 150, 1800), (-0.84, 2.5, 100)),
    "emitters[].lifetime": ((-2.1, 2, 30), (0.1, 1.5, 10)),
    "emitters[].motion.speed": ((0, 100, 600), nil),
    "emitters[].motion.orbit.angle": ((-270, 260, 450), nil),
    "emitters[].motion.orbit.angularVelocity": ((-140, 110, 360), nil),
    "emitters[].motion.orbit.radius": ((-25, 0, 330), nil),
    "emitters[].forces[].vector": ((-1300, 0, 960), (-9.8, 0, 47)),
    "emitters[].forces[].strength": ((-530, 1.1, 440), (-5, 2, 40)),
    "emitters[].rotation.angle": ((-1100, 0, 820), (-360, 0, 12000)),
    "emitters[].rotation.velocity": ((-490, 0, 380), (-720, 0, 340)),
    "emitters[].size.width": ((-39, 10, 370), (0, 0.25, 38)),
    "emitters[].size.stretch.factor": (nil, (0.011, 0.075, 0.1)),
    "emitters[].color.opacity": ((-2, 0.5, 1.1), nil),
    "emitters[].flipbook.start": (nil, (0, 1.5, 6)),
    "emitters[].render.blend.src": ((1, 1, 770), nil),
    "emitters[].render.blend.dst": ((1, 770, 770), nil),
    "emitters[].render.order": ((5, 9, 9), (-1, 1, 2)),
  ]
}

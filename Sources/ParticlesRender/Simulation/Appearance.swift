internal import ParticlesModel

/// What the particles of an emitter look like at a moment: a number for each particle in each array,
/// in the order of their emission. Arrays are padded to whole lanes.
package final class Appearance {
  /// The number of particles.
  package internal(set) var count = 0
  /// Places in the effect, in units.
  package internal(set) var x: [Float] = []
  package internal(set) var y: [Float] = []
  package internal(set) var z: [Float] = []
  /// Velocities in units per second, without drift.
  package internal(set) var velocityX: [Float] = []
  package internal(set) var velocityY: [Float] = []
  package internal(set) var velocityZ: [Float] = []
  /// Width and height, in the unit that `size.mode` states.
  package internal(set) var width: [Float] = []
  package internal(set) var height: [Float] = []
  /// Angles in degrees, counter-clockwise.
  package internal(set) var angle: [Float] = []
  /// The colour in sRGB, with straight alpha and the opacity in it.
  package internal(set) var red: [Float] = []
  package internal(set) var green: [Float] = []
  package internal(set) var blue: [Float] = []
  package internal(set) var alpha: [Float] = []
  /// A factor of red, green and blue.
  package internal(set) var intensity: [Float] = []
  /// How much of the colour the image takes on.
  package internal(set) var mix: [Float] = []
  /// The order of drawing.
  package internal(set) var depth: [Float] = []
  /// Ages and lifetimes in seconds.
  package internal(set) var age: [Float] = []
  package internal(set) var life: [Float] = []
  /// How many particles the emitter emitted before each.
  package internal(set) var ordinal: [UInt64] = []

  package init() {}

  /// Makes room.
  func resize(to count: Int) {
    self.count = count
    let padded = (count + Lanes.width - 1) / Lanes.width * Lanes.width
    let paths: [ReferenceWritableKeyPath<Appearance, [Float]>] = [
      \.x, \.y, \.z, \.velocityX, \.velocityY, \.velocityZ, \.width, \.height, \.angle, \.red,
      \.green, \.blue, \.alpha, \.intensity, \.mix, \.depth, \.age, \.life,
    ]
    for path in paths {
      let missing = padded - self[keyPath: path].count
      if missing > 0 {
        self[keyPath: path].append(contentsOf: repeatElement(0, count: missing))
      } else if missing < 0 {
        self[keyPath: path].removeLast(-missing)
      }
    }
  }
}

extension EmitterState {
  /// Evaluates all that is drawn.
  func appearance(into result: Appearance, progress: Double) {
    let count = columns.count
    result.resize(to: count)
    result.ordinal = Array(UnsafeBufferPointer(start: columns.ordinals, count: count))
    for lane in 0..<(count + Lanes.width - 1) / Lanes.width {
      let look = look(lane, progress: progress)
      let first = lane * Lanes.width
      func store(_ lanes: Lanes, _ array: inout [Float]) {
        array.withUnsafeMutableBytes {
          $0.storeBytes(
            of: lanes, toByteOffset: first * MemoryLayout<Float>.stride, as: Lanes.self)
        }
      }
      store(columns.lanes(Fixed.x)[lane], &result.x)
      store(columns.lanes(Fixed.y)[lane], &result.y)
      store(columns.lanes(Fixed.z)[lane], &result.z)
      store(columns.lanes(Fixed.vx)[lane], &result.velocityX)
      store(columns.lanes(Fixed.vy)[lane], &result.velocityY)
      store(columns.lanes(Fixed.vz)[lane], &result.velocityZ)
      store(columns.lanes(Fixed.age)[lane], &result.age)
      store(columns.lanes(Fixed.life)[lane], &result.life)
      store(look.width, &result.width)
      store(look.height, &result.height)
      store(look.angle, &result.angle)
      store(look.color.red, &result.red)
      store(look.color.green, &result.green)
      store(look.color.blue, &result.blue)
      store(look.color.alpha, &result.alpha)
      store(look.intensity, &result.intensity)
      store(look.mix, &result.mix)
      store(look.depth, &result.depth)
    }
  }

  struct Look {
    var width: Lanes
    var height: Lanes
    var angle: Lanes
    var color: ColorLanes
    var intensity: Lanes
    var mix: Lanes
    var depth: Lanes
  }

  /// What eight particles look like; see `Spec/document.md`, section Appearance.
  @inline(__always)
  func look(_ lane: Int, progress: Double) -> Look {
    let (c, plan) = (columns, plan)
    let (age, life) = (c.lanes(Fixed.age)[lane], c.lanes(Fixed.life)[lane])
    var share = age / life
    share.replace(with: .ones, where: (share .> 1) .| (life .<= 0))
    var inputs = TrackInputs(share: share, age: age, progress: Float(progress))
    let (vx, vy, vz) = (
      c.lanes(Fixed.vx)[lane], c.lanes(Fixed.vy)[lane], c.lanes(Fixed.vz)[lane]
    )
    if plan.needsSpeed { inputs.speed = (vx * vx + vy * vy + vz * vz).squareRoot() }
    if plan.needsDistance {
      let origin = plan.emitter.transform.translation
      let x = c.lanes(Fixed.x)[lane] - Float(origin.x)
      let y = c.lanes(Fixed.y)[lane] - Float(origin.y)
      let z = c.lanes(Fixed.z)[lane] - Float(origin.z)
      inputs.distance = (x * x + y * y + z * z).squareRoot()
    }
    var look = Look(
      width: plan.width(c, lane, inputs), height: .zeros,
      angle: plan.angle(c, lane, inputs),
      color: plan.color(c, lane, share: share, age: age),
      intensity: plan.intensity(c, lane, inputs), mix: plan.mix(c, lane, inputs),
      depth: plan.depth(c, lane, inputs))
    look.height = plan.height?(c, lane, inputs) ?? look.width
    look.color.alpha *= plan.opacity(c, lane, inputs)
    if let turned = plan.turned {
      look.angle += c.lanes(turned)[lane]
    } else {
      look.angle += plan.angularVelocity(c, lane, inputs) * age
    }
    if plan.angularAcceleration.number != 0 {
      look.angle += plan.angularAcceleration.lanes(c, lane) * age * age * 0.5
    }
    let rotation = plan.emitter.rotation
    switch rotation.align {
    case .none: break
    case .birth:
      if let launchAngle = plan.launchAngle {
        look.angle += c.lanes(launchAngle)[lane] + Float(rotation.alignOffset)
      }
    case .velocity:
      for index in 0..<Lanes.width {
        look.angle[index] += Float(
          angleInDegrees(Double(vy[index]), Double(vx[index])) + rotation.alignOffset)
      }
    }
    if let inherited = plan.inherited {
      look.color.red *= c.lanes(inherited.red)[lane]
      look.color.green *= c.lanes(inherited.green)[lane]
      look.color.blue *= c.lanes(inherited.blue)[lane]
      look.color.alpha *= c.lanes(inherited.alpha)[lane]
      look.angle += c.lanes(inherited.angle)[lane]
      look.width *= c.lanes(inherited.size)[lane]
      look.height *= c.lanes(inherited.size)[lane]
    }
    return look
  }

  /// One particle, as it is now.
  func snapshot(_ place: Int) -> ParticleSnapshot {
    let (lane, index) = (place / Lanes.width, place % Lanes.width)
    let look = look(lane, progress: activations.first?.progress ?? 0)
    return ParticleSnapshot(
      emitter: Int(plan.index), ordinal: columns.ordinals[place],
      place: Vector(
        Double(columns[Fixed.x][place]), Double(columns[Fixed.y][place]),
        Double(columns[Fixed.z][place])),
      velocity: Vector(
        Double(columns[Fixed.vx][place]), Double(columns[Fixed.vy][place]),
        Double(columns[Fixed.vz][place])),
      color: Color(
        Double(look.color.red[index]), Double(look.color.green[index]),
        Double(look.color.blue[index]), Double(look.color.alpha[index])),
      angle: Double(look.angle[index]), size: Double(look.width[index]))
  }
}

/// The state of a particle that other emitters may inherit.
struct ParticleSnapshot {
  var emitter: Int
  var ordinal: UInt64
  var place: Vector
  var velocity: Vector
  var color: Color
  var angle: Double
  var size: Double
}

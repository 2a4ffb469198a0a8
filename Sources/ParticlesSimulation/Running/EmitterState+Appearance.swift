internal import ParticlesModel

extension EmitterState {
  typealias Part = AppearanceStorage.Part

  /// Evaluates all that is drawn.
  func appearance(into result: Appearance, progress: Double) {
    let count = columns.count
    if result.storage.capacity < count {
      result.storage = AppearanceStorage(count + count / 4, on: team)
    }
    let storage = result.storage
    let look = plan.look
    for part in Part.allCases {
      if let constant = look.constants[part.rawValue] {
        storage.fill(part, with: constant, count: count)
      } else {
        storage.empty(part)
      }
    }
    if !look.isConstant {
      withUnsafeTemporaryAllocation(
        of: UnsafeMutablePointer<Float>?.self, capacity: Part.allCases.count
      ) { targets in
        for part in Part.allCases {
          targets[part.rawValue] = look.isComputed(part) ? storage[part] : nil
        }
        forEach(chunks(from: 0), progress: progress) { plan, chunk, _ in
          plan.evaluate(chunk, lastStep: lastStep) { part in
            targets[part.rawValue].map { Slice(base: $0 + chunk.first, count: chunk.count) }
          }
        }
      }
    }
    func computed(_ part: Part) -> AppearanceColumn<Float> {
      AppearanceColumn(storage[part], count: count, of: storage)
    }
    let owners = columns.owners
    func kept(_ column: Int) -> AppearanceColumn<Float> {
      AppearanceColumn(columns[column], count: count, of: owners.columns)
    }
    result.count = count
    (result.x, result.y, result.z) = (kept(Fixed.x), kept(Fixed.y), kept(Fixed.z))
    (result.velocityX, result.velocityY) = (kept(Fixed.vx), kept(Fixed.vy))
    result.velocityZ = kept(Fixed.vz)
    (result.age, result.life) = (kept(Fixed.age), kept(Fixed.life))
    result.ordinal = AppearanceColumn(columns.ordinals, count: count, of: owners.ordinals)
    result.width = computed(.width)
    result.height = look.isSquare ? result.width : computed(.height)
    result.angle = computed(.angle)
    (result.red, result.green) = (computed(.red), computed(.green))
    (result.blue, result.alpha) = (computed(.blue), computed(.alpha))
    (result.intensity, result.mix) = (computed(.intensity), computed(.mix))
    result.depth = computed(.depth)
  }

  /// One particle, as it is now.
  func snapshot(_ place: Int) -> ParticleSnapshot {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: Part.allCases.count) { numbers in
      let base = numbers.baseAddress
      let chunk = Chunk(
        place..<place + 1, of: columns.table, progress: activations.first?.progress ?? 0,
        scratch: workspaces[thread])
      plan.evaluate(chunk, lastStep: lastStep) { part in
        base.map { Slice(base: $0 + part.rawValue, count: 1) }
      }
      func look(_ part: Part) -> Double { Double(numbers[part.rawValue]) }
      func vector(_ x: Int, _ y: Int, _ z: Int) -> Vector {
        Vector(Double(columns[x][place]), Double(columns[y][place]), Double(columns[z][place]))
      }
      return ParticleSnapshot(
        emitter: Int(plan.index), ordinal: columns.ordinals[place],
        place: vector(Fixed.x, Fixed.y, Fixed.z),
        velocity: vector(Fixed.vx, Fixed.vy, Fixed.vz),
        color: Color(look(.red), look(.green), look(.blue), look(.alpha)),
        angle: look(.angle), size: look(.width))
    }
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

internal import CParticlesKernels
internal import ParticlesCore

/// A number of each particle of a chunk: a column, or one number for all.
struct Operand {
  let column: UnsafePointer<Float>?
  let number: Float

  static func constant(_ number: Float) -> Operand { Operand(column: nil, number: number) }

  static func column(_ column: UnsafePointer<Float>) -> Operand {
    Operand(column: column, number: 0)
  }

  fileprivate var c: particles_source { particles_source(column: column, number: number) }
}

/// Three numbers in single precision.
struct FloatVector {
  let (x, y, z): (Float, Float, Float)

  static let zero = FloatVector(x: 0, y: 0, z: 0)

  fileprivate var c: particles_vector { particles_vector(x: x, y: y, z: z) }
}

/// A part of a curve between two keys.
typealias CurvePart = particles_curve_part

extension CurvePart {
  /// From `start` on, with s the distance from it, a + b·s + c·s² + d·s³.
  static func part(start: Float, a: Float, b: Float = 0, c: Float = 0, d: Float = 0) -> CurvePart {
    CurvePart(start: start, a: a, b: b, c: c, d: d)
  }
}

/// For tests: chooses kernels that run on every processor, or the best kernels for this processor.
/// - Returns: whether kernels for AVX2 are in use now.
func useWideKernels(_ wide: Bool) -> Bool { particles_use_wide_kernels(wide) }

/// Memory for columns, filled with 0. Release it with `freeColumns`.
/// - Parameter team: shares the filling of much memory. With nil, the calling thread fills it alone.
func allocateColumns(bytes: Int, on team: Workers? = nil) -> UnsafeMutableRawPointer {
  let bytes = max(64, bytes)
  guard let memory = particles_columns_allocate(bytes) else {
    fatalError("out of memory: \(bytes) bytes for particles")
  }
  let size = 256 << 10
  Workers.share((bytes + size - 1) / size, on: team) { _, next in
    while let piece = next() {
      let first = piece * size
      (memory + first).initializeMemory(
        as: UInt8.self, repeating: 0, count: min(size, bytes - first))
    }
  }
  return memory
}

/// Memory for numbers that are written before they are read. Release it with `freeColumns`.
func allocateScratch(count: Int) -> UnsafeMutablePointer<Float> {
  let bytes = count * MemoryLayout<Float>.stride
  guard let memory = particles_columns_allocate(max(64, bytes)) else {
    fatalError("out of memory: \(bytes) bytes for particles")
  }
  let numbers = memory.bindMemory(to: Float.self, capacity: count)
  #if DEBUG
    // In tests, a number that is read before it is written spoils all results.
    numbers.initialize(repeating: .nan, count: count)
  #endif
  return numbers
}

func freeColumns(_ memory: UnsafeMutableRawPointer) { particles_columns_free(memory) }

/// A part of a column: numbers of neighbouring particles. `CParticlesKernels.h` has the formulas.
struct Slice {
  let base: UnsafeMutablePointer<Float>
  let count: Int

  var operand: Operand { .column(base) }

  subscript(index: Int) -> Float {
    get { base[index] }
    nonmutating set { base[index] = newValue }
  }

  func set(_ a: Operand) { particles_fill(count, base, a.c) }
  func add(_ a: Operand) { particles_add(count, base, a.c) }
  func multiply(_ a: Operand) { particles_multiply(count, base, a.c) }
  func addProduct(_ a: Operand, _ b: Operand) { particles_add_product(count, base, a.c, b.c) }
  func setLinear(_ a: Operand, _ b: Operand, _ c: Slice) {
    particles_linear(count, base, a.c, b.c, c.base)
  }
  func shift(start: Float, scale: Float) { particles_shift(count, base, start, scale) }
  func clamp(_ lower: Float, _ upper: Float) {
    particles_clamp(count, base, particles_range(lower: lower, upper: upper))
  }

  func setShare(age: Slice, life: Slice) { particles_share(count, base, age.base, life.base) }
  func mix(_ from: Operand, _ to: Operand, _ x: Slice, isRelative: Bool) {
    particles_mix(count, base, from.c, to.c, x.base, isRelative)
  }
  func mix(
    _ from: Operand, _ to: Operand, _ x: Slice, isRelative: Bool, within range: (Float, Float)
  ) {
    particles_mix_line(
      count, base, from.c, to.c, x.base, isRelative,
      particles_range(lower: range.0, upper: range.1))
  }
  func setCurve(_ x: Slice, _ parts: UnsafeBufferPointer<CurvePart>) {
    guard let first = parts.baseAddress else { return }
    particles_curve(count, base, x.base, first, parts.count)
  }
  func wrap(first: Float, period: Float, isMirrored: Bool) {
    particles_wrap(count, base, first, period, isMirrored)
  }

  /// Adds a time to ages.
  /// - Parameter limited: receives the times, which then end with the life of each particle.
  /// - Returns: whether a particle has reached its lifetime.
  func grow(life: Slice, time: Operand, limited: Slice? = nil) -> Bool {
    guard let limited else { return particles_grow(count, base, life.base, time.c) }
    return particles_grow_to_end(count, base, life.base, time.c, limited.base)
  }
  func fall(_ velocity: Slice, _ acceleration: Float, time: Operand, isTrapezoid: Bool) {
    particles_fall(count, base, velocity.base, acceleration, time.c, isTrapezoid)
  }
  func average(_ other: Slice) { particles_average(count, base, other.base) }
  func integrate(_ velocity: Slice, _ noise: Slice, time: Operand) {
    particles_integrate(count, base, velocity.base, noise.base, time.c)
  }
  func setDistance(_ places: Slices, from origin: FloatVector) {
    particles_distance(count, base, places.c, origin.c)
  }
  func setSpeed(_ velocities: Slices, along direction: FloatVector) {
    particles_speed_along(count, base, velocities.c, direction.c)
  }
  func setDrag(_ s: Operand, time: Operand, speed: Slice, limit: Float, _ law: DragKernel) {
    particles_drag(count, base, s.c, time.c, speed.base, limit, law.c)
  }
  func setPower(of base: Slice, _ exponent: Double) {
    particles_power(count, self.base, base.base, exponent)
  }
  func addAngle(of directions: Slices, offset: Double) {
    particles_add_angle(count, base, directions.x.base, directions.y.base, offset)
  }
  func setSineAndCosine(_ degrees: Slice, cosine: Slice) {
    particles_sine_cosine(count, degrees.base, base, cosine.base)
  }
  /// Sets sines and cosines like `setSineAndCosine`, computed in double precision.
  func setRoundedSineAndCosine(_ degrees: Slice, cosine: Slice) {
    particles_sine_cosine_rounded(count, degrees.base, base, cosine.base)
  }

  /// Random numbers of a channel, mapped to least + span · u.
  func sample(
    _ hashes: UnsafePointer<UInt64>, _ channel: UInt64, least: Double, span: Double,
    within bounds: (Double, Double) = (-.infinity, .infinity)
  ) {
    particles_sample(count, base, hashes, channel, least, span, bounds.0, bounds.1)
  }

  /// Notes the places of particles that have reached their lifetime. This column has the ages.
  /// - Parameter places: has room for one more than there are particles.
  /// - Returns: how many there are.
  func dead(life: Slice, first: Int, into places: UnsafeMutablePointer<Int>) -> Int {
    places.withMemoryRebound(to: UInt.self, capacity: count + 1) {
      Int(particles_dead(count, base, life.base, first, $0))
    }
  }
}

/// Sines and cosines of many angles, with the bits that `sineAndCosine(degrees:)` returns.
package func setSinesAndCosines(
  _ count: Int, degrees: UnsafePointer<Double>, _ sines: UnsafeMutablePointer<Double>,
  _ cosines: UnsafeMutablePointer<Double>
) {
  particles_sine_cosine_double(count, degrees, sines, cosines)
}

/// The laws of drag that are computed without a power.
enum DragKernel {
  case implicit, euler, constant, limit

  fileprivate var c: particles_drag_law {
    switch self {
    case .implicit: particles_drag_implicit
    case .euler: particles_drag_euler
    case .constant: particles_drag_constant
    case .limit: particles_drag_limit
    }
  }
}

/// Parts of three columns.
struct Slices {
  let (x, y, z): (Slice, Slice, Slice)

  fileprivate var c: particles_vectors { particles_vectors(x: x.base, y: y.base, z: z.base) }

  func set(_ a: Slices) {
    x.set(a.x.operand)
    y.set(a.y.operand)
    z.set(a.z.operand)
  }

  func set(_ number: Float) {
    x.set(.constant(number))
    y.set(.constant(number))
    z.set(.constant(number))
  }

  func addProduct(_ a: Slices, _ b: Operand) {
    x.addProduct(a.x.operand, b)
    y.addProduct(a.y.operand, b)
    z.addProduct(a.z.operand, b)
  }

  func scale(_ s: Operand) { particles_scale(x.count, c, s.c) }
  func setSpeed(_ s: Slice, isLimit: Bool) { particles_set_speed(x.count, c, s.base, isLimit) }
  func push(along a: Slices, _ s: Operand, length: Slice) {
    particles_push(x.count, c, a.c, s.c, length.base)
  }
  func setWays(
    _ places: Slices, from centre: FloatVector, axis: FloatVector, isVortex: Bool, length: Slice
  ) {
    particles_ways(x.count, c, length.base, places.c, centre.c, axis.c, isVortex)
  }
  func pull(
    _ ways: Slices, length: Slice, strength: Operand, factor: Slice?, farthest: Float,
    axis: FloatVector, isRadial: Bool
  ) {
    particles_pull(
      x.count, c, ways.c, length.base, strength.c, factor?.base, farthest, axis.c, isRadial)
  }
  func addTurned(_ a: Slices, right: FloatVector, up: FloatVector, front: FloatVector) {
    particles_add_turned(x.count, c, a.c, right.c, up.c, front.c)
  }
  func setNoise(at places: Slices, factor: Double, shift: Double, octaves: Int) {
    particles_noise(x.count, c, places.c, factor, shift, octaves)
  }
  func slow(along direction: FloatVector, factor: Operand) {
    particles_slow_along(x.count, c, factor.c, direction.c)
  }
  /// Gives vectors a direction, and keeps their lengths.
  func head(sine: Slice, cosine: Slice, right: FloatVector, up: FloatVector) {
    particles_head(x.count, c, sine.base, cosine.base, right.c, up.c)
  }
  func turn(
    by angle: (sine: Slice, cosine: Slice), about axis: FloatVector, origin: FloatVector
  ) {
    particles_turn(x.count, c, angle.sine.base, angle.cosine.base, axis.c, origin.c)
  }
  func setOrbit(
    start: Operand, turn: Operand, age: Slice, phase: Float, radius: Slice, origin: FloatVector
  ) {
    particles_orbit(
      x.count, x.base, y.base, start.c, turn.c, age.base, phase, radius.base, origin.x, origin.y)
  }
}

/// The parts of a colour.
struct ColorSlices {
  let (red, green, blue, alpha): (Slice, Slice, Slice, Slice)

  /// - Parameters:
  ///   - from: either all columns or all numbers, like `to`.
  ///   - x: within 0 and 1.
  func mix(
    _ from: ColorOperands, _ to: ColorOperands, _ x: Slice, within range: (Float, Float)
  ) {
    particles_mix_color(
      x.count,
      particles_color(red: red.base, green: green.base, blue: blue.base, alpha: alpha.base),
      from.c, to.c, x.base, particles_range(lower: range.0, upper: range.1))
  }
}

/// The parts of a colour of each particle: columns, or numbers for all.
struct ColorOperands {
  let (red, green, blue, alpha): (Operand, Operand, Operand, Operand)

  fileprivate var c: particles_color_source {
    particles_color_source(red: red.c, green: green.c, blue: blue.c, alpha: alpha.c)
  }
}

/// Closes holes in columns.
/// - Parameter isUp: whether particles before the holes move up. If false, particles after the holes move down.
func closeHoles(
  in columns: UnsafeBufferPointer<UnsafeMutablePointer<Float>>, count: Int,
  at places: UnsafeBufferPointer<Int>, isUp: Bool
) {
  guard let first = places.baseAddress, let table = columns.baseAddress else { return }
  first.withMemoryRebound(to: UInt.self, capacity: places.count) {
    if isUp {
      particles_close_up(table, columns.count, $0, places.count)
    } else {
      particles_close_down(table, columns.count, $0, places.count, count)
    }
  }
}

import ParticlesCore
import Foundation
import ParticlesTestSupport
import Testing
import ParticlesModel

@testable import ParticlesSimulation

/// Our own functions beside the functions of the C library.
@Suite("Kernels")
struct KernelTests {
  @Test("sine and cosine in double precision differ by less than 2⁻⁵⁰")
  func trigonometry() {
    for step in -4_000...4_000 {
      let degrees = Double(step) * 0.3137
      let ours = sineAndCosine(degrees: degrees)
      // Turns are taken out before radians round them.
      let radians = degrees.remainder(dividingBy: 360) * .pi / 180
      #expect((ours.sine - sin(radians)).magnitude < 0x1p-50)
      #expect((ours.cosine - cos(radians)).magnitude < 0x1p-50)
    }
    #expect(sineAndCosine(degrees: 90).cosine == 0 && sineAndCosine(degrees: 180).sine == 0)
    #expect(sineAndCosine(degrees: .nan).sine == 0)
  }

  @Test(
    "a curve of many keys has the numbers of the curve itself", arguments: [30, 63, 64, 65, 500])
  func manyKeys(count: Int) {
    var keys = (0..<count).map { CurveKey(Double($0) / Double(count - 1), Double($0 * 37 % 11)) }
    keys[count / 2].interpolation = .step
    keys[count / 3].interpolation = .cubic
    let curve = Curve(keys)
    let plan = CurvePlan(curve)
    let arguments = (-20...220).map { Float($0) / 200 }
    for isWide in [false, true] {
      var (from, out) = (arguments, arguments)
      _ = useWideKernels(isWide)
      from.withUnsafeMutableBufferPointer { from in
        out.withUnsafeMutableBufferPointer { out in
          plan.evaluate(
            Slice(base: from.baseAddress!, count: from.count),
            into: Slice(base: out.baseAddress!, count: out.count))
        }
      }
      _ = useWideKernels(true)
      for (argument, value) in zip(arguments, out) {
        let expected = curve.value(at: Double(argument))
        #expect(abs(Double(value) - expected) < 0.01 * Double(count), "\(argument)")
      }
    }
  }

  @Test("sine and cosine in single precision differ by less than 2⁻²¹")
  func singlePrecision() {
    let angles = (-4_000..<4_000).map { Float($0) * 1.7 + 0.3 }
    for isWide in [false, true] {
      var (degrees, sines, cosines) = (angles, angles, angles)
      degrees.withUnsafeMutableBufferPointer { degrees in
        sines.withUnsafeMutableBufferPointer { sines in
          cosines.withUnsafeMutableBufferPointer { cosines in
            _ = useWideKernels(isWide)
            let count = degrees.count
            Slice(base: sines.baseAddress!, count: count).setSineAndCosine(
              Slice(base: degrees.baseAddress!, count: count),
              cosine: Slice(base: cosines.baseAddress!, count: count))
            _ = useWideKernels(true)
          }
        }
      }
      for index in angles.indices {
        let radians = Double(angles[index]) * .pi / 180
        #expect((Double(sines[index]) - sin(radians)).magnitude < 0x1p-21)
        #expect((Double(cosines[index]) - cos(radians)).magnitude < 0x1p-21)
      }
    }
  }

  @Test("sine and cosine of many angles in double precision have the bits of the single ones")
  func manyAngles() {
    var angles = (-3_000..<3_000).map { Double($0) * 0.7193 } + (-40...40).map { Double($0) * 45 }
    angles += [1e15, -3e17, 1e19, 0x1p60 * 90, .infinity, -.infinity, .nan, -0.0]
    for isWide in [false, true] {
      _ = useWideKernels(isWide)
      var (sines, cosines) = (angles, angles)
      setSinesAndCosines(angles.count, degrees: angles, &sines, &cosines)
      _ = useWideKernels(true)
      for index in angles.indices {
        let one = sineAndCosine(degrees: angles[index])
        #expect(one == (sines[index], cosines[index]), "\(angles[index])")
      }
    }
  }

  @Test("angles, powers and logarithms differ by less than stated")
  func others() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      let (x, y) = (
        Double.random(in: -9...9, using: &generator), Double.random(in: -9...9, using: &generator)
      )
      #expect((angleInDegrees(y, x) - atan2(y, x) * 180 / .pi).magnitude < 1e-9)
      #expect((powerOfTwo(x * 30) / exp2(x * 30) - 1).magnitude < 0x1p-44)
      #expect((logarithmToBaseTwo(y * y + 1e-9) - log2(y * y + 1e-9)).magnitude < 0x1p-44)
      let base = x.magnitude + 1e-6
      #expect((power(base, y) / pow(base, y) - 1).magnitude < 0x1p-40)
    }
    #expect(angleInDegrees(0, 0) == 0 && angleInDegrees(0, -1) == 180)
    #expect(powerOfTwo(-5_000) == 0 && powerOfTwo(5_000).isFinite && power(0, 0.5) == 0)
  }

  @Test("powers and angles of columns have the bits of the single ones")
  func functions() {
    var numbers: [Float] = (0..<3_000).map { Float($0) * 0.37 - 200 }
    numbers += [0, -0.0, 1, 0x1p-140, 3e38, .infinity, -.infinity, .nan]
    let count = numbers.count
    for isWide in [false, true] {
      _ = useWideKernels(isWide)
      defer { _ = useWideKernels(true) }
      for exponent in [-2, -1.5, -0.3, 0, 0.5, 40, -40] {
        var powers = numbers
        numbers.withUnsafeMutableBufferPointer { numbers in
          powers.withUnsafeMutableBufferPointer {
            Slice(base: $0.baseAddress!, count: count).setPower(
              of: Slice(base: numbers.baseAddress!, count: count), exponent)
          }
        }
        for index in numbers.indices {
          let one = Float(power(Double(numbers[index]), exponent))
          #expect(powers[index].bitPattern == one.bitPattern, "\(numbers[index]) ^ \(exponent)")
        }
      }
      var (x, angles) = (Array(numbers.reversed()), [Float](repeating: 1, count: count))
      numbers.withUnsafeMutableBufferPointer { y in
        x.withUnsafeMutableBufferPointer { x in
          angles.withUnsafeMutableBufferPointer { angles in
            let (x, y) = (
              Slice(base: x.baseAddress!, count: count), Slice(base: y.baseAddress!, count: count)
            )
            Slice(base: angles.baseAddress!, count: count).addAngle(
              of: Slices(x: x, y: y, z: y), offset: 30)
          }
        }
      }
      for index in numbers.indices {
        let one = 1 + Float(angleInDegrees(Double(numbers[index]), Double(x[index])) + 30)
        #expect(angles[index] == one, "\(numbers[index]), \(x[index])")
      }
    }
  }

  @Test("directions of columns have the bits of the formula")
  func headings() {
    var angles: [Float] = (0..<2_000).map { Float($0) * 0.71 - 700 } + [0, 45, 90, -180, 1e9]
    angles += [-0.0, 3e30, .infinity, -.infinity, .nan]
    let count = angles.count
    let memory = allocateColumns(bytes: 6 * count * MemoryLayout<Float>.stride)
      .bindMemory(to: Float.self, capacity: 6 * count)
    defer { freeColumns(memory) }
    func column(_ number: Int) -> Slice { Slice(base: memory + number * count, count: count) }
    let velocities = Slices(x: column(3), y: column(4), z: column(5))
    let right = FloatVector(x: 0.8, y: 0.6, z: -0.1)
    let up = FloatVector(x: -0.6, y: 0.8, z: 0.3)
    func velocity(_ index: Int) -> SIMD3<Float> {
      SIMD3(Float(index % 91) * 0.37 - 9, Float(index % 17) * 1.3, 2 - Float(index % 5))
    }
    for isWide in [false, true] {
      for index in angles.indices {
        column(0)[index] = angles[index]
        for part in 0..<3 { column(3 + part)[index] = velocity(index)[part] }
      }
      _ = useWideKernels(isWide)
      column(1).setRoundedSineAndCosine(column(0), cosine: column(2))
      velocities.head(sine: column(1), cosine: column(2), right: right, up: up)
      _ = useWideKernels(true)
      for index in angles.indices {
        let one = sineAndCosine(degrees: Double(angles[index]))
        let (s, c) = (Float(one.sine), Float(one.cosine))
        let v = velocity(index)
        let speed = (v.x * v.x + v.y * v.y + v.z * v.z).squareRoot()
        let expected = SIMD3(
          speed * (right.x * c + up.x * s), speed * (right.y * c + up.y * s),
          speed * (right.z * c + up.z * s))
        for part in 0..<3 {
          let bits = column(3 + part)[index].bitPattern
          #expect(bits == expected[part].bitPattern, "\(angles[index])")
        }
      }
    }
  }

  @Test("the mix of colours has the bits of the formula, for columns and numbers")
  func colors() {
    var shares: [Float] = (0..<61).map { Float($0) / 50 - 0.1 }
    shares += [-0.0, .infinity, -.infinity, .nan]
    let count = shares.count
    let memory = allocateColumns(bytes: 13 * count * MemoryLayout<Float>.stride)
      .bindMemory(to: Float.self, capacity: 13 * count)
    defer { freeColumns(memory) }
    func column(_ number: Int) -> Slice { Slice(base: memory + number * count, count: count) }
    for index in shares.indices {
      column(0)[index] = shares[index]
      for number in 1...8 { column(number)[index] = Float((index * number) % 23) / 11 - 0.4 }
    }
    func operands(_ first: Int, _ isColumn: Bool) -> ColorOperands {
      func operand(_ number: Int) -> Operand {
        isColumn ? column(first + number).operand : .constant(Float(first + number) / 9)
      }
      return ColorOperands(
        red: operand(0), green: operand(1), blue: operand(2), alpha: operand(3))
    }
    func clamp(_ number: Float, _ lower: Float, _ upper: Float) -> Float {
      let most = number < upper ? number : upper
      return most > lower ? most : lower
    }
    let out = ColorSlices(red: column(9), green: column(10), blue: column(11), alpha: column(12))
    for isWide in [false, true] {
      for (isFromColumn, isToColumn) in [
        (true, true), (true, false), (false, true), (false, false),
      ] {
        _ = useWideKernels(isWide)
        out.mix(
          operands(1, isFromColumn), operands(5, isToColumn), column(0), within: (0.1, 0.9))
        _ = useWideKernels(true)
        for index in shares.indices {
          for (number, slice) in [out.red, out.green, out.blue, out.alpha].enumerated() {
            let from = isFromColumn ? column(1 + number)[index] : Float(1 + number) / 9
            let to = isToColumn ? column(5 + number)[index] : Float(5 + number) / 9
            let one = clamp(from + (to - from) * clamp(shares[index], 0, 1), 0.1, 0.9)
            #expect(slice[index].bitPattern == one.bitPattern, "\(shares[index]), part \(number)")
          }
        }
      }
    }
  }

  /// The noise of the specification, one number at a time.
  private static func noise(_ place: SIMD3<Float>, factor: Double, shift: Double, octaves: Int)
    -> SIMD3<Float>
  {
    var point = SIMD3<Double>(place) * factor
    point.z += shift
    var (sum, weight) = (SIMD3<Double>.zero, 1.0)
    for _ in 0..<octaves {
      let (cell, old) = (point.rounded(.down), sum)
      let d = point - cell
      let share = d * d * d * (d * (d * 6 - 15) + 10)
      func corner(_ x: Double, _ y: Double, _ z: Double) -> SIMD3<Double> {
        var hash = UInt64(bitPattern: Int64(cell.x + x)) &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ UInt64(bitPattern: Int64(cell.y + y))) &* 0xBF58_476D_1CE4_E5B9
        hash = ((hash ^ hash >> 29) &+ UInt64(bitPattern: Int64(cell.z + z)))
        hash = hash &* 0x94D0_49BB_1331_11EB
        hash = (hash ^ hash >> 32) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 29
        let parts = [0, 21, 42].map { Double(hash >> UInt64($0) & 0x1F_FFFF) * 0x1p-20 - 1 }
        return SIMD3(parts[0], parts[1], parts[2])
      }
      func row(_ y: Double, _ z: Double) -> SIMD3<Double> {
        let (a, b) = (corner(0, y, z), corner(1, y, z))
        return a + (b - a) * share.x
      }
      if point.x.magnitude < 1e9, point.y.magnitude < 1e9, point.z.magnitude < 1e9 {
        let (a, b, c, d) = (row(0, 0), row(1, 0), row(0, 1), row(1, 1))
        let (near, far) = (a + (b - a) * share.y, c + (d - c) * share.y)
        sum = old + (near + (far - near) * share.z) * weight
      }
      point *= 2
      weight /= 2
    }
    return SIMD3<Float>(sum)
  }

  @Test("noise of columns has the bits of the specification's formula")
  func noise() {
    var x: [Float] = (0..<500).map { Float($0) * 3.7 - 900 }
    x += [0, -0.0, 1e10, -1e30, .infinity, .nan]
    func column(_ number: (Float) -> Float) -> Slice {
      let memory = allocateColumns(bytes: x.count * MemoryLayout<Float>.stride)
      let base = memory.bindMemory(to: Float.self, capacity: x.count)
      for index in x.indices { base[index] = number(x[index]) }
      return Slice(base: base, count: x.count)
    }
    let places = Slices(x: column { $0 }, y: column { $0 * 0.3 + 2 }, z: column { 5 - $0 * 0.1 })
    let out = Slices(x: column { $0 }, y: column { $0 }, z: column { $0 })
    defer {
      for slices in [places, out] {
        for slice in [slices.x, slices.y, slices.z] { freeColumns(slice.base) }
      }
    }
    for isWide in [false, true] {
      for octaves in [1, 3] {
        _ = useWideKernels(isWide)
        out.setNoise(at: places, factor: 0.013, shift: 1.7, octaves: octaves)
        _ = useWideKernels(true)
        for index in x.indices {
          let one = Self.noise(
            SIMD3(places.x[index], places.y[index], places.z[index]), factor: 0.013, shift: 1.7,
            octaves: octaves)
          #expect(SIMD3(out.x[index], out.y[index], out.z[index]) == one, "\(x[index])")
        }
      }
    }
  }
}

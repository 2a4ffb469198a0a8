import Foundation
import ParticlesTestSupport
import Testing

@testable import ParticlesRender

/// Our own functions beside those of the C library.
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
}

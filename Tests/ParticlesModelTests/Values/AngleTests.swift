import ParticlesModel
import Testing

@Suite struct AngleTests {
  @Test(arguments: [-720, -90, -45, -1, 0, 0.5, 1, 30, 90, 180, 450] as [Double])
  func turningAddsToTheDirectionAndKeepsTheLength(degrees: Double) throws {
    let (x, y) = Angle.turned(3, 4, by: degrees)
    #expect(abs((x * x + y * y).squareRoot() - 5) < 1e-6)
    let (from, to) = (Angle.direction(3, 4), Angle.direction(x, y))
    let turn = try #require(to) - #require(from)
    #expect(abs((turn - degrees).remainder(dividingBy: 360)) < 1e-6)
  }

  @Test func aVectorWithoutLengthHasNoDirection() {
    #expect(Angle.direction(0, 0) == nil && Angle.turned(0, 0, by: 30) == (0, 0))
    #expect(Angle.direction(0, -2) == -90)
  }
}

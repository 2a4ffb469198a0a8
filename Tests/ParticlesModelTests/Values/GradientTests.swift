import ParticlesModel
import Testing

struct GradientTests {
  private func keys(_ colors: Color...) -> [GradientKey] {
    colors.enumerated().map { GradientKey(Double($0) / Double(max(colors.count - 1, 1)), $1) }
  }

  private func expect(
    _ color: Color, _ expected: Color, within tolerance: Double = 1e-4,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let differences = [
      color.red - expected.red, color.green - expected.green, color.blue - expected.blue,
      color.alpha - expected.alpha,
    ]
    #expect(
      differences.allSatisfy { abs($0) < tolerance }, "\(color)", sourceLocation: sourceLocation)
  }

  @Test func piecesInEverySpace() {
    let ends = keys(.black, .white)
    expect(Gradient(ends).color(at: 0.5), Color(0.5, 0.5, 0.5))
    expect(Gradient(ends, .step).color(at: 0.99), .black)
    expect(Gradient(ends, space: .linear).color(at: 0.5), Color(0.73536, 0.73536, 0.73536))
    expect(Gradient(ends, space: .oklab).color(at: 0.5), Color(0.38857, 0.38857, 0.38857))
  }

  @Test(arguments: MixingSpace.allCases)
  func keysAreMetInEverySpace(space: MixingSpace) {
    let colors = [Color(1, 0.5, 0.25, 0), Color(0.1, 0.9, 1.5), Color(-0.2, 0, 1, 0.5)]
    for interpolation in Interpolation.allCases {
      let gradient = Gradient(keys(colors[0], colors[1], colors[2]), interpolation, space: space)
      for (index, color) in colors.enumerated() {
        expect(gradient.color(at: Double(index) / 2), color, within: 1e-5)
      }
      expect(gradient.color(at: -3), colors[0])
      expect(gradient.color(at: 3), colors[2])
    }
  }

  @Test func channelsTakeTheirPlace() {
    var gradient = Gradient(keys(.black, .white))
    gradient.alpha = Curve(through: [(0, 1), (1, 0)])
    expect(gradient.color(at: 0.25), Color(0.25, 0.25, 0.25, 0.75))
    expect(Gradient(red: .linear, green: .constant(0), blue: .linear).color(at: 1), Color(1, 0, 1))
  }

  @Test func oddGradientsAreHarmless() {
    expect(Gradient().color(at: 0.5), .white)
    expect(Gradient(keys(.clear)).color(at: .nan), .clear)
    let still = Gradient([GradientKey(0, .black), GradientKey(0, .white)], .cubic)
    expect(still.color(at: 0), .white)
  }
}

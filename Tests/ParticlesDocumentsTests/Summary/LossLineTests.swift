import ParticlesCore
import ParticlesDocuments
import ParticlesFormats
import Testing

@Suite("Lines of loss reports")
struct LossLineTests {
  private let losses = [
    Diagnostic(.approximated, .rate, at: "emitters[0].emission", "less", level: .low),
    Diagnostic(.lost, .radial, at: "emitters[0].forces[0]", "none", recipe: "gravity"),
    Diagnostic(.lost, .radial, at: "emitters[1].forces[0]", "none", recipe: "gravity"),
  ]

  @Test("the worst come first")
  func order() {
    let lines = LossLine.lines(of: losses)
    #expect(
      lines.map(\.place) == [
        "emitters[0].forces[0]", "emitters[1].forces[0]", "emitters[0].emission",
      ])
    #expect(lines[0].text == "none; instead: gravity [convert/lost]")
    #expect(lines[0].feature == "radial")
  }

  @Test("equal lines of several documents are counted, once for each document")
  func groups() {
    var groups = LossGroups()
    groups.add(losses)
    groups.add(Array(losses.suffix(1)))
    #expect(groups.sorted.map(\.count) == [2, 1])
    #expect(groups.sorted.map(\.line.feature) == ["radial", "rate"])
  }
}

import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import Testing

@Suite("Lines of loss reports")
struct LossLineTests {
  private static func line(
    _ rule: Rule, _ capability: Capability, emitter: String, value: String?, _ detail: String,
    recipe: String? = nil, level: Loss.Level? = nil
  ) -> Diagnostic {
    var line = Diagnostic(
      rule, capability, at: "emitters[0]", detail, recipe: recipe, level: level)
    line.loss?.emitter = emitter
    line.loss?.source = Loss.Side("emitters[0]")
    line.loss?.source?.text = value
    return line
  }

  private let losses = [
    line(
      .approximated, .rate, emitter: "Fire", value: "40 1/s", "only whole numbers are supported",
      recipe: "the nearest one", level: .low),
    line(
      .lost, .noise, emitter: "Fire", value: "40 px/s²", "noise is not supported"),
    line(.lost, .noise, emitter: "Smoke", value: "5 px/s²", "noise is not supported"),
  ]

  @Test("a line tells what is lost, its value, why, what takes its place and how much it shows")
  func sentences() {
    #expect(
      LossLine(losses[1]).text
        == "Lost: turbulence 40 px/s², because noise is not supported. "
        + "Not measured")
    var estimated = losses[1]
    estimated.loss?.basis = .estimated
    #expect(LossLine(estimated).text.hasSuffix(" supported. Probably looks different"))
    var measured = losses[0]
    measured.loss?.basis = .measured
    measured.loss?.difference = 0.024
    measured.loss?.aspect = "count"
    #expect(
      LossLine(measured).text
        == "Approximated: emission rate 40 1/s, because only whole numbers are supported. "
        + "Instead: the nearest one. Hardly visible (0.02, count)")
    let image = Diagnostic(.missingImage, "spark.png")
    #expect(LossLine(image).text == "Image not found: spark.png")
    #expect(LossLine(general: image).text == "Image not found: an image that the file names")
    let unnamed = Diagnostic(.missingImage, at: .key("texture"))
    #expect(LossLine(unnamed).text == "Image not found: texture")
    #expect(image.lossLevel == .info)
    let unread = Diagnostic(.imageUnchecked, "spark.svg", found: "an SVG picture; export it as PNG")
    #expect(
      LossLine(unread).text
        == "Image not read: spark.svg (found an SVG picture; export it as PNG)")
    #expect(LossLine(unread).isImage && unread.lossLevel == .info)
  }

  @Test("the worst come first, and emitters are named if there are several")
  func order() {
    let lines = LossLine.lines(of: [Diagnostic(.missingImage, "spark.png")] + losses)
    #expect(lines.map(\.level) == [.high, .high, .low, .info])
    #expect(
      lines.map { $0.text.prefix { $0 != "," } } == [
        "Fire: Lost: turbulence 40 px/s²", "Smoke: Lost: turbulence 5 px/s²",
        "Fire: Approximated: emission rate 40 1/s", "Image not found: spark.png",
      ])
  }

  @Test("equal lines of several documents are counted, once for each document")
  func groups() {
    var groups = LossGroups()
    for part in [losses, Array(losses.suffix(1))] {
      groups.add(Set(part.map { LossLine(general: $0) }))
    }
    #expect(groups.sorted.map(\.count) == [2, 1])
    #expect(
      groups.sorted[0].line.text
        == "Lost: turbulence, because noise is not supported. Not measured")
  }

  @Test("no line has the codes of the matrix")
  func names() {
    for capability in Capability.all {
      let text = LossLine(Diagnostic(.lost, capability, at: "emitters[0]", "unsupported")).text
      #expect(text.hasPrefix("Lost: \(capability.title), because"))
      #expect(capability.title.first?.isLowercase == true || capability.title.hasPrefix("2D"))
      #expect(!capability.title.contains { $0.isUppercase } || capability.title.hasPrefix("2D"))
    }
    #expect(Set(Capability.all.map(\.title)).count == Capability.all.count)
  }
}

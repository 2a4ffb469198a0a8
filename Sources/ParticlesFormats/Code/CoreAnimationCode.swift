internal import ParticlesCore
internal import ParticlesModel

extension Typesetter {
  static let coreAnimation = Typesetter(
    conventions:
      "Lengths are in points, y points down as in UIKit, angles are in radians and clockwise, times in seconds. A range is to both sides.",
    write: { bytes, sheet throws(Failure) in
      let values = try CodeValues(bytes, .coreAnimation, .swift, sheet.limits)
      var text = CodeText(.swift)
      text.line("import QuartzCore")
      text.line()
      let spawns = values.reader.spawns
      sheet.describe(in: &text, "the layer")
      sheet.describe(spawns, in: &text)
      let parameters = "image: CGImage?" + spawns.parameters { "\($0): CAEmitterLayer" }
      text.block("func \(sheet.function)(\(parameters)) -> CAEmitterLayer {", "}") {
        $0.coreAnimation(values)
      }
      return text
    })
}

extension CodeText {
  fileprivate mutating func coreAnimation(_ values: CodeValues) {
    let (reader, radians) = (values.reader, CodeValues.radians)
    line("let layer = CAEmitterLayer()")
    let place = (
      values.number("x") + values.number("shapeX"), values.number("y") + values.number("shapeY")
    )
    let (x, y) = (language.number(place.0.rounded), language.number(-place.1.rounded))
    line("layer.emitterPosition = CGPoint(x: \(x), y: \(y))")
    let (width, height) = (values.text("shapeWidth"), values.text("shapeHeight"))
    switch reader.text("shape") {
    case "rect":
      line("layer.emitterShape = .rectangle")
      line("layer.emitterMode = .surface")
      line("layer.emitterSize = CGSize(width: \(width), height: \(height))")
    case "ellipse":
      line("layer.emitterShape = .circle")
      line("layer.emitterMode = .surface")
      line("layer.emitterSize = CGSize(width: \(width), height: \(height))")
    default: line("layer.emitterShape = .point")
    }
    line("layer.renderMode = \(values.number("blend") == 1 ? ".additive" : ".oldestFirst")")
    line("let cell = CAEmitterCell()")
    func state(_ property: String, _ value: String) { line("cell.\(property) = \(value)") }
    state("name", language.string(values.name))
    state("contents", "image")
    if let grid = reader.grid {
      let size = [1 / Double(grid.columns), 1 / Double(grid.rows)].map { language.number($0) }
      state("contentsRect", "CGRect(x: 0, y: 0, width: \(size[0]), height: \(size[1]))")
    }
    state("birthRate", values.text("rate"))
    if values.number("delay") != 0 { state("beginTime", values.text("delay")) }
    let duration = values.number("duration", -1)
    if duration >= 0 { state("duration", language.number(duration)) }
    state("lifetime", values.text("life", 1))
    rangeOf("life", "lifetimeRange", values)
    state("velocity", values.text("speed"))
    rangeOf("speed", "velocityRange", values)
    state("emissionLongitude", values.text("angle", 90, times: -radians))
    state("emissionRange", values.text("spread", times: 2 * radians))
    for (key, property, sign) in [
      ("gravityX", "xAcceleration", 1.0), ("gravityY", "yAcceleration", -1),
    ] where values.number(key) != 0 { state(property, values.text(key, times: sign)) }
    state("scale", values.text("size", 1))
    rangeOf("size", "scaleRange", values)
    if values.number("sizeSpeed") != 0 { state("scaleSpeed", values.text("sizeSpeed")) }
    if values.number("spin") != 0 { state("spin", values.text("spin", times: -radians)) }
    rangeOf("spin", "spinRange", values, times: radians)
    let color = (reader.list("color") ?? [1, 1, 1, 1]).map(language.number)
    state(
      "color",
      "CGColor(red: \(color[0]), green: \(color[1]), blue: \(color[2]), alpha: \(color[3]))")
    for (key, suffix) in [("colorRange", "Range"), ("colorSpeed", "Speed")] {
      for (name, number) in zip(["red", "green", "blue", "alpha"], reader.list(key) ?? [])
      where number != 0 { state(name + suffix, language.number(number.rounded)) }
    }
    let spawned = reader.spawns.map { "(\($0.parameter).emitterCells ?? [])" }
    if !spawned.isEmpty { state("emitterCells", spawned.joined(separator: " + ")) }
    line("layer.emitterCells = [cell]")
    line("return layer")
  }

  private mutating func rangeOf(
    _ key: String, _ property: String, _ values: CodeValues, times factor: Double = 1
  ) {
    let half = values.half(key)
    if half != 0 { line("cell.\(property) = \(language.number((half * factor).rounded))") }
  }
}

internal import ParticlesCore
internal import ParticlesPropertyLists

// The lines that libGDX reads without a condition. It reads them in a fixed order, and throws where one is missing.

extension LibGDXSyntax.EmitterText {
  /// The blocks of every emitter, in the order of the file. Of several names, one is enough.
  private static let blocks: [[String]] = [
    ["Delay"], ["Duration"], ["Count"], ["Emission"], ["Life"], ["Life Offset"], ["X Offset"],
    ["Y Offset"], ["Spawn Shape"], ["Spawn Width"], ["Spawn Height"], ["X Scale", "Scale"],
    ["Y Scale", "Scale"], ["Velocity"], ["Angle"], ["Rotation"], ["Wind"], ["Gravity"], ["Tint"],
    ["Transparency"], ["Options"], ["Image Paths", "Image Path"],
  ]

  /// Checks that no block, no key and no point of a curve is missing that the engine reads.
  /// - Throws: ``ParticlesCore/Rule/emitterSyntax`` at the end of what is there.
  func checkWhole(in text: [UInt8]) throws(Diagnostic) {
    let missing = Self.blocks.first { names in !blocks.contains { names.contains($0.name) } }
    // The keys of a block that the end of the file cuts off are named before the blocks behind it.
    for block in blocks { try block.checkWhole(of: self, in: text) }
    if let missing {
      throw Self.fault("the block '- \(missing[0]) -' of \(label)", after: span, in: text)
    }
  }

  fileprivate var label: String { "the emitter '\((name.value.string ?? "").trimmed.excerpt)'" }

  fileprivate static func fault(
    _ expected: String, after span: Range<Int>, in text: [UInt8]
  ) -> Diagnostic {
    // A line that is cut off has no key and no end.
    let rest = text[span.upperBound...].drop(while: TextEdits.isSpace)
    let isAtEnd = rest.isEmpty || !rest.contains(0x0A)
    return Diagnostic(
      .emitterSyntax, at: .offset(span.upperBound), expected: expected,
      found: isAtEnd ? "the end of the file" : "something else",
      hint: "the file may be cut off: fetch it again, or save it again in the particle editor")
  }
}

extension LibGDXSyntax.Block {
  /// Blocks with two ranges and a curve.
  private static let scaled = [
    "Emission", "Life", "Life Offset", "Spawn Width", "Spawn Height", "Scale", "X Scale", "Y Scale",
    "Velocity", "Angle", "Rotation", "Wind", "Gravity", "Transparency",
  ]

  /// The keys that the engine reads in other blocks.
  private static let keys: [String: [String]] = [
    "Delay": ["lowMin", "lowMax"], "Duration": ["lowMin", "lowMax"], "Count": ["min", "max"],
    "X Offset": ["lowMin", "lowMax"], "Y Offset": ["lowMin", "lowMax"], "Spawn Shape": ["shape"],
    "Tint": ["colorsCount", "timelineCount"],
    "Options": ["attached", "continuous", "aligned", "additive", "behind"],
  ]

  /// Checks that a block which is not switched off has all keys, and as many points as it states.
  fileprivate func checkWhole(
    of emitter: LibGDXSyntax.EmitterText, in text: [UInt8]
  ) throws(Diagnostic) {
    guard !fields.contains(where: { $0.key == "active" && $0.value == .bool(false) }) else {
      return
    }
    let keys =
      Self.scaled.contains(name)
      ? ["lowMin", "lowMax", "highMin", "highMax", "relative", "scalingCount", "timelineCount"]
      : Self.keys[name] ?? []
    var place: String { "in the block '- \(name) -' of \(emitter.label)" }
    for key in keys where !fields.contains(where: { $0.key == key }) {
      throw LibGDXSyntax.EmitterText.fault("'\(key):' \(place)", after: span, in: text)
    }
    for list in ["scaling", "timeline", "colors"] {
      guard let stated = fields.first(where: { $0.key == "\(list)Count" })?.value.int else {
        continue
      }
      // Keys are counted only if the last one is not there.
      let last = "\(list)\(max(1, stated) - 1)"
      guard stated > 0, !fields.contains(where: { $0.key == last }) else { continue }
      let count = fields.count(where: { LibGDXSyntax.list(of: $0.key) == list })
      guard count < stated else { continue }
      throw LibGDXSyntax.EmitterText.fault(
        "'\(list)\(count):' \(place), because '\(list)Count' is \(stated)", after: span, in: text)
    }
  }
}

internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// The lines of a `.p` file: a name, and blocks of keys and values, for each emitter.
///
/// The contents are `emitters`, each with its `name` and an object for each block. Numbered keys
/// such as `scaling0` are an array `scaling`, and the lines of image paths an array.
struct LibGDXSyntax: TreeSyntax {
  private let text: [UInt8]
  private let emitters: [EmitterText]
  let value: JSONValue

  /// A key with the range of its value.
  struct Field {
    var key: String
    var value: JSONValue
    var range: Range<Int>
  }

  struct Block {
    var name: String
    /// From the header to the end of the last line, without its line break.
    var span: Range<Int>
    var fields: [Field]

    var value: JSONValue {
      if LibGDXSyntax.isList(name) { return .array(fields.map({ $0.value })) }
      var object: [JSONObject.Member] = []
      var places: [String: Int] = [:]
      var lists: [String: [JSONValue]] = [:]
      for field in fields {
        let list = LibGDXSyntax.list(of: field.key)
        if let list { lists[list, default: []].append(field.value) }
        let key = list ?? field.key
        guard places[key] == nil, list != nil || !LibGDXSyntax.isCount(key) else { continue }
        places[key] = object.count
        object.append(.init(key: key, value: field.value))
      }
      for (key, values) in lists {
        if let place = places[key] { object[place].value = .array(values) }
      }
      return .object(JSONObject(members: object))
    }
  }

  struct EmitterText {
    var name: Field
    var blocks: [Block]
    var span: Range<Int> { name.range.lowerBound..<(blocks.last?.span ?? name.range).upperBound }

    var value: JSONValue {
      var members = [JSONObject.Member(key: "name", value: name.value)]
      var known: Set<String> = ["name"]
      for block in blocks where known.insert(block.name).inserted {
        members.append(.init(key: block.name, value: block.value))
      }
      return .object(JSONObject(members: members))
    }
  }

  init(decoding bytes: [UInt8], limits: Limits) throws(Failure) {
    text = bytes
    var scanner = try TextScanner(bytes, limits: limits)
    var emitters: [EmitterText] = []
    // Blank lines end a list of images. The next line that is not blank is a name.
    var isOver = true
    while scanner.next != nil {
      let line = scanner.consume { $0 != 0x0A && $0 != 0x0D }
      _ = scanner.accept("\r")
      _ = scanner.accept("\n")
      try scanner.count(depth: 0)
      let content = try scanner.string(line)
      let trimmed = content.trimmed
      let isIndented = emitters.isEmpty ? false : emitters[emitters.count - 1].blocks.isEmpty
      if isOver {
        if trimmed.isEmpty { continue }
        emitters.append(
          EmitterText(
            name: Field(key: "name", value: .string(content), range: line), blocks: []))
        try limits.checkEmitters(emitters.count, at: .offset(line.lowerBound))
        isOver = false
        continue
      }
      let last = emitters.count - 1
      if let name = Self.header(trimmed) {
        emitters[last].blocks.append(Block(name: name, span: line, fields: []))
      } else if isIndented {
        // Text before the first block is not ours.
        continue
      } else {
        let block = emitters[last].blocks.count - 1
        if Self.isList(emitters[last].blocks[block].name) {
          if trimmed.isEmpty {
            isOver = true
            continue
          }
          emitters[last].blocks[block].fields.append(
            Field(key: "", value: .string(content), range: line))
          if emitters[last].blocks[block].name == "Image Path" { isOver = true }
        } else if let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")) {
          var start = colon + 1
          while start < line.upperBound, bytes[start] == 0x20 { start += 1 }
          let text = try scanner.word(start..<line.upperBound)
          emitters[last].blocks[block].fields.append(
            Field(
              key: try scanner.word(line.lowerBound..<colon).trimmed, value: Self.value(text),
              range: start..<line.upperBound))
        } else {
          continue
        }
        emitters[last].blocks[block].span =
          emitters[last].blocks[block].span.lowerBound..<line.upperBound
      }
    }
    let hasEmission = emitters.contains { $0.blocks.contains { $0.name == "Emission" } }
    if hasEmission { for emitter in emitters { try emitter.checkWhole(in: bytes) } }
    emitters.removeAll(where: { $0.blocks.isEmpty })
    self.emitters = emitters
    value = ["emitters": .array(emitters.map { $0.value })]
  }

  private static func header(_ line: String) -> String? {
    guard line.hasPrefix("- "), line.hasSuffix(" -"), line.utf8.count > 4 else { return nil }
    return String(line.dropFirst(2).dropLast(2)).trimmed
  }

  private static func value(_ text: String) -> JSONValue {
    switch text.trimmed {
    case "true": .bool(true)
    case "false": .bool(false)
    case let number: TextScanner.number(number) ?? .string(text)
    }
  }

  static func isList(_ block: String) -> Bool { block.hasPrefix("Image Path") }

  fileprivate static func isCount(_ key: String) -> Bool { key.hasSuffix("Count") }

  /// The name of the array that a numbered key belongs to.
  static func list(of key: String) -> String? {
    ["scaling", "timeline", "colors"].first {
      key.hasPrefix($0) && key.dropFirst($0.count).allSatisfy { $0.isNumber } && key != $0
    }
  }

  func replacing(with new: JSONValue) -> [UInt8] {
    var edits = TextEdits(text)
    let elements = new["emitters"]?.array ?? []
    let pairs = TreeMerge.alignment(emitters.map { $0.value }, elements)
    let end = text.contains(0x0D) ? "\r\n" : "\n"
    func written(_ text: String) -> [UInt8] {
      Array((end == "\n" ? text : text.replacing("\n", with: end)).utf8)
    }
    let kept = Set(pairs.values)
    for index in emitters.indices where !kept.contains(index) {
      let next = emitters.indices.contains(index + 1) ? emitters[index + 1].span.lowerBound : nil
      let start = index == 0 ? 0 : emitters[index - 1].span.upperBound
      let isFirst = !kept.contains { $0 < index }
      edits.replace(
        isFirst
          ? emitters[index].span.lowerBound..<(next ?? text.count)
          : start..<emitters[index].span.upperBound, with: [])
    }
    for (place, element) in elements.enumerated() {
      if let index = pairs[place] {
        edit(emitters[index], to: element, &edits, written)
      } else {
        let after = (0..<place).reversed().lazy.compactMap { pairs[$0] }.first
        let text = Self.text(of: element)
        if let after {
          edits.insert(written("\n\n\n" + text), at: emitters[after].span.upperBound)
        } else {
          edits.insert(written(text + "\n\n\n"), at: emitters.first?.span.lowerBound ?? 0)
        }
      }
    }
    return edits.bytes
  }

  private func edit(
    _ emitter: EmitterText, to new: JSONValue, _ edits: inout TextEdits,
    _ written: (String) -> [UInt8]
  ) {
    guard let object = new.object, emitter.value != new else { return }
    if let name = object["name"]?.string, emitter.name.value != .string(name) {
      edits.replace(emitter.name.range, with: Self.oneLine(name).utf8)
    }
    var edited: Set<String> = []
    for block in emitter.blocks {
      // Of blocks with equal names only the first is read.
      guard edited.insert(block.name).inserted || object[block.name] == nil else { continue }
      guard let value = object[block.name] else {
        let start = edits.gap(before: block.span.lowerBound).lowerBound
        edits.replace(start..<block.span.upperBound, with: [])
        continue
      }
      guard value != block.value else { continue }
      let fields = Self.fields(of: value, in: block.name)
      if fields.map({ $0.key }) == block.fields.map({ $0.key }) {
        for (old, new) in zip(block.fields, fields) where old.value.line != new.value.line {
          if let a = old.value.double, a == new.value.double { continue }
          edits.replace(old.range, with: Self.text(new.value, in: block.name, key: new.key).utf8)
        }
      } else {
        edits.replace(block.span, with: written(Self.text(of: value, block: block.name)))
      }
    }
    let known = Set(emitter.blocks.map { $0.name })
    for member in object.members where member.key != "name" && !known.contains(member.key) {
      let order = Self.order(of: member.key)
      let before = emitter.blocks.last { Self.order(of: $0.name) < order }
      let text = written("\n" + Self.text(of: member.value, block: member.key))
      edits.insert(text, at: before?.span.upperBound ?? emitter.name.range.upperBound)
    }
  }

  static func bytes(of value: JSONValue) -> [UInt8] {
    let emitters = value["emitters"]?.array ?? []
    return Array((emitters.map(text).joined(separator: "\n\n\n") + "\n\n").utf8)
  }

  static let encoding = "p"
  static let decimalCommas: DecimalCommas.Syntax? = .lines

  private static func text(of emitter: JSONValue) -> String {
    let members = (emitter.object?.members ?? []).enumerated().sorted {
      (order(of: $0.element.key), $0.offset) < (order(of: $1.element.key), $1.offset)
    }.map { $0.element }
    return members.map { member in
      member.key == "name"
        ? oneLine(member.value.string ?? "") : text(of: member.value, block: member.key)
    }.joined(separator: "\n")
  }

  /// A name on one line. The engine takes an empty name for the end of the file.
  private static func oneLine(_ name: String) -> String {
    let line = name.onOneLine.trimmed
    return line.isEmpty || header(line) != nil ? "Untitled" : line
  }

  private static func text(of value: JSONValue, block: String) -> String {
    // As the engine writes them: all headers but two end in a space.
    let space = block == "Delay" || isList(block) ? "" : " "
    let lines = fields(of: value, in: block).map { field in
      (field.key.isEmpty ? "" : "\(field.key): ") + text(field.value, in: block, key: field.key)
    }
    return (["- \(block) -\(space)"] + lines).joined(separator: "\n")
  }

  /// Keys and values of a block, as lines.
  private static func fields(of value: JSONValue, in block: String) -> [(
    key: String, value: JSONValue
  )] {
    if isList(block) { return (value.array ?? []).map { ("", $0) } }
    let members = (value.object?.members ?? []).enumerated().sorted {
      (keyOrder(of: $0.element.key), $0.offset) < (keyOrder(of: $1.element.key), $1.offset)
    }.map { $0.element }
    return members.flatMap { member -> [(key: String, value: JSONValue)] in
      guard let elements = member.value.array else { return [(member.key, member.value)] }
      return [("\(member.key)Count", .int(elements.count))]
        + elements.enumerated().map { ("\(member.key)\($0)", $1) }
    }
  }

  /// Java reads whole numbers from digits only, and writes other numbers with a point.
  private static func text(_ value: JSONValue, in block: String, key: String) -> String {
    switch value {
    case .number(let number):
      let isWhole = block == "Count" || isCount(key)
      return isWhole || number.text.contains { ".eE".contains($0) }
        ? number.text : "\(number.text).0"
    case .string(let text): return text.onOneLine
    default: return value.line
    }
  }

  private static let blocks = [
    "name", "Delay", "Duration", "Count", "Emission", "Life", "Life Offset", "X Offset", "Y Offset",
    "Spawn Shape", "Spawn Width", "Spawn Height", "Scale", "X Scale", "Y Scale", "Velocity",
    "Angle", "Rotation", "Wind", "Gravity", "Tint", "Transparency", "Options", "Image Path",
    "Image Paths",
  ]

  private static func order(of block: String) -> Int {
    blocks.firstIndex(of: block) ?? blocks.count
  }

  private static let keys = [
    "active", "lowMin", "lowMax", "highMin", "highMax", "relative", "colors", "scaling",
    "timeline", "independent",
  ]

  private static func keyOrder(of key: String) -> Int { keys.firstIndex(of: key) ?? keys.count }
}

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
  /// - Throws: ``ParticlesCore/Rule/emitterSyntax`` at the end of the text before the gap.
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

  /// Checks that a block, unless it is switched off, has all keys, and as many points as it states.
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

/// A number of a particle, or of the emitter, between two ranges along a curve.
struct LibGDXScaled {
  var low: Value
  var high: Value
  var isRelative = false
  var points: [(time: Double, value: Double)] = [(0, 1)]

  /// The only point of the curve, if there is one.
  private var factor: Double? { points.count == 1 ? points[0].value : nil }

  /// Over the life of a particle.
  var track: Track {
    if let value = plain { return Track(value) }
    let curve: Curve = factor.map(Curve.constant) ?? .lines(points)
    if isRelative, case .constant(let base) = low {
      return Track(from: low, to: high.moved(by: base), curve: curve)
    }
    return Track(from: low, to: high, relative: isRelative, curve: curve)
  }

  /// Over a period of the emitter.
  func value(_ scope: Scope) -> Value {
    var result: Value
    if let value = plain {
      result = value
    } else {
      let curve: Curve = factor.map(Curve.constant) ?? .lines(points)
      result = .ramp(.init(low: low, high: high, curve: curve, relative: isRelative))
    }
    result.scope = scope
    return result
  }

  /// A value that neither changes nor depends on both ranges.
  private var plain: Value? {
    if factor == 0 { return low }
    if factor == 1, !isRelative || low == 0 { return high }
    if let factor, case .constant(let a) = low, case .constant(let b) = high {
      return .constant((a + (isRelative ? b : b - a) * factor).rounded)
    }
    if low == high, low.isNumber, !isRelative { return low }
    return nil
  }

  var isCurve: Bool { points.count > 1 }

  /// The value at the first point.
  var first: Value {
    var copy = self
    copy.points = [(0, points.first?.value ?? 1)]
    return copy.value(.particle)
  }
}

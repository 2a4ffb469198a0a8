internal import ParticlesCore
internal import ParticlesModel

/// The text format of protocol buffers: `key: value`, `key { … }`, comments after `#`.
///
/// Fields that may be repeated are arrays, however often they occur. Names of constants are texts.
struct ProtoTextSyntax: NestedSyntax {
  let text: [UInt8]
  let root: TextNode
  /// Whether repeated fields have others between them. Such a file is written anew.
  private let isScattered: Bool

  /// The fields of Defold's files that may be repeated.
  private static let repeated: Set<String> = [
    "emitters", "modifiers", "properties", "particle_properties", "points", "attributes",
    "double_values", "images", "animations",
  ]

  init(decoding bytes: [UInt8], limits: Limits) throws(Failure) {
    text = bytes
    var reader = Reader(scanner: try TextScanner(bytes, limits: limits))
    root = try reader.message(depth: 0)
    isScattered = reader.isScattered
  }

  func replacing(with value: JSONValue) -> [UInt8] {
    if isScattered { return Self.bytes(of: value) }
    var edits = TextEdits(text)
    edit(root, to: value, &edits)
    return edits.bytes
  }

  // MARK: Reading

  private struct Reader {
    var scanner: TextScanner
    var isScattered = false

    private mutating func skip() {
      while true {
        _ = scanner.consume {
          TextEdits.isSpace($0) || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";")
        }
        guard scanner.next == UInt8(ascii: "#") else { return }
        _ = scanner.consume { $0 != 0x0A }
      }
    }

    /// The fields of a message, up to its closing brace or the end of the text.
    mutating func message(depth: Int) throws(Failure) -> TextNode {
      try scanner.count(depth: depth)
      let start = scanner.position
      if depth > 0 { scanner.position += 1 }
      var children: [TextNode.Child] = []
      var members: [String: Int] = [:]
      var superseded: Set<Int> = []
      while true {
        skip()
        guard let byte = scanner.next else {
          if depth > 0 { throw scanner.failure("'}'") }
          break
        }
        if byte == UInt8(ascii: "}"), depth > 0 {
          scanner.position += 1
          break
        }
        guard TextScanner.isName(byte) else { throw scanner.failure("the name of a field") }
        let first = scanner.position
        let key = try scanner.word(scanner.consume(while: TextScanner.isName))
        skip()
        let hasColon = scanner.accept(":")
        skip()
        let node: TextNode
        if scanner.next == UInt8(ascii: "{") {
          node = try message(depth: depth + 1)
        } else if hasColon {
          node = try scalar()
        } else {
          throw scanner.failure("':' or '{'")
        }
        let span = first..<scanner.position
        guard ProtoTextSyntax.repeated.contains(key) else {
          // Of fields that occur twice, the last counts.
          if let known = members[key] { superseded.insert(known) }
          members[key] = children.count
          children.append(.init(key: key, span: span, node: node))
          continue
        }
        let element = TextNode.Child(key: key, span: span, node: node)
        if let known = members[key] {
          if known != children.count - 1 { isScattered = true }
          children[known].span = children[known].span.lowerBound..<span.upperBound
          children[known].node.range = children[known].span
          children[known].node.children.append(element)
        } else {
          members[key] = children.count
          let list = TextNode(range: span, value: .array([node.value]), children: [element])
          children.append(.init(key: key, span: span, node: list))
        }
      }
      for index in children.indices where !children[index].node.children.isEmpty {
        guard case .array = children[index].node.value else { continue }
        children[index].node.value = .array(children[index].node.children.map { $0.node.value })
      }
      if !superseded.isEmpty {
        children = children.enumerated().filter { !superseded.contains($0.offset) }.map {
          $0.element
        }
      }
      let value = JSONValue.object(
        JSONObject(members: children.map { .init(key: $0.key ?? "", value: $0.node.value) }))
      return TextNode(range: start..<scanner.position, value: value, children: children)
    }

    private mutating func scalar() throws(Failure) -> TextNode {
      try scanner.count(depth: 0)
      let start = scanner.position
      if let quote = scanner.next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
        var text: [UInt8] = []
        var end = start
        // Texts that follow each other are one.
        while scanner.next == quote {
          scanner.position += 1
          while let byte = scanner.next, byte != quote {
            guard byte != 0x0A else { throw scanner.failure("the end of a text") }
            scanner.position += 1
            if byte == UInt8(ascii: "\\"), scanner.next != nil {
              text += TextEscapes.protobuf.read(scanner.bytes, at: &scanner.position)
            } else {
              text.append(byte)
            }
          }
          guard scanner.accept(quote == UInt8(ascii: "'") ? "'" : "\"") else {
            throw scanner.failure("the end of a text")
          }
          end = scanner.position
          skip()
        }
        scanner.position = end
        return TextNode(range: start..<end, value: .string(try scanner.string(text, at: start)))
      }
      let range = scanner.consume { TextScanner.isName($0) || "+-.".utf8.contains($0) }
      guard !range.isEmpty else { throw scanner.failure("a value") }
      let text = try scanner.word(range)
      let value: JSONValue =
        switch text {
        case "true": .bool(true)
        case "false": .bool(false)
        default: TextScanner.number(text) ?? .string(text)
        }
      return TextNode(range: range, value: value)
    }
  }

  // MARK: Writing

  static let separator: String? = nil
  static let encoding = "protobuf"
  static let decimalCommas: DecimalCommas.Syntax? = .fields

  private static let prefixes = [
    "PLAY_MODE_", "EMISSION_SPACE_", "BLEND_MODE_", "PARTICLE_ORIENTATION_", "EMITTER_TYPE_",
    "EMITTER_KEY_", "PARTICLE_KEY_", "MODIFIER_TYPE_", "MODIFIER_KEY_", "SIZE_MODE_",
  ]

  static func text(of value: JSONValue, indent: String?) -> String {
    switch value {
    case .string(let text):
      if prefixes.contains(where: text.hasPrefix),
        text.utf8.allSatisfy({ TextScanner.isName($0) })
      {
        return text
      }
      return TextEscapes.protobuf.quoted(text)
    case .object(let object):
      let inner = indent.map { $0 + "  " }
      let fields = object.members.map { member($0.key, $0.value, indent: inner) }
      guard let indent, let inner else { return "{ \(fields.joined(separator: " ")) }" }
      return "{\n" + fields.map { inner + $0 + "\n" }.joined() + indent + "}"
    default: return value.line
    }
  }

  static func member(_ key: String?, _ value: JSONValue, indent: String?) -> String {
    let key = key ?? ""
    switch value {
    case .array(let elements):
      return elements.map { member(key, $0, indent: indent) }.joined(
        separator: indent.map { "\n" + $0 } ?? " ")
    case .object: return "\(key) \(text(of: value, indent: indent))"
    default: return "\(key): \(text(of: value, indent: indent))"
    }
  }

  static func bytes(of value: JSONValue) -> [UInt8] {
    Array(
      (value.object?.members ?? []).map { member($0.key, $0.value, indent: "") + "\n" }.joined()
        .utf8)
  }
}

/// A property of Defold: points with one slope each, connected by cubic curves, and a spread.
struct DefoldCurve {
  private(set) var points: [(x: Double, y: Double, slope: Double)] = []
  private(set) var spread = 0.0

  /// Whether points were added, because the curve has two slopes at a point.
  private(set) var isRounded = false

  // MARK: Reading

  /// The curve of a property. Without points it is 0.
  init(points read: [JSONValue], spread: Double) {
    self.spread = spread
    points = (read.isEmpty ? [["y": .int(0)]] : read).map { point in
      let (tx, ty) = (point["t_x"]?.double ?? 1, point["t_y"]?.double ?? 0)
      let slope = tx == 0 ? 0 : (ty / tx)
      return (
        (point["x"]?.double ?? 0).tidy, (point["y"]?.double ?? 0).tidy,
        slope.isFinite ? slope.rounded : 0
      )
    }.sorted { $0.x < $1.x }
  }

  /// The number of a curve that does not change. Nil for other curves.
  var constant: Double? {
    points.count == 1
      || Set(points.map { $0.y }).count == 1 && points.allSatisfy { $0.slope == 0 }
      ? points.first?.y : nil
  }

  var curve: Curve {
    Curve(
      points.map { CurveKey($0.x, $0.y, inSlope: $0.slope, outSlope: $0.slope) }, .cubic)
  }

  /// The value of a new particle, over the period of the emitter.
  var value: Value {
    if let constant { return Value(center: constant, halfWidth: spread) }
    return .ramp(
      .init(
        low: Value(center: 0, halfWidth: spread), high: 1, curve: curve, relative: true))
  }

  // MARK: Writing

  /// The points of a curve. A corner becomes two points close to each other.
  init(_ curve: Curve) {
    let keys = curve.keys
    isRounded = curve.extend != .clamp
    for (index, key) in keys.enumerated() {
      let isStep = index + 1 < keys.count && (key.interpolation ?? curve.interpolation) == .step
      if isStep { isRounded = true }
      let (before, behind) = curve.slopes(index)
      if let before, let behind, (before - behind).magnitude > 1e-9 * (1 + before.magnitude) {
        points.append((key.time, key.value, before))
        points.append(((key.time + 0.002).rounded, (key.value + 0.002 * behind).rounded, behind))
        isRounded = true
      } else {
        points.append((key.time, key.value, behind ?? before ?? 0))
      }
      if isStep {
        points.append(((keys[index + 1].time - 0.002).rounded, key.value, 0))
      }
    }
    points.sort { $0.x < $1.x }
  }

  /// The points as they are in files.
  var json: JSONValue {
    .array(
      points.map { point in
        // A direction of length 1.
        let length = (1 + point.slope * point.slope).squareRoot()
        return [
          "x": .real(point.x), "y": .real(point.y), "t_x": .real(1 / length),
          "t_y": .real(point.slope / length),
        ]
      })
  }
}

extension JSONValue {
  /// A rotation: an object of `x`, `y`, `z` and `w`, of which `w` is 1 if it is absent.
  func quaternion(_ key: String) -> Quaternion {
    let axis = vector(key)
    return Quaternion(axis.x, axis.y, axis.z, self["\(key).w"]?.double ?? 1).normalized
  }

  static func quaternion(_ rotation: Quaternion) -> JSONValue {
    [
      "x": .real(rotation.x), "y": .real(rotation.y), "z": .real(rotation.z),
      "w": .real(rotation.w),
    ]
  }
}

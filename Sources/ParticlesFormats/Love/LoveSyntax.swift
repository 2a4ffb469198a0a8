internal import ParticlesCore

/// Lua code that makes particle systems of LÖVE, as exporters write it: `ps =
/// love.graphics.newParticleSystem(image, 100)`, calls such as `ps:setSpeed(10, 20)`, and tables that hold the system.
///
/// The contents are `systems`, each with the arguments of its calls as arrays, by the names of the
/// methods, and with the members of its table as `entry`. Other code is kept as it is.
struct LoveSyntax: TreeSyntax {
  static let decimalCommas: DecimalCommas.Syntax? = .calls
  private let text: [UInt8]
  private let systems: [SystemText]
  let value: JSONValue
  let findings: [Diagnostic]

  struct Argument {
    var value: JSONValue
    var range: Range<Int>
  }

  struct Call {
    var name: String
    /// From the receiver to the closing bracket.
    var span: Range<Int>
    /// Between the brackets.
    var inside: Range<Int>
    var arguments: [Argument]
    var value: JSONValue { .array(arguments.map(\.value)) }
  }

  struct Member {
    var key: String
    var argument: Argument
  }

  struct SystemText {
    var receiver: String
    var calls: [Call]
    var members: [Member] = []
    /// Between the braces of the table that holds the system.
    var table: Range<Int>?

    var value: JSONValue {
      var object = JSONObject()
      // The last call of a method is the one that counts.
      for call in calls { object[call.name] = call.value }
      if !members.isEmpty {
        object["entry"] = .object(
          JSONObject(members: members.map { .init(key: $0.key, value: $0.argument.value) }))
      }
      return .object(object)
    }
  }

  init(decoding bytes: [UInt8], limits: Limits) throws {
    text = bytes
    var reader = Reader(scanner: try TextScanner(bytes, limits: limits))
    systems = try reader.read()
    var completeness = Completeness(
      Reader(scanner: try TextScanner(bytes, limits: limits)), receivers: systems.map(\.receiver))
    findings = try completeness.check()
    value = ["systems": .array(systems.map(\.value))]
  }

  // MARK: Writing

  func replacing(with new: JSONValue) -> [UInt8] {
    let elements = new["systems"]?.array ?? []
    guard elements.count == systems.count else { return Self.bytes(of: new) }
    var edits = TextEdits(text)
    for (system, element) in zip(systems, elements) where system.value != element {
      edit(system, to: element.object ?? JSONObject(), &edits)
    }
    return edits.bytes
  }

  private func edit(_ system: SystemText, to new: JSONObject, _ edits: inout TextEdits) {
    for (index, call) in system.calls.enumerated() {
      guard system.calls[(index + 1)...].allSatisfy({ $0.name != call.name }) else { continue }
      guard let value = new[call.name], let arguments = value.array else {
        guard call.name != "new" else { continue }
        let start = edits.gap(before: call.span.lowerBound).lowerBound
        edits.replace(start..<call.span.upperBound, with: [])
        continue
      }
      guard call.value != value else { continue }
      if arguments.count == call.arguments.count {
        for (old, new) in zip(call.arguments, arguments) where old.value != new {
          edits.replace(old.range, with: Self.text(new, isName: call.name == "new").utf8)
        }
      } else {
        let texts = arguments.map { Self.text($0, isName: call.name == "new") }
        edits.replace(call.inside, with: texts.joined(separator: ", ").utf8)
      }
    }
    let known = Set(system.calls.map(\.name))
    if let last = system.calls.last {
      let gap = Array(text[edits.gap(before: last.span.lowerBound)])
      let isLine = gap.contains(0x0A)
      for member in new.members where member.key != "entry" && !known.contains(member.key) {
        let call = "\(system.receiver):\(Self.call(member))"
        edits.insert(
          (isLine ? gap : [0x0A]) + Array(call.utf8), at: last.span.upperBound)
      }
    }
    let entry = new["entry"]?.object
    for member in system.members {
      if let value = entry?[member.key], value != member.argument.value {
        edits.replace(member.argument.range, with: Self.text(value).utf8)
      }
    }
    guard let table = system.table, let entry else { return }
    for member in entry.members where !system.members.contains(where: { $0.key == member.key }) {
      edits.insert(", \(member.key)=\(Self.text(member.value))".utf8, at: table.upperBound)
    }
  }

  private static func call(_ member: JSONObject.Member) -> String {
    "\(member.key)(\((member.value.array ?? []).map { text($0) }.joined(separator: ", ")))"
  }

  /// - Parameter isName: whether texts are the names of variables.
  private static func text(_ value: JSONValue, isName: Bool = false) -> String {
    switch value {
    case .string(let text): isName ? "image" : TextEscapes.lua.quoted(text)
    case .null: "nil"
    default: value.line
    }
  }

  static func bytes(of value: JSONValue) -> [UInt8] {
    let systems = value["systems"]?.array ?? []
    var lines = ["local particles = {}", ""]
    var images: [String: String] = [:]
    for system in systems {
      guard let name = system["new"]?.array?.first?.string, images[name] == nil else { continue }
      images[name] = "image\(images.count + 1)"
      lines.append(
        "local \(images[name] ?? "") = love.graphics.newImage(\(TextEscapes.lua.quoted(name)))")
    }
    if systems.contains(where: { $0["new"]?.array?.first?.string == nil }) {
      // The engine requires an image.
      lines += [
        "local white = love.image.newImageData(8, 8)",
        "white:mapPixel(function() return 1, 1, 1, 1 end)",
        "local square = love.graphics.newImage(white)",
      ]
    }
    lines.append("")
    for system in systems {
      let new = system["new"]?.array ?? []
      let image = new.first?.string.flatMap { images[$0] } ?? "square"
      let size = new.count > 1 ? text(new[1]) : "1000"
      lines.append("do")
      lines.append("  local ps = love.graphics.newParticleSystem(\(image), \(size))")
      for member in system.object?.members ?? [] where member.key != "new" && member.key != "entry"
      {
        lines.append("  ps:\(call(member))")
      }
      let entry = (system["entry"]?.object?.members ?? []).map { "\($0.key)=\(text($0.value))" }
      lines.append(
        "  table.insert(particles, {\((["system=ps"] + entry).joined(separator: ", "))})")
      lines += ["end", ""]
    }
    return Array((lines + ["return particles"]).map { $0 + "\n" }.joined().utf8)
  }

  static let encoding = "lua"
}

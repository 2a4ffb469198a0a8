internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// A value of a file that is only read, in JSON or XML: a text, or named and unnamed members.
///
/// Accessors record that a value was used, so that the rest can be reported. Values of another type
/// than expected are reported.
final class SourceNode {
  let path: String
  let kind: String
  let text: String?

  private let members: [(key: String, node: SourceNode)]
  private let places: [String: Int]
  private let report: SourceReport
  private var isUsed = false

  private init(
    _ path: String, kind: String, text: String?, members: [(key: String, node: SourceNode)],
    _ report: SourceReport
  ) {
    (self.path, self.kind, self.text, self.members) = (path, kind, text, members)
    self.report = report
    places = Dictionary(first: members.indices.map { (members[$0].key, $0) })
  }

  convenience init(_ json: JSONValue, at path: String = "", _ report: SourceReport) {
    func below(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
    switch json {
    case .object(let object):
      self.init(
        path, kind: json.kind, text: nil,
        members: object.members.map {
          ($0.key, SourceNode($0.value, at: below($0.key.excerpt), report))
        }, report)
    case .array(let elements):
      self.init(
        path, kind: json.kind, text: nil,
        members: elements.enumerated().map {
          ("\($0.offset)", SourceNode($0.element, at: "\(path)[\($0.offset)]", report))
        }, report)
    case .number(let number):
      self.init(path, kind: json.kind, text: number.text, members: [], report)
    case .string(let text): self.init(path, kind: json.kind, text: text, members: [], report)
    case .bool(let flag):
      self.init(path, kind: json.kind, text: flag ? "true" : "false", members: [], report)
    case .null: self.init(path, kind: json.kind, text: "", members: [], report)
    }
  }

  /// Elements with equal names get numbers in their paths.
  convenience init(_ xml: XMLElement, at path: String = "", _ report: SourceReport) {
    var counts: [String: Int] = [:]
    let members = xml.children.map { child -> (key: String, node: SourceNode) in
      let number = counts[child.name, default: 0]
      counts[child.name] = number + 1
      let step = child.name.excerpt + (number == 0 ? "" : "[\(number)]")
      return (
        child.name, SourceNode(child, at: path.isEmpty ? step : "\(path).\(step)", report)
      )
    }
    self.init(
      path, kind: members.isEmpty ? "text" : "an element",
      text: members.isEmpty ? xml.text.trimmed : nil, members: members, report)
  }

  /// The member of this name. Nil if it is absent, or null or empty.
  subscript(key: String) -> SourceNode? {
    guard let place = places[key] else { return nil }
    let node = members[place].node
    node.isUsed = true
    return node.text?.isEmpty == true ? nil : node
  }

  /// The value at a path of names.
  func at(_ keys: String...) -> SourceNode? { keys.reduce(self) { $0?[$1] } }

  /// All members, or all with a name, in their order.
  func all(_ key: String? = nil) -> [SourceNode] {
    let nodes = members.filter { key == nil || $0.key == key }.map { $0.node }
    for node in nodes { node.isUsed = true }
    return nodes
  }

  /// The name of the only member, such as the case of an enumeration.
  var onlyKey: String? { members.count == 1 ? members[0].key : nil }

  /// This value as a finite number. Nil, after a report, if it is no number.
  var number: Double? {
    guard let text, let number = text.trimmed.double, number.magnitude < 1e15 else {
      report.add(
        Diagnostic(
          .emitterValue, at: .key(path), expected: "a number", found: text?.excerpt ?? kind))
      return nil
    }
    return number.tidy
  }

  func number(_ key: String, _ standard: Double = 0) -> Double { self[key]?.number ?? standard }

  func number(_ key: String, _ standard: Double, atLeast least: Double) -> Double {
    max(number(key, standard), least)
  }

  func flag(_ key: String, _ standard: Bool = false) -> Bool {
    switch self[key]?.text?.lowercased() {
    case "true"?, "1"?: true
    case "false"?, "0"?: false
    default: standard
    }
  }

  /// The numbers of an array. Nil if there is none of this length.
  func numbers(_ key: String, count: Int) -> [Double]? {
    guard let list = self[key] else { return nil }
    let numbers = list.all().compactMap { $0.number }
    guard numbers.count == count else {
      report.add(
        Diagnostic(
          .emitterValue, at: .key(list.path), expected: "\(count) numbers", found: list.kind))
      return nil
    }
    return numbers
  }

  /// Marks values that have no effect, so that they are not reported.
  func pass(_ keys: String...) { for key in keys { all(key).forEach { $0.passAll() } } }

  func passAll() {
    isUsed = true
    for member in members { member.node.passAll() }
  }

  func note(
    _ rule: Rule, _ detail: String, found: String? = nil, severity: Severity? = nil
  ) {
    report.add(Diagnostic(rule, at: .key(path), detail, found: found, severity: severity))
  }

  func note(_ rule: Rule, _ key: String, _ detail: String, found: String? = nil) {
    (self[key] ?? self).note(rule, detail, found: found)
  }

  /// Reports the values that no accessor returned, each at its outermost path.
  func reportRest() {
    for (_, node) in members {
      if node.isUsed {
        node.reportRest()
      } else if node.text?.isEmpty != true {
        report.add(
          Diagnostic(
            .uninterpreted, at: .key(node.path), found: node.text?.excerpt ?? node.kind))
      }
    }
  }
}

/// The findings of a file that is only read. If there are many, it keeps the first and counts the rest.
final class SourceReport {
  private(set) var diagnostics: [Diagnostic] = []
  private var known: Set<Diagnostic> = []
  private let most = 200

  func add(_ finding: Diagnostic) {
    guard diagnostics.count <= most, known.insert(finding).inserted else { return }
    guard diagnostics.count < most else {
      return diagnostics.add(
        .uninterpreted, "further findings are not listed", found: "more than \(most)")
    }
    diagnostics.append(finding)
  }
}

extension ParticleFormat {
  /// A format that is only read, with a mapping table.
  init<Reader>(
    reading name: String, title: String, extensions: [String],
    _ table: @autoclosure @escaping @Sendable () -> SourceTable<Reader>,
    decimalCommas: DecimalCommas.Syntax? = nil,
    recognise: @escaping @Sendable (_ bytes: [UInt8], _ fileName: String) -> Bool,
    decode: @escaping EffectDecoder
  ) {
    self.init(
      name: name, title: title, extensions: extensions, recognise: recognise, decode: decode)
    self.table = { (table().keys, table().markdown) }
    self.decimalCommas = decimalCommas
  }
}

/// A row of the mapping table of a format that is only read: keys, and the property that they map to.
struct SourceRow<Reader>: Sendable {
  let keys: [String]
  let property: String
  let note: String
  let source: String

  /// nil if another row reads the keys, or none does.
  let decode:
    (
      @Sendable (_ reader: Reader, _ emitter: inout Emitter) throws(Failure) ->
        Void
    )?

  init(
    _ keys: [String], _ property: String, _ note: String = "exact", from source: String,
    decode: (
      @Sendable (_ reader: Reader, _ emitter: inout Emitter) throws(Failure) ->
        Void
    )? = nil
  ) {
    (self.keys, self.property, self.note, self.source) = (keys, property, note, source)
    self.decode = decode
  }
}

/// The mapping table of a format that is only read. Decoding, the table of the Spec and the dictionary
/// of the fuzzer come from it.
struct SourceTable<Reader>: Sendable {
  let rows: [SourceRow<Reader>]
  let sources: [(name: String, title: String)]

  var keys: [String] {
    var seen: Set<String> = []
    return rows.flatMap { $0.keys }.filter { seen.insert($0).inserted }
  }

  func decode(_ reader: Reader, into emitter: inout Emitter) throws(Failure) {
    try EmitterCost.spend(onReading: rows.count)
    for row in rows { try row.decode?(reader, &emitter) }
  }

  var markdown: String {
    var lines = ["| Key | Document | | Source |", "|---|---|---|---|"]
    for row in rows {
      let keys = row.keys.map { "`\($0)`" }.joined(separator: ", ")
      let isPath = !row.property.isEmpty && !row.property.contains(" ")
      lines.append(
        "| \(keys) | \(isPath ? "`\(row.property)`" : row.property) | \(row.note) | \(row.source) |"
      )
    }
    return
      (lines + [
        "",
        "Sources: " + sources.map { "**\($0.name)** \($0.title)" }.joined(separator: ". ") + ".",
      ]).joined(separator: "\n")
  }
}

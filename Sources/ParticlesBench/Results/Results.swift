internal import ParticlesCore

/// The result of a run of the benchmark.
struct Summary {
  let machine = Machine()
  /// The installed programs with their versions, and missing programs.
  var versions: [(name: String, version: String?)] = []
  var lines: [Line] = []
  /// The lowest peak that can be measured: on Linux, a process inherits the peak of its parent.
  var leastMemory: Int?
  /// Operations that were skipped, with the reason. They are no errors.
  var skipped: [String] = []
  /// Operations that failed.
  var failures: [String] = []

  /// The process of ours that took the most memory, for each limit.
  private var peaks: [(line: Line, memory: Int, goal: Int)] {
    let all = lines.compactMap { line in
      line.ours.sample.memory.map { (line, memory: $0, goal: Goal.memory(of: line.operation)) }
    }
    return Dictionary(grouping: all, by: \.goal).sorted { $0.key < $1.key }
      .compactMap { $0.value.max { $0.memory < $1.memory } }
  }

  private var missing: [String] { versions.filter { $0.version == nil }.map(\.name) }

  var text: String {
    var text = "\(machine.date), \(machine.cores) × \(machine.processor), \(machine.system)"
    text += machine.commit.map { ", commit \($0)" } ?? ""
    let found = versions.compactMap { program in program.version.map { "\(program.name) \($0)" } }
    text += "\n\(found.joined(separator: ", "))\n\n"
    var table = TextTable(right: [2, 3, 4, 6, 7, 8])
    table.add(Line.header)
    var previous: Line?
    for line in lines {
      var cells = line.cells
      // Operation and shape are printed only where they change.
      if let last = previous, last.operation == line.operation, last.shape == line.shape {
        cells.replaceSubrange(0..<5, with: repeatElement("", count: 5))
      }
      previous = line
      table.add(cells)
    }
    text += table.text + "\n"
    for (line, memory, goal) in peaks {
      let verdict = memory <= goal ? "met" : "MISSED"
      text += "peak memory: \(Text.memory(memory)) (\(line.operation.rawValue) \(line.shape))"
      text += ", goal ≤ \(Text.memory(goal)): \(verdict)\n"
    }
    if !peaks.isEmpty, let leastMemory {
      text += "less than \(Text.memory(leastMemory)) cannot be told\n"
    }
    let verdicts = lines.compactMap(\.isMet)
    text += "goals: \(verdicts.count(where: { $0 })) of \(verdicts.count) met\n"
    if !missing.isEmpty { text += "not installed: \(missing.joined(separator: ", "))\n" }
    for reason in skipped { text += "skipped: \(reason)\n" }
    for failure in failures { text += "failed: \(failure)\n" }
    return text
  }

  var json: JSONValue {
    var object: JSONObject = [
      "version": .int(1), "date": .string(machine.date),
      "machine": [
        "cores": .int(machine.cores), "processor": .string(machine.processor),
        "system": .string(machine.system),
      ],
    ]
    object["commit"] = machine.commit.map(JSONValue.string)
    var programs = JSONObject()
    for program in versions { programs[program.name] = program.version.map(JSONValue.string) }
    object["programs"] = .object(programs)
    object["missing"] = .array(missing.map(JSONValue.string))
    object["rows"] = .array(lines.map(\.json))
    if let (_, memory, goal) = peaks.first {
      object["peakMemory"] = [
        "bytes": .int(memory), "goal": .int(goal), "met": .bool(memory <= goal),
      ]
    }
    object["skipped"] = .array(skipped.map(JSONValue.string))
    object["failures"] = .array(failures.map(JSONValue.string))
    return .object(object)
  }
}

/// A line of the table: our result beside a peer's result, or beside a goal only.
struct Line {
  let operation: Operation
  let shape: Shape
  let ours: Achievement
  let peer: Achievement?
  let goal: Goal?

  /// One line for each peer, and one more where a goal needs none.
  static func lines(of result: Contest.Result) -> [Line] {
    let (operation, shape) = (result.operation, result.shape)
    var lines = result.peers.map { peer in
      Line(
        operation: operation, shape: shape, ours: result.ours, peer: peer,
        goal: Goal.find(operation, shape, peer: peer.label))
    }
    let alone = Goal.find(operation, shape, peer: nil)
    if alone != nil || lines.isEmpty {
      lines.append(
        Line(operation: operation, shape: shape, ours: result.ours, peer: nil, goal: alone))
    }
    return lines
  }

  /// The sort key: shape, then operation. Peers keep their order.
  var place: Int {
    let shapes = Shape.allCases.firstIndex(of: shape) ?? 0
    return shapes * Operation.allCases.count + (Operation.allCases.firstIndex(of: operation) ?? 0)
  }

  /// Our speed relative to the peer, per item where a run handles several.
  var ratio: Double? { peer.map { $0.each / ours.each } }

  /// The size of our package relative to the peer's.
  var sizeRatio: Double? {
    guard let size = ours.size, let other = peer?.size, other > 0 else { return nil }
    return Double(size) / Double(other)
  }

  /// Whether the goal is reached. Nil without a goal.
  var isMet: Bool? {
    goal?.isMet(ours: ours.each, theirs: peer?.each, sizeRatio: sizeRatio)
  }

  static let header = [
    "operation", "shape", "ours", "CPU", "memory", "peer", "", "ratio", "size", "pictures", "goal",
    "",
  ]

  var cells: [String] {
    [
      operation.rawValue, shape.rawValue, ours.time,
      Text.time(ours.sample.processor), ours.sample.memory.map(Text.memory) ?? "",
      peer?.label ?? "", peer.map(\.time) ?? "",
      ratio.map { "\(Text.significant($0))×" } ?? "",
      sizeRatio.map { Decimal.fixed($0, 3) } ?? "", pictures, goal?.text ?? "",
      isMet.map { $0 ? "met" : "MISSED" } ?? "",
    ]
  }

  /// Size and quality of our pictures and the peer's.
  private var pictures: String {
    [ours, peer].compactMap { $0?.picture }.joined(separator: " : ")
  }

  var json: JSONValue {
    var object: JSONObject = [
      "operation": .string(operation.rawValue), "shape": .string(shape.rawValue),
      "ours": ours.json,
    ]
    object["peer"] = peer?.json
    object["ratio"] = ratio.map(JSONValue.double)
    object["sizeRatio"] = sizeRatio.map(JSONValue.double)
    object["goal"] = (goal?.text).map(JSONValue.string)
    object["met"] = isMet.map(JSONValue.bool)
    return .object(object)
  }
}

extension Achievement {
  /// The time of a run, or of one item where a run handles several.
  var time: String { Text.time(each) + (count > 1 ? " each" : "") }

  /// Size and quality of its pictures, if there are any.
  var picture: String? {
    guard let quality, let size else { return nil }
    return "\(Text.bytes(size)) \(Decimal.fixed(quality, 1)) dB"
  }

  var json: JSONValue {
    var object: JSONObject = [
      "name": .string(label), "seconds": .double(sample.wall),
      "processorSeconds": .double(sample.processor),
    ]
    object["peakMemory"] = sample.memory.map(JSONValue.int)
    if count > 1 { object["count"] = .int(count) }
    object["bytes"] = size.map(JSONValue.int)
    object["decibels"] = quality.map(JSONValue.double)
    return .object(object)
  }
}

/// Figures as the table shows them: three significant digits and a unit.
enum Text {
  /// `value` with three significant digits. Digits before the decimal point are never cut.
  static func significant(_ value: Double) -> String {
    Decimal.fixed(value, value.magnitude < 10 ? 2 : value.magnitude < 100 ? 1 : 0)
  }

  /// `value` with as few digits as possible, at most two after the decimal point.
  static func plain(_ value: Double) -> String {
    var text = Decimal.fixed(value, 2)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  static func time(_ seconds: Double) -> String {
    switch seconds {
    case ..<0.9995e-6: "\(plainOrSignificant(seconds * 1e9)) ns"
    case ..<0.9995e-3: "\(plainOrSignificant(seconds * 1e6)) µs"
    case ..<0.9995: "\(plainOrSignificant(seconds * 1e3)) ms"
    default: "\(significant(seconds)) s"
    }
  }

  /// A number of bytes.
  static func bytes(_ count: Int) -> String {
    switch count {
    case ..<1_000: "\(count) B"
    case ..<1_000_000: "\(significant(Double(count) / 1e3)) kB"
    default: "\(significant(Double(count) / 1e6)) MB"
    }
  }

  /// An amount of memory in binary units.
  static func memory(_ count: Int) -> String { Decimal.fixed(Double(count) / 0x1p20, 1) + " MiB" }

  /// A whole number without decimals, or any other number with three significant digits.
  private static func plainOrSignificant(_ value: Double) -> String {
    value == value.rounded() ? Decimal.fixed(value, 0) : significant(value)
  }
}

/// Text in columns, two spaces apart, each as wide as its widest cell.
struct TextTable {
  /// The columns that are aligned to the right.
  let right: Set<Int>
  private var rows: [[String]] = []

  init(right: Set<Int>) { self.right = right }

  mutating func add(_ cells: [String]) { rows.append(cells) }

  /// The rows, each ending in a line feed. No line ends in a space.
  var text: String {
    let columns = 0..<(rows.map(\.count).max() ?? 0)
    let widths = columns.map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.reduce(into: "") { text, row in
      let cells = row.enumerated().map { column, cell in
        let blanks = String(repeating: " ", count: widths[column] - cell.count)
        return right.contains(column) ? blanks + cell : cell + blanks
      }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
  }
}

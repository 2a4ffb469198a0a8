internal import ParticlesCore

/// The result of a run of the benchmark.
struct Summary {
  let machine = Machine()
  /// The programs that were there, with their versions, and those that were not.
  var versions: [(name: String, version: String?)] = []
  var lines: [Line] = []
  /// The lowest peak that can be measured: on Linux, the peak of a process starts at that of its
  /// parent.
  var leastMemory: Int?
  /// Operations that were skipped, with the reason; not an error.
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

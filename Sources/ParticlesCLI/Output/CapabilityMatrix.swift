internal import ParticlesCore
internal import ParticlesFormats

/// The capabilities of each format that can be written.
struct CapabilityMatrix {
  private let columns: [(name: String, capabilities: Capabilities)] = FormatRegistry.standard
    .formats
    .compactMap {
      format in format.capabilities.map { (format.name, $0) }
    }

  /// A row for each capability, a column for each format.
  var text: String {
    var table = Table(columns: columns.map { _ in .left } + [.left, .left])
    for capability in Capability.all {
      let cells = columns.map { $0.capabilities[capability].sign }
      table.add(row: cells + [capability.id, capability.title])
    }
    var heads = ""
    // The names of formats are wider than their columns, so each has its own line above the table.
    for (index, column) in columns.enumerated() {
      heads += String(repeating: "|  ", count: index) + column.name + "\n"
    }
    return heads + table.text
  }

  /// The matrix as JSON.
  var json: JSONValue {
    [
      "version": .int(1),
      "capabilities": .array(
        Capability.all.map { capability in
          var formats = JSONObject()
          for column in columns {
            formats[column.name] = .string(column.capabilities[capability].rawValue)
          }
          return [
            "feature": .string(capability.id), "title": .string(capability.title),
            "weight": .string(capability.weight.rawValue), "formats": .object(formats),
          ]
        }),
    ]
  }
}

extension Capabilities.Support {
  /// Its sign in a table.
  fileprivate var sign: String {
    switch self {
    case .exact: "="
    case .approximated: "~"
    case .lost: "-"
    }
  }
}

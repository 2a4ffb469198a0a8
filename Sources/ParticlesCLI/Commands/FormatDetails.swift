internal import ParticlesCore
internal import ParticlesFormats
internal import ParticlesModel

/// The features of one format, and how the law of its engine is known.
struct FormatDetails {
  private let format: ParticleFormat
  private let invocation: Invocation

  private typealias Line = ParticleSystem.EngineLaw.Line

  /// Shows the format of a name, or all with an extension.
  static func show(_ word: String, _ invocation: Invocation) throws -> ExitStatus {
    let all = FormatRegistry.standard.formats
    let kind = (word.hasPrefix(".") ? String(word.dropFirst()) : word).lowercased()
    let named = all.filter { $0.name == word }
    let found = named.isEmpty ? all.filter { $0.extensions.contains(kind) } : named
    let isPackage = kind == "particles"
    guard isPackage || !found.isEmpty else {
      throw UsageError.unknown("format", word, among: ["particles"] + all.map(\.name))
    }
    let details = found.map { FormatDetails(format: $0, invocation: invocation) }
    if invocation.flag(.json) {
      let package = isPackage ? [JSONValue.object(FormatRow.all[0].json)] : []
      try invocation.answer(["formats": .array(package + details.map(\.json))])
      return .done
    }
    if isPackage { try invocation.console.write(Self.package) }
    for (index, details) in details.enumerated() {
      if index > 0 || isPackage { try invocation.console.print("") }
      try details.write()
    }
    return .done
  }

  private static let package = """
    particles  Particles package: one file, or a directory
    read, write  .particles

    Holds every feature exactly, the images, and the file that the effect was imported from, byte
    by byte. The effect runs by the law of the engine that its profile names.

    """

  // MARK: Text

  private func write() throws {
    let console = invocation.console
    let access = format.canRead ? format.canWrite ? "read, write" : "read" : "write"
    let extensions = format.extensions.map { ".\($0)" }.joined(separator: " ")
    try console.print("\(format.name)  \(format.title)")
    try console.print("\(access)  \(extensions)")
    if let capabilities = format.capabilities {
      try console.print("")
      for support in Self.supports {
        let titles = Self.titles(support, in: capabilities)
        guard !titles.isEmpty else { continue }
        try console.print("\(Self.heading(of: support)) (\(titles.count))")
        let text = titles.joined(separator: ", ")
        for line in text.wrapped(to: max(console.width - 2, 40)) { try console.print("  \(line)") }
      }
    } else if format.isArchive {
      try console.print("")
      try console.print("Holds the files of a package, or any others, unchanged.")
    } else {
      try console.print("")
      try console.print(
        "Is only read. 'particles info FILE' lists what was not understood in a file.")
    }
    try writeEngines()
  }

  private func writeEngines() throws {
    let console = invocation.console
    var engines: [(name: String, lines: [Line])] = []
    for line in format.evidence {
      if engines.last?.name != line.engine { engines.append((line.engine, [])) }
      engines[engines.count - 1].lines.append(line)
    }
    for (index, engine) in engines.enumerated() {
      let isWhole = index == 0 || console.verbosity == .verbose
      let counts = Self.evidence.compactMap { evidence in
        let count = engine.lines.count { $0.evidence == evidence }
        return count > 0 ? "\(count) \(evidence.rawValue)" : nil
      }
      try console.print("")
      try console.print(
        "Engine: \(engine.name), profile \(engine.lines[0].profile.rawValue): "
          + counts.joined(separator: ", ") + (isWhole ? "" : "; -v lists them"))
      guard isWhole else { continue }
      var table = Table(.left, .left, .left, .left)
      for line in engine.lines {
        table.add("  \(line.evidence.rawValue)", line.name, line.value, line.source)
      }
      try console.write(table.text)
    }
  }

  private static let supports: [Capabilities.Support] = [.exact, .approximated, .lost]
  private static let evidence: [ParticleSystem.EngineLaw.Evidence] = [
    .specified, .recorded, .read, .assumed, .unused,
  ]

  private static func heading(of support: Capabilities.Support) -> String {
    switch support {
    case .exact: "Exact"
    case .approximated: "Approximated, or exact in some cases"
    case .lost: "Not supported"
    }
  }

  private static func titles(
    _ support: Capabilities.Support, in capabilities: Capabilities
  ) -> [String] {
    Capability.all.filter { capabilities[$0] == support }.map(\.title)
  }

  // MARK: JSON

  private var json: JSONValue {
    guard var object = FormatRow.all.first(where: { $0.name == format.name })?.json else {
      return .null
    }
    object["features"] = format.capabilities.map { capabilities in
      .array(
        Capability.all.map {
          [
            "feature": .string($0.id), "title": .string($0.title),
            "support": .string(capabilities[$0].rawValue),
          ]
        })
    }
    return .object(object)
  }
}

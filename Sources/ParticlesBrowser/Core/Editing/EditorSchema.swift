internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesSystem

/// The properties that a page can edit, a row for each, in the order of the tables.
enum EditorSchema {
  static let json: JSONValue = .array(SettableKey.all().map(row))

  private static func row(_ key: SettableKey) -> JSONValue {
    var row: JSONObject = [
      "key": .string(key.key), "type": .string(key.type), "summary": .string(key.summary),
    ]
    row["unit"] = key.unit.map(JSONValue.string)
    row["standard"] = key.standard.flatMap { try? JSONParser.parse(Array($0.utf8)) }
    let type = key.type.hasSuffix(" or null") ? String(key.type.dropLast(8)) : key.type
    if type.hasPrefix("\"") {
      row["values"] = .array(
        type.split(separator: "\"").map(String.init).filter { $0 != ", " }
          .map(JSONValue.string))
    }
    row["isOptional"] = .bool(key.type.hasSuffix(" or null"))
    row["minimum"] = key.minimum.map(JSONValue.double)
    row["maximum"] = key.maximum.map(JSONValue.double)
    row["section"] = .string(key.hint.section)
    row["applies"] = key.hint.applies.map { ["key": .string($0.key), "is": .array($0.values)] }
    if !key.names.isEmpty { row["names"] = .array(key.names.map(JSONValue.string)) }
    guard let numbers = key.hint.numbers else { return .object(row) }
    func pair(_ range: ClosedRange<Double>) -> JSONValue {
      .array([.double(range.lowerBound), .double(range.upperBound)])
    }
    row["usual"] = pair(numbers.usual)
    row["usualInSpace"] = numbers.usualInSpace.map(pair)
    row["scale"] = .string(numbers.scale.rawValue)
    row["step"] = .double(numbers.step)
    return .object(row)
  }
}

/// Presets of the user: emitters, curves, gradients and images, a file of JSON for each in the data folder.
struct EffectPresets: Sendable {
  /// The kinds, each a folder.
  static let kinds = ["emitter", "curve", "gradient", "image"]
  /// Larger files are no presets. The preset of an emitter contains its images.
  static let mostBytes = 8 << 20
  /// The numbers of presets of a kind that are read, and that a user may have. Menus show all presets.
  private static let (mostRead, most) = (1_000, 200)

  private let folder: String

  /// The presets of a kind.
  /// - Throws: ``ParticlesCore/Rule/usage`` for another kind, ``ParticlesCore/Rule/fileUnwritable`` without a data folder.
  init(_ kind: String, _ directories: BaseDirectories) throws {
    guard Self.kinds.contains(kind) else {
      throw Diagnostic(
        .usage, "'kind'", expected: Self.kinds.joined(separator: ", "), found: kind.excerpt)
    }
    guard let data = directories.dataHome else {
      throw Diagnostic(
        .fileUnwritable, "there is no folder for presets", hint: "set XDG_DATA_HOME or HOME")
    }
    folder = ["particles", "presets", kind].reduce(data) { Files.joined($0, $1) }
  }

  /// The presets by name, without files that are no presets.
  func all() -> [JSONValue] {
    return names.sorted().prefix(Self.mostRead).compactMap { file in
      let path = Files.joined(folder, file)
      guard let size = try? Files.status(path)?.size, size <= Self.mostBytes,
        let value = try? JSONValue(parsing: Files.read(path))
      else { return nil }
      return ["name": .string(String(file.dropLast(5))), "value": value]
    }
  }

  private var names: [String] {
    ((try? Files.list(folder, passingOver: { _ in })) ?? []).filter { $0.hasSuffix(".json") }
  }

  private func path(_ name: String) throws -> String {
    guard !name.isEmpty, !name.hasPrefix("."), name.utf8.count <= 100,
      !name.unicodeScalars.contains(where: { $0 == "/" || $0.value < 0x20 || $0.value == 0x7F })
    else {
      throw Diagnostic(
        .usage, "the name of a preset",
        expected: "1 to 100 bytes without '/', not beginning with a dot",
        found: "'\(name.excerpt)'")
    }
    return Files.joined(folder, "\(name).json")
  }

  /// Stores a preset. It replaces a preset with this name.
  /// - Throws: ``ParticlesCore/Rule/limit`` if it has too many bytes, or if there are 200 others of its kind.
  func save(_ value: JSONValue, as name: String) throws {
    let path = try path(name)
    let bytes = Array(value.text.utf8)
    guard bytes.count <= Self.mostBytes else {
      throw Diagnostic(
        .limit, "bytes of a preset", expected: "at most \(Self.mostBytes)", found: "\(bytes.count)")
    }
    let others = names.filter { $0 != "\(name).json" }
    guard others.count < Self.most else {
      throw Diagnostic(
        .limit, "presets of this kind", expected: "at most \(Self.most)",
        found: "\(others.count + 1)", hint: "remove one that is not needed")
    }
    try Files.makeDirectories(folder)
    try SafeSave.file(path, replacing: true) { open in
      try bytes.withUnsafeBytes { try open.write($0) }
    }
  }

  func remove(_ name: String) throws { try Files.removeAll(path(name)) }
}

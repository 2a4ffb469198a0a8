internal import ParticlesCore
internal import ParticlesModel

/// A family of keyed archives whose emitters are objects in a graph.
protocol ArchiveFormat: EmitterFormat
where Reader == ArchivedEmitter<Self>, Field == Archivable {
  /// The name of the format, for the source bag.
  var name: String { get }

  /// Other names of keys, in archives of other generations: the key of a row, and what an archive
  /// without it may have instead.
  var aliases: [String: String] { get }
}

extension ArchiveFormat {
  var randomness: Randomness { .full }

  func integer(_ number: Int) -> Archivable { .integer(number) }

  func flag(_ flag: Bool) -> Archivable { .bool(flag) }
}

/// An archived object that is an emitter. Keys are those of the rows, under whichever of their names
/// the archive has them.
struct ArchivedEmitter<Format: ArchiveFormat> {
  let format: Format
  let object: ArchivedObject

  /// The name that a key has in the archive.
  func key(_ name: String) -> String {
    guard object.index(of: name) == nil, let other = format.aliases[name],
      object.index(of: other) != nil
    else { return name }
    return other
  }

  func number(_ name: String, _ standard: Double = 0, atLeast least: Double? = nil) -> Double {
    least.map { object.number(key(name), standard, atLeast: $0) }
      ?? object.number(key(name), standard)
  }

  /// A number and the width of the even spread around it.
  func value(
    _ name: String, width: String, _ standard: Double = 0, scope: Scope = .particle,
    times factor: Double = 1
  ) -> Value {
    Value(
      center: (number(name, standard) * factor).rounded,
      halfWidth: format.randomness.half(ofWidth: number(width) * factor), scope: scope)
  }

  func flag(_ name: String, _ standard: Bool = false) -> Bool {
    object.bool(key(name)) ?? standard
  }

  func choice<Choice>(_ name: String, _ choices: [Choice], _ standard: Choice) -> Choice {
    object.choice(key(name), choices, standard)
  }

  /// Reports something about a key.
  func note(
    _ rule: Rule, _ name: String, _ detail: String, found: String? = nil,
    severity: Severity? = nil
  ) {
    object.reader.report(
      Diagnostic(
        rule, at: .key(object.path(of: key(name))), detail, found: found, severity: severity))
  }
}

// MARK: - Rows that both directions follow from

extension Row where Format: ArchiveFormat {
  /// A number and the width of an even spread around it.
  static func value(
    _ key: String, width: String, _ property: String,
    _ path: @autoclosure @escaping @Sendable () -> WritableKeyPath<Emitter, Value>,
    _ capability: Capability, standard: Double = 0, _ note: String = "exact",
    from source: String = ""
  ) -> Row {
    Row(
      keys: [key, width], property: property, note: note, source: source, exact: [capability],
      decode: { $1[keyPath: path()] = $0.value(key, width: width, standard) },
      encode: { $0.set(key, width: width, $0.emitter[keyPath: path()], capability, at: property) })
  }

  /// A truth value.
  static func flag(
    _ key: String, _ property: String,
    _ path: @autoclosure @escaping @Sendable () -> WritableKeyPath<Emitter, Bool>,
    standard: Bool = false, from source: String = ""
  ) -> Row {
    Row(
      keys: [key], property: property, source: source,
      decode: { $1[keyPath: path()] = $0.flag(key, standard) },
      encode: { $0.set(key, flag: $0.emitter[keyPath: path()]) })
  }

  /// Values that archives always have and that mean nothing to us.
  static func constant(_ keys: [String], _ value: Archivable, _ note: String) -> Row {
    Row(
      keys: keys, property: "", note: note,
      encode: { for key in keys { $0.set(key, value) } })
  }
}

internal import CParticlesInterface
internal import ParticlesCore

/// A struct of `particles.h` that begins with its size.
protocol Sized {
  init()
  var size: Int { get set }
}

extension particles_limits: Sized {}
extension particles_finding: Sized {}
extension particles_entry: Sized {}
extension particles_package_state: Sized {}
extension particles_simulation_state: Sized {}
extension particles_save_options: Sized {}
extension particles_bytes: Sized {}
extension particles_open_options: Sized {}
extension particles_export_options: Sized {}
extension particles_plan: Sized {}
extension particles_document_options: Sized {}
extension particles_document_state: Sized {}

/// Checks the size that the caller has set: at least that of this version.
func check<Value: Sized>(_ given: Int, of kind: Value.Type, _ name: String) throws {
  let size = MemoryLayout<Value>.size
  guard given >= size else {
    throw Diagnostic.argument(
      name, expected: "a struct whose 'size' is \(size)", found: "\(given)")
  }
}

/// Checks the size of a struct of the caller before anything behind the size is read.
func check<Value: Sized>(_ argument: UnsafePointer<Value>, _ name: String) throws {
  try check(UnsafeRawPointer(argument).load(as: Int.self), of: Value.self, name)
}

/// Returns the struct of an argument; nil for 0.
func optional<Value: Sized>(_ argument: UnsafePointer<Value>?, _ name: String) throws -> Value? {
  try argument.map { argument in
    try check(argument, name)
    return argument.pointee
  }
}

/// Sets the struct of an argument but for its size.
func set<Value: Sized>(
  _ argument: UnsafeMutablePointer<Value>?, _ name: String, _ make: () throws -> Value
) throws {
  let argument = try required(argument, name)
  try check(UnsafePointer(argument), name)
  var value = try make()
  value.size = argument.pointee.size
  argument.pointee = value
}

extension particles_limits {
  typealias Field = (WritableKeyPath<particles_limits, Int64>, WritableKeyPath<Limits, Int>)

  static var fields: [Field] {
    [
      (\.entries, \.entries), (\.depth, \.depth), (\.entry_bytes, \.entryBytes),
      (\.total_bytes, \.totalBytes), (\.amplification, \.amplification),
      (\.index_bytes, \.indexBytes), (\.file_bytes, \.fileBytes), (\.text_bytes, \.textBytes),
      (\.scalar_bytes, \.scalarBytes), (\.objects, \.objects), (\.work, \.work),
      (\.memory, \.memory), (\.types, \.types), (\.nesting, \.nesting), (\.archives, \.archives),
      (\.emitters, \.emitters), (\.particles, \.particles), (\.image_pixels, \.imagePixels),
      (\.pixels, \.pixels), (\.frames, \.frames), (\.paint, \.paint),
      (\.animation_paint, \.animationPaint), (\.frame_paint, \.framePaint),
      (\.particle_steps, \.particleSteps), (\.frame_steps, \.frameSteps),
      (\.frame_work, \.frameWork), (\.preview_seconds, \.previewSeconds),
      (\.warmup_seconds, \.warmupSeconds),
    ]
  }

  init(_ limits: Limits) {
    self.init()
    for (field, limit) in Self.fields { self[keyPath: field] = Int64(limits[keyPath: limit]) }
  }
}

/// Returns the limits of an argument; the standard ones for 0, and for each field that is 0 or less.
func limits(_ argument: UnsafePointer<particles_limits>?) throws -> Limits {
  guard let given = try optional(argument, "limits") else { return .standard }
  var limits = Limits.standard
  for (field, limit) in particles_limits.fields where given[keyPath: field] > 0 {
    limits[keyPath: limit] = Int(clamping: given[keyPath: field])
  }
  return limits
}

extension particles_finding {
  /// Describes a diagnostic by strings that are valid as long as `strings` keeps them.
  init(_ diagnostic: Diagnostic, status: CInt, _ strings: Strings) {
    self.init()
    size = MemoryLayout<Self>.size
    self.status = status
    switch diagnostic.severity {
    case .note: severity = CInt(PARTICLES_NOTE)
    case .warning: severity = CInt(PARTICLES_WARNING)
    case .error: severity = CInt(PARTICLES_ERROR)
    }
    let location = diagnostic.location
    code = strings.add(diagnostic.rule.code)
    message = strings.add(diagnostic.message)
    file = strings.add(location.textPlace?.file ?? location.file)
    entry = strings.add(location.entry)
    offset = -1
    switch location.position {
    case .offset(let bytes): offset = Int64(bytes)
    case .key(let path): key = strings.add(path)
    case nil: break
    }
    expected = strings.add(diagnostic.expected)
    found = strings.add(diagnostic.found)
    hint = strings.add(diagnostic.hint)
    text = strings.add("\(diagnostic)")
    json = strings.add(diagnostic.jsonWithFile.denseText)
    line = CInt(clamping: location.textPlace?.line ?? 0)
    column = CInt(clamping: location.textPlace?.column ?? 0)
  }
}

extension Diagnostic {
  /// The JSON of the diagnostic with the path of the file, which findings of several files need.
  var jsonWithFile: JSONValue {
    guard let file = location.textPlace?.file ?? location.file, var object = json.object else {
      return json
    }
    object["file"] = .string(file)
    return .object(object)
  }
}

/// Passes findings on to a callback.
func report(
  _ findings: [Diagnostic], to callback: particles_finding_fn?, _ context: UnsafeMutableRawPointer?
) throws {
  let callback = try required(callback, "finding")
  guard !findings.isEmpty else { return }
  let strings = Strings()
  for finding in findings {
    var value = particles_finding(
      finding, status: Status(of: finding).code, strings)
    let result = callback(context, &value)
    guard result == 0 else { throw CallbackFailure(name: "finding", result: result) }
    strings.removeAll()
  }
}

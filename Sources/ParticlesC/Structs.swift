internal import CParticlesInterface
internal import ParticlesContainer
internal import ParticlesPackages
internal import ParticlesCore
internal import ParticlesFormats
internal import ParticlesPlatform
internal import ParticlesSystem
internal import ParticlesTypes

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

/// Checks the size that the caller has set. It must be at least this version's size.
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

/// Returns the struct of an argument. Nil for 0.
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

/// Returns the limits of an argument. 0, and each field of 0 or less, select the standard limits.
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

// The functions of `particles.h` about types of files.

/// The first bytes of a file that types are recognised by.
private let headSize = 4096

/// See `particles_type_of_file` in `particles.h`.
@_cdecl("particles_type_of_file")
public func typeOfFile(
  _ path: UnsafePointer<CChar>?, _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  callPlainly {
    let path = try ParticlesC.path(path, "path")
    guard let status = try Files.status(path) else {
      throw Diagnostic(.fileNotFound, at: Location(file: path))
    }
    let name = Files.lastComponent(of: path)
    guard status.kind == .file else {
      return try give(typeJSON(name, kind: .directory, head: [], format: nil), out)
    }
    // A format is recognised by all contents, as far as they may be read. Contents distinguish an effect from another
    // file in its language. A file that is too long to be an effect is recognised by its first bytes.
    let isShort = status.size <= Limits.standard.fileBytes
    let bytes = isShort ? try Files.read(path) : try head(of: path)
    try give(
      typeJSON(
        name, kind: .file, head: Array(bytes.prefix(headSize)),
        format: isShort ? format(of: bytes, name) : nil), out)
  }
}

/// See `particles_type_of_bytes` in `particles.h`.
@_cdecl("particles_type_of_bytes")
public func typeOfBytes(
  _ start: UnsafeRawPointer?, _ count: Int, _ name: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  callPlainly {
    let bytes = try bytes(start, count, "bytes")
    let name = try optionalText(name, "name") ?? ""
    let head = Array(bytes.prefix(headSize))
    try give(typeJSON(name, kind: .file, head: head, format: format(of: bytes, name)), out)
  }
}

private func head(of path: String) throws -> [UInt8] {
  try ByteSource.file(path).bytes(at: 0, count: headSize)
}

/// The format of effects that recognises a file. Nil for other files.
private func format(of bytes: [UInt8], _ name: String) -> ParticleFormat? {
  FormatRegistry.standard.formats.first { !$0.types.isEmpty && $0.recognise(bytes, name) }
}

private func typeJSON(
  _ name: String, kind: ItemKind, head: [UInt8], format: ParticleFormat?
) throws -> JSONValue {
  let registry = FormatRegistry.standard.types
  let selection = registry.select(fileName: name, kind: kind, head: head)
  let byContents = format?.types.first.flatMap { UniformType($0.identifier, in: registry) }
  guard let type = byContents ?? selection.type else {
    throw Diagnostic(.absentName, "no type fits '\(name)'")
  }
  var object: JSONObject = ["identifier": .string(type.identifier)]
  object["description"] = type.title.map(JSONValue.string)
  object["extensions"] = .array(type.tags[.filenameExtension, default: []].map(JSONValue.string))
  object["mimeTypes"] = .array(type.tags[.mimeType, default: []].map(JSONValue.string))
  object["format"] = format.map { .string($0.name) }
  object["candidates"] = .array(
    selection.candidates.map { .string($0.type.identifier) })
  return .object(object)
}

/// C strings with an owner.
final class Strings {
  private var strings: [UnsafeMutablePointer<CChar>] = []
  private(set) var isEmpty = true

  deinit { removeAll() }

  /// Returns a copy of a text as a C string, valid until ``removeAll()``. A path keeps its bytes.
  func add(_ text: String) -> UnsafePointer<CChar>? {
    // Other texts end at a 0.
    let isPath = RawPath.isRaw(text) && RawPath.bytes(text) != nil
    guard let copy = isPath ? RawPath.call(text, { strdup($0) }) : strdup(text) else { return nil }
    strings.append(copy)
    isEmpty = false
    return UnsafePointer(copy)
  }

  func add(_ text: String?) -> UnsafePointer<CChar>? { text.flatMap { add($0) } }

  func removeAll() {
    for string in strings { free(string) }
    strings.removeAll(keepingCapacity: true)
    isEmpty = true
  }
}

/// Returns a text argument.
/// - Throws: ``Rule/misuse`` if it is 0 or no UTF-8.
func text(_ argument: UnsafePointer<CChar>?, _ name: String) throws -> String {
  guard let text = try optionalText(argument, name) else {
    throw Diagnostic.argument(name, expected: "a string", found: "0")
  }
  return text
}

/// Returns a text argument. Nil for 0.
func optionalText(_ argument: UnsafePointer<CChar>?, _ name: String) throws -> String? {
  guard let argument else { return nil }
  guard let text = String(validatingCString: argument) else {
    throw Diagnostic.argument(name, expected: "UTF-8")
  }
  return text
}

/// Returns the path of an argument, whose bytes need not be UTF-8.
/// - Throws: ``Rule/misuse`` if it is 0.
func path(_ argument: UnsafePointer<CChar>?, _ name: String) throws -> String {
  guard let path = optionalPath(argument) else { return try text(argument, name) }
  return path
}

/// Returns the path of an argument, whose bytes need not be UTF-8. Nil for 0.
func optionalPath(_ argument: UnsafePointer<CChar>?) -> String? {
  argument.map { RawPath.text($0) }
}

/// Returns the flags of a call.
/// - Throws: ``Rule/misuse`` for a flag that the call does not know. It would have no effect otherwise.
func flags(_ argument: CInt, of known: Int) throws -> Int {
  guard Int(argument) & ~known == 0 else {
    throw Diagnostic.argument("flags", expected: "bits of \(known)", found: "\(argument)")
  }
  return Int(argument)
}

/// Returns a number of things or bytes.
/// - Throws: ``Rule/misuse`` if it is below 0.
func number(_ argument: some BinaryInteger, _ name: String) throws -> Int {
  guard argument >= 0, let number = Int(exactly: argument) else {
    throw Diagnostic.argument(name, expected: "0 or more", found: "\(argument)")
  }
  return number
}

/// Returns an argument that must not be 0.
func required<Pointer>(_ argument: Pointer?, _ name: String) throws -> Pointer {
  guard let argument else {
    throw Diagnostic.argument(name, expected: "an address", found: "0")
  }
  return argument
}

/// Returns the bytes of an argument.
func bytes(_ start: UnsafeRawPointer?, _ count: Int, _ name: String) throws -> [UInt8] {
  guard count >= 0, start != nil || count == 0 else {
    throw Diagnostic.argument(name, expected: "an address and a size", found: "\(count) bytes")
  }
  return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
}

/// Sets an argument to a copy of a text, which the caller frees.
func give(_ text: String, _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) throws {
  let out = try required(out, "out")
  out.pointee = strdup(text)
  guard out.pointee != nil else { throw Diagnostic.outOfMemory(text.utf8.count) }
}

func give(_ json: JSONValue, _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) throws {
  try give(json.denseText, out)
}

/// Sets an argument to a copy of bytes with a 0 behind them, which the caller frees.
func give(
  _ bytes: [UInt8], _ out: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ count: UnsafeMutablePointer<Int>?
) throws {
  let out = try required(out, "out")
  guard let copy = malloc(bytes.count + 1) else { throw Diagnostic.outOfMemory(bytes.count) }
  bytes.withUnsafeBytes { bytes in
    if let start = bytes.baseAddress { copy.copyMemory(from: start, byteCount: bytes.count) }
  }
  copy.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
  out.pointee = copy
  count?.pointee = bytes.count
}

extension Diagnostic {
  static func outOfMemory(_ count: Int) -> Diagnostic {
    Diagnostic(.limit, "not enough memory", expected: "\(count) bytes")
  }
}

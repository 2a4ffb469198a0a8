internal import CParticlesInterface
internal import ParticlesCore
internal import ParticlesFormats
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
extension particles_session_state: Sized {}

/// Checks the size that the caller has set. It must be at least this version's size.
func check<Value: Sized>(_ given: Int, of kind: Value.Type, _ name: String) throws(Failure) {
  let size = MemoryLayout<Value>.size
  guard given >= size else {
    throw Diagnostic.argument(
      name, expected: "a struct whose 'size' is \(size)", found: "\(given)")
  }
}

/// Checks the size of a struct of the caller before anything behind the size is read.
func check<Value: Sized>(_ argument: UnsafePointer<Value>, _ name: String) throws(Failure) {
  try check(UnsafeRawPointer(argument).load(as: Int.self), of: Value.self, name)
}

/// Returns the struct of an argument. Nil for 0.
func optional<Value: Sized>(
  _ argument: UnsafePointer<Value>?, _ name: String
) throws(Failure) -> Value? {
  guard let argument else { return nil }
  try check(argument, name)
  return argument.pointee
}

/// Sets the struct of an argument but for its size.
func set<Value: Sized>(
  _ argument: UnsafeMutablePointer<Value>?, _ name: String, _ make: () throws(Failure) -> Value
) throws(Failure) {
  let argument = try required(argument, name)
  try check(UnsafePointer(argument), name)
  var value = try make()
  value.size = argument.pointee.size
  argument.pointee = value
}

extension particles_limits {
  /// Calls `body` with each field and its limit.
  mutating func withFields(_ limits: inout Limits, _ body: (inout Int64, inout Int) -> Void) {
    body(&entries, &limits.entries)
    body(&depth, &limits.depth)
    body(&entry_bytes, &limits.entryBytes)
    body(&total_bytes, &limits.totalBytes)
    body(&amplification, &limits.amplification)
    body(&index_bytes, &limits.indexBytes)
    body(&file_bytes, &limits.fileBytes)
    body(&text_bytes, &limits.textBytes)
    body(&scalar_bytes, &limits.scalarBytes)
    body(&objects, &limits.objects)
    body(&work, &limits.work)
    body(&memory, &limits.memory)
    body(&types, &limits.types)
    body(&nesting, &limits.nesting)
    body(&archives, &limits.archives)
    body(&emitters, &limits.emitters)
    body(&particles, &limits.particles)
    body(&image_pixels, &limits.imagePixels)
    body(&pixels, &limits.pixels)
    body(&frames, &limits.frames)
    body(&paint, &limits.paint)
    body(&animation_paint, &limits.animationPaint)
    body(&frame_paint, &limits.framePaint)
    body(&particle_steps, &limits.particleSteps)
    body(&frame_steps, &limits.frameSteps)
    body(&frame_work, &limits.frameWork)
    body(&preview_seconds, &limits.previewSeconds)
    body(&warmup_seconds, &limits.warmupSeconds)
  }

  init(_ limits: Limits) {
    self.init()
    var limits = limits
    withFields(&limits) { $0 = Int64($1) }
  }
}

/// Returns the limits of an argument. 0, and each field of 0 or less, select the standard limits.
func limits(_ argument: UnsafePointer<particles_limits>?) throws(Failure) -> Limits {
  guard var given = try optional(argument, "limits") else { return .standard }
  var limits = Limits.standard
  given.withFields(&limits) { if $0 > 0 { $1 = Int(clamping: $0) } }
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
    text = strings.add(diagnostic.description)
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

// The functions of `particles.h` about types of files.

/// The first bytes of a file that types are recognised by.
let headSize = 4096

/// See `particles_type_of_bytes` in `particles.h`.
@_cdecl("particles_type_of_bytes")
public func typeOfBytes(
  _ start: UnsafeRawPointer?, _ count: Int, _ name: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  callPlainly { () throws(Failure) in
    let bytes = try bytes(start, count, "bytes")
    let name = try optionalText(name, "name") ?? ""
    let head = Array(bytes.prefix(headSize))
    try give(typeJSON(name, kind: .file, head: head, format: format(of: bytes, name)), out)
  }
}

/// The format of effects that recognises a file. Nil for other files.
func format(of bytes: [UInt8], _ name: String) -> ParticleFormat? {
  FormatRegistry.standard.formats.first { !$0.types.isEmpty && $0.recognise(bytes, name) }
}

func typeJSON(
  _ name: String, kind: ItemKind, head: [UInt8], format: ParticleFormat?
) throws(Failure) -> JSONValue {
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
    let path = RawPath.isRaw(text) ? RawPath.bytes(text) : nil
    let copy = path.map { $0.withUnsafeBytes { copied($0) } } ?? copied(text)
    guard let copy else { return nil }
    strings.append(copy.assumingMemoryBound(to: CChar.self))
    isEmpty = false
    return UnsafePointer(strings[strings.count - 1])
  }

  func add(_ text: String?) -> UnsafePointer<CChar>? { text.flatMap { add($0) } }

  func removeAll() {
    for string in strings { release(string) }
    strings.removeAll(keepingCapacity: true)
    isEmpty = true
  }
}

/// Returns a text argument.
/// - Throws: ``Rule/misuse`` if it is 0 or no UTF-8.
func text(_ argument: UnsafePointer<CChar>?, _ name: String) throws(Failure) -> String {
  guard let text = try optionalText(argument, name) else {
    throw Diagnostic.argument(name, expected: "a string", found: "0")
  }
  return text
}

/// Returns a text argument. Nil for 0.
func optionalText(_ argument: UnsafePointer<CChar>?, _ name: String) throws(Failure) -> String? {
  guard let argument else { return nil }
  guard let text = String(validatingCString: argument) else {
    throw Diagnostic.argument(name, expected: "UTF-8")
  }
  return text
}

/// Returns the flags of a call.
/// - Throws: ``Rule/misuse`` for a flag that the call does not know. It would have no effect otherwise.
func flags(_ argument: CInt, of known: Int) throws(Failure) -> Int {
  guard Int(argument) & ~known == 0 else {
    throw Diagnostic.argument("flags", expected: "bits of \(known)", found: "\(argument)")
  }
  return Int(argument)
}

/// Returns a number of things or bytes.
/// - Throws: ``Rule/misuse`` if it is below 0.
func number(_ argument: some BinaryInteger, _ name: String) throws(Failure) -> Int {
  guard argument >= 0, let number = Int(exactly: argument) else {
    throw Diagnostic.argument(name, expected: "0 or more", found: "\(argument)")
  }
  return number
}

/// Returns an argument that must not be 0.
func required<Pointer>(_ argument: Pointer?, _ name: String) throws(Failure) -> Pointer {
  guard let argument else {
    throw Diagnostic.argument(name, expected: "an address", found: "0")
  }
  return argument
}

/// Returns the bytes of an argument.
func bytes(_ start: UnsafeRawPointer?, _ count: Int, _ name: String) throws(Failure) -> [UInt8] {
  guard count >= 0, start != nil || count == 0 else {
    throw Diagnostic.argument(name, expected: "an address and a size", found: "\(count) bytes")
  }
  return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
}

/// Returns a copy of bytes with a 0 behind them, which ``release(_:)`` frees. Nil if there is no memory.
func copied(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer? {
  guard let copy = allocated(bytes.count + 1) else { return nil }
  if let start = bytes.baseAddress { copy.copyMemory(from: start, byteCount: bytes.count) }
  copy.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
  return copy
}

func copied(_ text: String) -> UnsafeMutableRawPointer? {
  var text = text
  return text.withUTF8 { copied(UnsafeRawBufferPointer($0)) }
}

/// Sets an argument to a copy of a text, which the caller frees.
func give(
  _ text: String, _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) throws(Failure) {
  let out = try required(out, "out")
  guard let copy = copied(text) else { throw Diagnostic.outOfMemory(text.utf8.count) }
  out.pointee = copy.assumingMemoryBound(to: CChar.self)
}

func give(
  _ json: JSONValue, _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) throws(Failure) {
  try give(json.denseText, out)
}

/// Sets an argument to a copy of bytes with a 0 behind them, which the caller frees.
func give(
  _ bytes: [UInt8], _ out: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ count: UnsafeMutablePointer<Int>?
) throws(Failure) {
  let out = try required(out, "out")
  guard let copy = bytes.withUnsafeBytes({ copied($0) }) else {
    throw Diagnostic.outOfMemory(bytes.count)
  }
  out.pointee = copy
  count?.pointee = bytes.count
}

extension Diagnostic {
  static func outOfMemory(_ count: Int) -> Diagnostic {
    Diagnostic(.limit, "not enough memory", expected: "\(count) bytes")
  }
}

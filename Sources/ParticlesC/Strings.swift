internal import CParticlesInterface
internal import ParticlesCore
internal import ParticlesPlatform

/// C strings with an owner.
final class Strings {
  private var strings: [UnsafeMutablePointer<CChar>] = []
  private(set) var isEmpty = true

  deinit { removeAll() }

  /// Returns a copy of a text as a C string, which is valid until ``removeAll()``. A path has its bytes.
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

/// Returns a text argument; nil for 0.
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

/// Returns the path of an argument, whose bytes need not be UTF-8; nil for 0.
func optionalPath(_ argument: UnsafePointer<CChar>?) -> String? {
  argument.map { RawPath.text($0) }
}

/// Returns the flags of a call.
/// - Throws: ``Rule/misuse`` if the call does not know one of them, which would have no effect otherwise.
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

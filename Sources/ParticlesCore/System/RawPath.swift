internal import ParticlesPlatform

/// Paths whose bytes are not UTF-8, as text. Archives of other systems have file names in Latin-1 or Shift-JIS.
///
/// Each byte that is not part of a character is a zero, which no path has, and two hexadecimal digits. Calls of ``Files``,
/// ``OpenFile``, ``FolderReader`` and ``SafeSave`` take such texts. Messages show them as `\xE9`.
package enum RawPath {
  package static func text(_ bytes: [UInt8]) -> String {
    bytes.replacingInvalidUTF8 { "\0" + [$0].hexDigits }
  }

  package static func text(_ path: UnsafePointer<CChar>) -> String {
    text(Array(UnsafeRawBufferPointer(start: path, count: strlen(path))))
  }

  /// Whether the bytes of a path are not UTF-8.
  package static func isRaw(_ path: String) -> Bool { path.utf8.contains(0) }

  /// Returns the bytes of a path, or nil if a zero in the path is not an escape.
  package static func bytes(_ path: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(path.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == 0 else {
        bytes.append(byte)
        continue
      }
      // A byte of ASCII, such as a slash, is never an escape.
      guard rest.count >= 2, let high = digit(rest.removeFirst()), high >= 8,
        let low = digit(rest.removeFirst())
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// A path with U+FFFD in place of bytes that are not UTF-8, for names in documents and pages.
  package static func readable(_ path: String) -> String {
    isRaw(path) ? String(decoding: bytes(path) ?? [], as: UTF8.self) : path
  }

  /// A path with `\xE9` in place of bytes that are not UTF-8, for reports.
  package static func shown(_ path: String) -> String {
    isRaw(path) ? bytes(path)?.escapingInvalidUTF8 ?? path : path
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
  }

  /// Calls `body` with a path as the system knows it. There is nothing at a path with a zero that is no escape.
  package static func call<Result>(
    _ path: String, _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    guard isRaw(path) else { return path.withCString(body) }
    let bytes = bytes(path) ?? []
    return (bytes.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map(body) ?? "".withCString(body)
    }
  }

  static func call<Result>(
    _ a: String, _ b: String,
    _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Result
  ) -> Result {
    call(a) { a in call(b) { body(a, $0) } }
  }
}

// The calls of the system that get a path, with the text of the path. In this module, they hide the calls of the
// system, which would get the escapes.

func open(_ path: String, _ flags: CInt) -> CInt {
  RawPath.call(path) { open($0, flags) }
}

func open(_ path: String, _ flags: CInt, _ mode: mode_t) -> CInt {
  RawPath.call(path) { open($0, flags, mode) }
}

func lstat(_ path: String, _ status: UnsafeMutablePointer<stat>) -> CInt {
  RawPath.call(path) { lstat($0, status) }
}

func faccessat(_ folder: CInt, _ path: String, _ mode: CInt, _ flags: CInt) -> CInt {
  RawPath.call(path) { faccessat(folder, $0, mode, flags) }
}

func readlink(_ path: String, _ text: UnsafeMutablePointer<CChar>, _ size: Int) -> Int {
  RawPath.call(path) { readlink($0, text, size) }
}

func mkdir(_ path: String, _ mode: mode_t) -> CInt { RawPath.call(path) { mkdir($0, mode) } }

func rmdir(_ path: String) -> CInt { RawPath.call(path) { rmdir($0) } }

func unlink(_ path: String) -> CInt { RawPath.call(path) { unlink($0) } }

func chmod(_ path: String, _ mode: mode_t) -> CInt { RawPath.call(path) { chmod($0, mode) } }

func symlink(_ destination: String, _ path: String) -> CInt {
  RawPath.call(destination, path) { symlink($0, $1) }
}

func link(_ path: String, _ other: String) -> CInt {
  RawPath.call(path, other) { link($0, $1) }
}

/// A path as the key of a set or dictionary: equal if all bytes are.
///
/// Equal strings may differ in the normalisation of their characters. On Linux, they are paths of two files.
package struct PathKey: Hashable, Comparable, Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  package static func == (a: PathKey, b: PathKey) -> Bool { a.path.utf8.elementsEqual(b.path.utf8) }

  /// In the order of the bytes.
  package static func < (a: PathKey, b: PathKey) -> Bool {
    a.path.utf8.lexicographicallyPrecedes(b.path.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var path = path
    path.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// Whether the path leads to something in a folder.
  /// - Parameter folder: a path in this form, without a slash at its end unless it is the root.
  package func isInside(_ folder: String) -> Bool {
    let start = folder == "/" ? 0 : folder.utf8.count
    guard path.utf8.count > start + 1 else { return false }
    // Most paths of a list end here.
    let slash = path.utf8.index(path.utf8.startIndex, offsetBy: start)
    return path.utf8[slash] == UInt8(ascii: "/") && path.utf8.starts(with: folder.utf8)
  }

  /// The part of the path below a folder, or nil if it is not inside.
  package func below(_ folder: String) -> String? {
    guard isInside(folder) else { return nil }
    return String(
      decoding: path.utf8.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1), as: UTF8.self)
  }
}

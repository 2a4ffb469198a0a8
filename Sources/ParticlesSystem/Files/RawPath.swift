internal import ParticlesPlatform
package import ParticlesCore

extension RawPath {
  package static func text(_ path: UnsafePointer<CChar>) -> String {
    text(Array(UnsafeRawBufferPointer(start: path, count: strlen(path))))
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

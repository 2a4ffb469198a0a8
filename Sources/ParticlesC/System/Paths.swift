internal import CParticlesInterface
internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesPackages
internal import ParticlesSystem
internal import ParticlesTypes

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

// The function of `particles.h` about types of files that reads the disk.

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

private func head(of path: String) throws -> [UInt8] {
  try ByteSource.file(path).bytes(at: 0, count: headSize)
}

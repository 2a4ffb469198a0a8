internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesFormats
internal import ParticlesTypes

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
    // A format is recognised by all contents, as far as they may be read.
    // Contents decide between an effect and another file in the same language; a file that is too long to be
    // an effect is known by its first bytes.
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

/// The format of effects that recognises a file; nil for others.
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

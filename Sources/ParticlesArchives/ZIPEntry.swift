internal import ParticlesContainer
internal import ParticlesCore

/// An entry as the central directory describes it.
struct ZIPEntry: Sendable {
  var name: [UInt8] = []
  /// The name in UTF-8, or bytes that are not valid UTF-8.
  var unicodeName: [UInt8] = []
  var path = ""
  var flags: UInt16 = 0
  var method: UInt16 = 0
  var checksum: UInt32 = 0
  var packedSize = 0
  var size = 0
  var host: UInt8 = 0
  var attributes: UInt32 = 0
  var commentLength = 0
  /// The offset of the local header.
  var header = 0
  /// The offset of the contents.
  var contents = 0

  /// Reads a header of the central directory.
  init(_ reader: inout ByteReader) throws {
    guard try reader.read(4).elementsEqual(ZIPSignature.central) else {
      throw reader.failure("a header of the central directory is missing")
    }
    _ = try reader.byte()
    host = try reader.byte()
    _ = try reader.u16()
    flags = try reader.u16()
    method = try reader.u16()
    _ = try reader.u32()
    checksum = try reader.u32()
    let (packed, unpacked) = (try reader.u32(), try reader.u32())
    let nameLength = Int(try reader.u16())
    let extraLength = Int(try reader.u16())
    commentLength = Int(try reader.u16())
    let disk = try reader.u16()
    _ = try reader.u16()
    attributes = try reader.u32()
    let position = try reader.u32()
    let location = reader.location
    name = Array(try reader.read(nameLength))
    let extra = Array(try reader.read(extraLength))
    var long = ZIPLongFields(extra)
    unicodeName = try ZIPName.decoded(name, flags: flags, extra: extra, at: location)
    _ = try reader.read(commentLength)
    guard disk == 0 || disk == .max else {
      throw Diagnostic(.zipUnsupported, at: location, "several disks")
    }
    size = try long.value(unpacked, at: location)
    packedSize = try long.value(packed, at: location)
    header = try long.value(position, at: location)
  }

  /// Returns the kind of the entry; the target of a symbolic link is left empty.
  /// - Throws: ``Rule/special`` if a package cannot hold it.
  func kind() throws -> Entry.Kind {
    let mode = ZIP.unixHosts.contains(host) ? attributes >> 16 : 0
    let endsInSlash = unicodeName.last == UInt8(ascii: "/")
    switch mode & 0o170000 {
    case 0 where endsInSlash, 0o040000: return .directory
    case 0, 0o100000:
      return endsInSlash ? .directory : .file(isExecutable: mode & 0o100 != 0)
    case 0o120000 where !endsInSlash: return .symbolicLink("")
    default: throw Diagnostic(.special, at: .entry(path), found: "mode \(String(mode, radix: 8))")
    }
  }
}

/// The 64-bit lengths in an extra field, in the order of the header fields that they replace.
struct ZIPLongFields {
  private var fields: [UInt8] = []
  private var position = 0

  init(_ extra: [UInt8]) { fields = ZIP.field(ZIP.longExtra, of: extra) ?? [] }

  /// Returns a 32-bit field, or the next 64-bit value if the field is 0xFFFFFFFF.
  mutating func value(_ short: UInt32, at location: Location) throws -> Int {
    guard short == .max, position + 8 <= fields.count else { return Int(short) }
    let value = fields[position..<position + 8].reversed().reduce(UInt64(0)) {
      $0 << 8 | UInt64($1)
    }
    position += 8
    guard let size = Int(exactly: value) else {
      throw Diagnostic(.zip, at: location, "a length is too large", found: "\(value)")
    }
    return size
  }
}

extension ByteReader {
  mutating func u16() throws -> UInt16 { UInt16(truncatingIfNeeded: try littleEndian(2)) }
}

internal import CParticlesZlib

/// zlib, which judges our own streams.
package enum ZlibReferee {
  /// The header and the trailer around a stream.
  package enum Wrapping: CInt, CaseIterable {
    case bare = -15
    case zlib = 15
    case gzip = 31
  }

  /// Returns what a stream unpacks to and how many of its bytes were read, or nil if it is damaged, cut, or unpacks to
  /// more than `limit` bytes.
  package static func inflate(
    _ bytes: [UInt8], as wrapping: Wrapping, limit: Int
  ) -> (bytes: [UInt8], read: Int)? {
    var stream = z_stream()
    guard particles_inflateInit2(&stream, wrapping.rawValue) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var (input, read) = (bytes, 0)
    var isSound = false
    // zlib sees the end of a stream only if there is room.
    let output = [UInt8](unsafeUninitializedCapacity: limit + 1) { output, count in
      input.withUnsafeMutableBufferPointer { input in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
        isSound = CParticlesZlib.inflate(&stream, Z_FINISH) == Z_STREAM_END
        (count, read) = (Int(stream.total_out), Int(stream.total_in))
      }
    }
    return isSound && output.count <= limit ? (output, read) : nil
  }

  /// Returns a stream that zlib writes.
  /// - Parameters:
  ///   - level: 0…9.
  ///   - strategy: of the matches, 0…4.
  package static func deflate(
    _ bytes: [UInt8], as wrapping: Wrapping, level: Int, strategy: Int = 0
  ) -> [UInt8]? {
    var stream = z_stream()
    guard
      particles_deflateInit2(&stream, CInt(level), wrapping.rawValue, CInt(strategy)) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    var input = bytes
    var isSound = false
    let room = Int(deflateBound(&stream, uLong(bytes.count)))
    let output = [UInt8](unsafeUninitializedCapacity: room) { output, count in
      input.withUnsafeMutableBufferPointer { input in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
        isSound = CParticlesZlib.deflate(&stream, Z_FINISH) == Z_STREAM_END
        count = Int(stream.total_out)
      }
    }
    return isSound ? output : nil
  }

  /// Returns the CRC-32 of bytes after others with the checksum `seed`.
  package static func crc32(_ bytes: [UInt8], seed: UInt32) -> UInt32 {
    bytes.isEmpty ? seed : UInt32(CParticlesZlib.crc32(uLong(seed), bytes, UInt32(bytes.count)))
  }
}

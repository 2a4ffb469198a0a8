internal import CParticlesDigest

#if FastLibraries
  internal import CParticlesMessageDigest

  /// Digests by libmd.
  enum MessageDigest {
    struct SHA256 {
      private var context = SHA2_CTX()

      init() { SHA256Init(&context) }

      mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard var start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        var count = bytes.count
        if count >= 2 * Self.block, cparticles_sha256_is_supported() {
          // The library computes the block that is begun, and the last ones; the processor all between them.
          let begun = Int(context.bitcount.0 / 8) % Self.block
          let first = begun == 0 ? 0 : Self.block - begun
          SHA256Update(&context, start, first)
          let blocks = (count - first) / Self.block
          withUnsafeMutableBytes(of: &context.state) { state in
            guard let words = state.baseAddress?.assumingMemoryBound(to: UInt32.self) else {
              return
            }
            cparticles_sha256_add(words, start + first, blocks)
          }
          context.bitcount.0 &+= UInt64(blocks * Self.block) * 8
          let done = first + blocks * Self.block
          (start, count) = (start + done, count - done)
        }
        SHA256Update(&context, start, count)
      }

      private static let block = 64

      mutating func finish(into output: UnsafeMutableBufferPointer<UInt8>) {
        SHA256Final(output.baseAddress, &context)
      }
    }

    struct MD5 {
      private var context = MD5_CTX()

      init() { MD5Init(&context) }

      mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        MD5Update(&context, start.assumingMemoryBound(to: UInt8.self), bytes.count)
      }

      mutating func finish(into output: UnsafeMutableBufferPointer<UInt8>) {
        MD5Final(output.baseAddress, &context)
      }
    }
  }
#elseif canImport(CommonCrypto)
  internal import CommonCrypto

  /// SHA-256 by the system; its MD5 is deprecated.
  enum MessageDigest {
    typealias MD5 = PlainMD5

    struct SHA256 {
      private var context = CC_SHA256_CTX()

      init() { CC_SHA256_Init(&context) }

      mutating func update(_ bytes: UnsafeRawBufferPointer) {
        // The system counts in 32 bits.
        var rest = bytes[...]
        while !rest.isEmpty {
          let piece = rest.prefix(1 << 30)
          CC_SHA256_Update(
            &context, UnsafeRawBufferPointer(rebasing: piece).baseAddress, CC_LONG(piece.count))
          rest = rest.dropFirst(piece.count)
        }
      }

      mutating func finish(into output: UnsafeMutableBufferPointer<UInt8>) {
        CC_SHA256_Final(output.baseAddress, &context)
      }
    }
  }
#else
  /// Digests without a library.
  enum MessageDigest {
    typealias SHA256 = PlainSHA256
    typealias MD5 = PlainMD5
  }
#endif

/// The 64 constants of SHA-256.
var sha256Constants: UnsafePointer<UInt32> { cparticles_sha256_table() }

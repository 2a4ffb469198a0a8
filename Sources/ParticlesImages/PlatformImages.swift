// Pictures that C libraries read and write natively, and that a page decodes by itself.

package import ParticlesCore

#if hasFeature(Embedded)

  enum PictureLibraries {
    static func encodePNG(_ bitmap: Bitmap) -> [UInt8] { PNG.encode(bitmap, level: 6) }

    static func decodeJPEG(_ bytes: [UInt8], limits: Limits) throws(Failure) -> Bitmap {
      throw UnreadFile.absent("JPEG")
    }

    static func decodeWebP(_ bytes: [UInt8], limits: Limits) throws(Failure) -> Bitmap {
      throw UnreadFile.absent("WebP")
    }

    static func encodeWebP(_ bitmap: Bitmap, quality: Double?) throws(Failure) -> [UInt8] {
      throw WebPFile.absent
    }

    final class WebPAnimation {
      init(width: Int, height: Int, plays: Int, _ quality: Double?) throws(Failure) {
        throw WebPFile.absent
      }

      func append(_ bitmap: Bitmap, time: Int) throws(Failure) { throw WebPFile.absent }

      func finish(time: Int) throws(Failure) -> [UInt8] { throw WebPFile.absent }
    }
  }

  /// A page converts one document at a time, so that nothing is shared.
  package enum SharedImages {
    package static func result<Value, E: Error>(
      _ work: SharedWork, of input: [UInt8], limits: Limits, size: (Value) -> Int,
      make: () throws(E) -> Value
    ) throws(E) -> Value {
      try make()
    }
  }

#else

  internal import ParticlesSystem

  enum PictureLibraries {
    static func encodePNG(_ bitmap: Bitmap) throws -> [UInt8] {
      try PNGLibrary.encode(PixelRows(bitmap))
    }

    static func decodeJPEG(_ bytes: [UInt8], limits: Limits) throws -> Bitmap {
      Bitmap(try JPEGLibrary.decode(bytes, limits: limits))
    }

    static func decodeWebP(_ bytes: [UInt8], limits: Limits) throws -> Bitmap {
      Bitmap(try WebPLibrary.decode(bytes, limits: limits))
    }

    static func encodeWebP(_ bitmap: Bitmap, quality: Double?) throws -> [UInt8] {
      try WebPLibrary.still(PixelRows(bitmap), quality)
    }

    final class WebPAnimation {
      private let file: WebPLibrary.Animation

      init(width: Int, height: Int, plays: Int, _ quality: Double?) throws {
        file = try WebPLibrary.Animation(width: width, height: height, plays: plays, quality)
      }

      func append(_ bitmap: Bitmap, time: Int) throws {
        try file.append(PixelRows(bitmap), time: time)
      }

      func finish(time: Int) throws -> [UInt8] { try file.finish(time: time) }
    }
  }

  extension PixelRows {
    fileprivate init(_ bitmap: Bitmap) {
      self.init(width: bitmap.width, height: bitmap.height, pixels: bitmap.pixels)
    }
  }

  extension Bitmap {
    fileprivate init(_ rows: PixelRows) {
      self.init(width: rows.width, height: rows.height, pixels: rows.pixels)
    }
  }

  /// Image work that the documents of a batch share: decoded and compressed images. Many effects show a few common
  /// images, and an exported effect is read again at once.
  package final class SharedImages: Sendable {
    private struct Key: Hashable {
      var work: SharedWork
      var input: HashedBytes
      var limits: Limits
    }

    private struct Results {
      var values: [Key: any Sendable] = [:]
      var bytes = 0
    }

    @TaskLocal private static var current: SharedImages?

    private let maxBytes: Int
    private let results = Lock(Results())

    /// Creates an empty cache.
    /// - Parameter maxBytes: the bytes of inputs and results after which the cache is emptied. The
    ///   default is 64 MiB.
    package init(maxBytes: Int = 64 << 20) { self.maxBytes = maxBytes }

    /// Runs `body` with this cache.
    package func share<Result>(_ body: () throws -> Result) rethrows -> Result {
      try Self.$current.withValue(self, operation: body)
    }

    /// Returns a stored result, or makes and stores it. Outside of a batch nothing is stored. Errors
    /// are not stored.
    /// - Parameter size: the number of bytes of a result.
    package static func result<Value: Sendable>(
      _ work: SharedWork, of input: [UInt8], limits: Limits, size: (Value) -> Int,
      make: () throws -> Value
    ) rethrows -> Value {
      guard let current else { return try make() }
      let key = Key(work: work, input: HashedBytes(input), limits: limits)
      if let known = current.results.withLock({ $0.values[key] }) as? Value { return known }
      let value = try make()
      let bytes = input.count + size(value)
      current.results.withLock { results in
        if results.bytes + bytes > current.maxBytes { results = Results() }
        guard bytes <= current.maxBytes, results.values.updateValue(value, forKey: key) == nil
        else {
          return
        }
        results.bytes += bytes
      }
      return value
    }
  }

#endif

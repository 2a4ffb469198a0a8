/// Limits on the resources that a reader uses for untrusted input.
///
/// Every limit is checked before memory is allocated, and the error that reports it names the limit.
/// The defaults suit documents that a user opens. A server should lower them.
public struct Limits: Sendable, Hashable {
  /// Entries of a package (default 100,000).
  public var entries = 100_000

  /// Components of a path in a package (default 64).
  public var depth = 64

  /// Bytes of one entry when unpacked (default 4 GiB).
  public var entryBytes = Int(clamping: 4 << 30 as Int64)

  /// Bytes of all entries together when unpacked (default 64 GiB).
  public var totalBytes = Int(clamping: 64 << 30 as Int64)

  /// Unpacked bytes for each byte of a package or archive (default 1,100, a little more than deflate
  /// reaches). An entry counts as 256 bytes, and the first MiB does not count.
  public var amplification = 1_100

  /// Bytes of each part of the index of a package when unpacked: its pages, the complete paths on
  /// them, and its block tables (default 64 MiB each).
  public var indexBytes = 64 << 20

  /// Bytes of a file that is read into memory as a whole, such as a property list, a compressed archive or
  /// an image (default 64 MiB).
  public var fileBytes = 64 << 20

  /// Bytes of a file that is read as text, if ``fileBytes`` allows as many: JSON, XML and the text formats of
  /// engines (default 16 MiB).
  public var textBytes = 16 << 20

  /// Bytes of one text in a file: a name, path, colour or other value of a text file or a property list
  /// (default 64 KiB). Keys, numbers and words without quotes have at most 4,096. Data that are written as
  /// text, in base64 or as an address `data:…`, are bounded by the file only.
  public var scalarBytes = 64 << 10

  /// Objects of a keyed archive or property list, or values of a text file (default 1,000,000).
  public var objects = 1_000_000

  /// Steps of work that one operation may take to read, check or convert a document, or to draw its
  /// thumbnail (default 1,500,000). A step takes about a microsecond. Reading an emitter takes 50 to 300
  /// steps. Writing it takes 150, 12 for each value that it states, and 2 for each number of its curves,
  /// gradients and points.
  public var work = 1_500_000

  /// Estimated bytes that one operation may hold to read, check or convert a document, without images
  /// (default 128 MiB).
  public var memory = 128 << 20

  /// Types that one file declares, claims or conforms to (default 10,000).
  public var types = 10_000

  /// Levels of nesting in a keyed archive or in JSON (default 128).
  public var nesting = 128

  /// Keyed archives inside keyed archives (default 8).
  public var archives = 8

  /// Emitters of an effect (default 10,000). Each emitter is decoded, simulated and drawn.
  public var emitters = 10_000

  /// Living particles of one emitter (default 1,000,000). A simulation emits no more, and warns.
  public var particles = 1_000_000

  /// Pixels of an image that is read, and of all images of an effect that are decoded for a picture, if
  /// ``pixels`` allows as many (default 40 million). Each takes 4 bytes of memory.
  public var imagePixels = 40_000_000

  /// Pixels of a picture that is written, each of its samples counted (default 64 million).
  public var pixels = 64_000_000

  /// Frames of an animation that is written (default 36,000: ten minutes at 60 frames per second).
  public var frames = 36_000

  /// Samples that the particles of one picture paint together, at any size (default 4 billion, which
  /// takes half a minute). If particles cover more, some are left out.
  public var paint = Int(clamping: 4_000_000_000 as Int64)

  /// Samples that the particles of a picture, or of all pictures of an animation, paint together (default
  /// 1.5 billion, which takes a processor core 1 to 11 seconds, by textures and blending). Each picture may
  /// use an equal part, and at least 64 times its own samples. If particles cover more, some are left out.
  public var animationPaint = 1_500_000_000

  /// Samples that the particles of one frame of an animation paint together (default 250 million, which
  /// takes a processor core 0.2 to 2 seconds), but at least 64 times its own samples.
  public var framePaint = 250_000_000

  /// Particle steps that are simulated for a picture, an animation or statistics (default 400 million,
  /// which takes a few seconds of a processor core). An emitted particle counts 16, and 1 for each step
  /// that it may live. An event of a trigger counts 128. Beyond the limit, no particles are emitted.
  public var particleSteps = 400_000_000

  /// Particle steps that are taken for one frame of an animation (default 20 million, which takes a fifth of
  /// a second). An emitted particle counts 16, a living particle 1, and an event 128.
  public var frameSteps = 20_000_000

  /// Steps of work that a frame of an animation may take beside its particle steps and painted samples
  /// (default 20,000, of about a microsecond each). Each emitter, and each fifty sprites, take a step. A
  /// frame of a run of statistics may take a 64th.
  public var frameWork = 20_000

  /// Seconds that an animation lasts because its document asks for it in `preview.duration` (default 10).
  /// Callers may ask for a longer one.
  public var previewSeconds = 10

  /// Seconds that an effect runs before its first picture because its document asks for it in
  /// `preview.warmup` (default 600). Callers may ask for a later picture.
  public var warmupSeconds = 600

  /// Creates the default limits.
  public init() {}

  /// The default limits.
  public static let standard = Limits()

  /// Limits for files of strangers, as servers receive them. Packages hold 1,000 entries and 64 MiB, files
  /// 4 MiB, effects 100 emitters, and pictures have 4 million pixels.
  public static let untrusted: Limits = {
    var limits = Limits()
    limits.entries = 1_000
    limits.depth = 16
    limits.entryBytes = 64 << 20
    limits.totalBytes = 64 << 20
    limits.indexBytes = 4 << 20
    limits.fileBytes = 4 << 20
    limits.textBytes = 2 << 20
    limits.scalarBytes = 16 << 10
    limits.objects = 250_000
    limits.work = 200_000
    limits.memory = 32 << 20
    limits.types = 1_000
    limits.nesting = 64
    limits.archives = 2
    limits.emitters = 100
    limits.particles = 20_000
    limits.imagePixels = 4 << 20
    limits.pixels = 4 << 20
    limits.frames = 600
    limits.paint = 250_000_000
    limits.animationPaint = 100_000_000
    limits.framePaint = 25_000_000
    limits.particleSteps = 25_000_000
    limits.frameSteps = 2_000_000
    limits.frameWork = 2_000
    limits.warmupSeconds = 60
    return limits
  }()

  /// These limits with more work and memory for pictures, animations and statistics.
  /// - Parameter factor: at least 1.
  package func times(_ factor: Int) -> Limits {
    var limits = self
    func raise(_ limit: inout Int) {
      let (product, isTooMuch) = limit.multipliedReportingOverflow(by: max(1, factor))
      limit = isTooMuch ? .max : product
    }
    raise(&limits.work)
    raise(&limits.memory)
    raise(&limits.particles)
    raise(&limits.imagePixels)
    raise(&limits.pixels)
    raise(&limits.frames)
    raise(&limits.paint)
    raise(&limits.animationPaint)
    raise(&limits.framePaint)
    raise(&limits.particleSteps)
    raise(&limits.frameSteps)
    raise(&limits.frameWork)
    return limits
  }

  /// No limits on packages, for packages that this process wrote.
  package static let none: Limits = {
    var limits = Limits()
    limits.entries = .max
    limits.depth = 4096
    limits.entryBytes = .max
    limits.totalBytes = .max
    limits.indexBytes = .max
    limits.amplification = .max
    return limits
  }()
}

extension Limits {
  /// Throws ``Rule/limit`` if `value` is more than `limit`.
  ///
  /// Inlined, so that nothing is called unless the limit is exceeded.
  @inlinable @inline(__always)
  package func check(
    _ value: Int, _ limit: (Limits) -> Int, _ what: String,
    at location: @autoclosure () -> Diagnostic.Location = .unknown
  ) throws(Diagnostic) {
    let limit = limit(self)
    if value > limit { throw Self.excess(value, over: limit, what, location()) }
  }

  /// Throws ``Rule/limit`` if an image that is read has more pixels than ``imagePixels`` or ``pixels``.
  package func checkImage(_ pixels: Int) throws(Diagnostic) {
    try check(pixels, { min($0.pixels, $0.imagePixels) }, "pixels of an image")
  }

  /// Throws ``Rule/limit`` if an image that is read has more pixels than ``imagePixels`` or ``pixels``.
  package func checkImage(width: Int, height: Int) throws(Diagnostic) {
    let (pixels, isBeyond) = width.multipliedReportingOverflow(by: height)
    try checkImage(isBeyond ? .max : pixels)
  }

  /// Throws ``Rule/limit`` if an effect has more than ``emitters``.
  package func checkEmitters(
    _ count: Int, at location: @autoclosure () -> Diagnostic.Location = .unknown
  ) throws(Diagnostic) {
    try check(count, { $0.emitters }, "emitters of an effect", at: location())
  }

  /// Throws ``Rule/limit`` if a file that is read as text is longer than ``textBytes`` or ``fileBytes``.
  package func checkText(_ count: Int, _ what: String) throws(Diagnostic) {
    try check(count, { min($0.fileBytes, $0.textBytes) }, what)
  }

  /// The most bytes of a key, a number, or a word without quotes.
  package static let wordBytes = 4096

  /// Throws ``Rule/limit`` if the bytes of a text, as they are in a file, are more than ``scalarBytes``,
  /// unless they are data.
  @inlinable @inline(__always)
  package func checkScalar(
    _ text: some Collection<UInt8>, at location: @autoclosure () -> Diagnostic.Location = .unknown
  ) throws(Diagnostic) {
    let count = text.count
    if count > scalarBytes, !Self.isData(text) {
      throw Self.excess(count, over: scalarBytes, "bytes of a text in a file", location())
    }
  }

  /// Throws ``Rule/limit`` if a key, a number or a word without quotes is longer than ``wordBytes``.
  package func checkWord(
    _ count: Int, at location: @autoclosure () -> Diagnostic.Location = .unknown
  ) throws(Diagnostic) {
    if count > Self.wordBytes {
      throw Self.excess(
        count, over: Self.wordBytes, "bytes of a key, a number or a word", location())
    }
  }

  /// Whether a long text holds data: an address `data:…`, or an image or compressed bytes in base64.
  @inline(never) @usableFromInline
  static func isData(_ text: some Collection<UInt8>) -> Bool {
    let start = text.drop { $0 <= 0x20 }
    if start.starts(with: "data:".utf8) { return true }
    return dataBeginnings.contains { start.starts(with: $0.utf8) }
      && text.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F, 0x3D: true
        case 0x20, 0x09, 0x0A, 0x0D: true
        default: false
        }
      }
  }

  /// In base64: PNG, JPEG, TIFF in both orders, GIF, WebP, BMP, gzip, and zlib of any level.
  private static let dataBeginnings = [
    "iVBORw", "/9j/", "SUkq", "TU0A", "R0lG", "UklG", "Qk", "H4sI", "eA", "eJ", "eF", "eN",
  ]

  /// The bytes that are allowed for any input, however small.
  package static let freeBytes = 1 << 20
  /// The bytes that an entry counts for besides its contents, roughly its size in the memory of a reader.
  package static let bytesPerEntry = 256

  /// Throws ``Rule/limit`` if input unpacks to more than ``amplification`` allows: more than
  /// ``freeBytes`` and `amplification` times its size.
  /// - Parameters:
  ///   - bytes: the unpacked bytes.
  ///   - entries: the number of entries, each of which counts as ``bytesPerEntry``.
  ///   - size: the size of the input in bytes.
  ///   - input: a name for the input, for the message.
  package func checkAmplification(
    bytes: Int = 0, entries: Int = 0, from size: Int, of input: String,
    at location: @autoclosure () -> Diagnostic.Location = .unknown
  ) throws(Diagnostic) {
    let cost = Self.sum(bytes, entries, times: Self.bytesPerEntry)
    let limit = Self.sum(Self.freeBytes, size, times: amplification)
    if cost > limit {
      throw Self.excess(
        cost, over: limit, "unpacked bytes of \(input) of \(size) bytes (amplification)",
        location())
    }
  }

  /// Returns `first + count * factor`, or the greatest number if that is too large.
  private static func sum(_ first: Int, _ count: Int, times factor: Int) -> Int {
    let (product, isTooLarge) = count.multipliedReportingOverflow(by: factor)
    let (sum, isTooMuch) = first.addingReportingOverflow(product)
    return isTooLarge || isTooMuch ? .max : sum
  }

  @inline(never) @usableFromInline
  static func excess(
    _ value: Int, over limit: Int, _ what: String, _ location: Diagnostic.Location
  ) -> Diagnostic {
    Diagnostic(.limit, at: location, what, expected: "at most \(limit)", found: "\(value)")
  }
}

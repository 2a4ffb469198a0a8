/// A tree of files to measure with.
enum Shape: String, CaseIterable {
  /// 1 JSON of 4 KB and 1 PNG of 2 KB: shows the cost of starting a process.
  case tiny
  /// 3 JSON of 50 KB, 20 PNG of 100 KB, a thumbnail: a typical effect.
  case typical
  /// 10,000 JSON of 1…8 KB in 100 folders: shows the cost of names, small contents, system calls.
  case many
  /// 512 MiB that deflate to a quarter: a particle cache, key frames, an atlas, and a mix of them.
  case big

  /// The file that is read, extracted and changed: a small one, in the middle of the tree if there
  /// are many.
  var entry: String {
    switch self {
    case .tiny, .typical: "particles.json"
    case .many: "layers/50/item-05000.json"
    case .big: "document.json"
    }
  }

  /// The number of counted rounds: many for short runs, which are noisy; few for long ones.
  func rounds(quick: Bool) -> Int {
    switch self {
    case .tiny: quick ? 11 : 21
    case .typical: quick ? 5 : 11
    case .many: quick ? 3 : 7
    case .big: quick ? 1 : 3
    }
  }

  /// Bytes of scratch space for the files, the packages made from them and one unpacked copy.
  var room: Int {
    switch self {
    case .tiny: 1 << 20
    case .typical: 64 << 20
    case .many: 512 << 20
    case .big: 3 << 30
    }
  }

  /// Calls `body` with every file, parents of their folders first.
  func forEachFile(_ body: (GeneratedFile) throws -> Void) rethrows {
    var random = RandomSource(seed: 1)
    switch self {
    case .tiny:
      try body(GeneratedFile("particles.json", JSONText.make(4096, &random)))
      try body(GeneratedFile("spark.png", NoisePNG.make(2048, &random)))
    case .typical:
      for name in ["particles", "scene", "materials"] {
        try body(GeneratedFile("\(name).json", JSONText.make(50 << 10, &random)))
      }
      for index in 0..<20 {
        let name = "textures/texture-\(padded(index, 2)).png"
        try body(GeneratedFile(name, NoisePNG.make(100 << 10, &random)))
      }
      try body(GeneratedFile("QuickLook/thumbnail.png", NoisePNG.make(12 << 10, &random)))
    case .many:
      for index in 0..<10_000 {
        let name = "layers/\(padded(index / 100, 2))/item-\(padded(index, 5)).json"
        try body(GeneratedFile(name, JSONText.make(1024 + random.below(7169), &random)))
      }
    case .big:
      let size = 128 << 20
      try body(GeneratedFile("cache/frames.f32", size, FloatCache(seed: 2)))
      try body(GeneratedFile("scene/keyframes.json", size, KeyFrames(seed: 3)))
      try body(GeneratedFile("textures/atlas.bmp", size, Atlas(seed: 4, size: size)))
      try body(GeneratedFile("cache/mixed.bin", size, Mix(seed: 5, size: size)))
      try body(GeneratedFile("document.json", JSONText.make(4096, &random)))
    }
  }

  /// The contents of the changed file after change number `count`: about 4 KB, different each time
  /// in contents and length, as after an edit.
  static func change(_ count: Int) -> [UInt8] {
    var random = RandomSource(seed: UInt64(1000 + count))
    return JSONText.make(4000 + count * 37 % 97, &random)
  }

  private func padded(_ number: Int, _ width: Int) -> String {
    var bytes: [UInt8] = []
    Decimal.append(number, to: &bytes, width: width)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A file of a shape, made piece by piece so that even large ones take little memory.
struct GeneratedFile {
  let path: String
  let size: Int
  private var pieces: any PieceSource

  init(_ path: String, _ size: Int, _ pieces: any PieceSource) {
    self.path = path
    self.size = size
    self.pieces = pieces
  }

  init(_ path: String, _ bytes: [UInt8]) { self.init(path, bytes.count, OnePiece(bytes: bytes)) }

  /// Calls `body` with the contents in order.
  func forEachPiece(_ body: (ArraySlice<UInt8>) throws -> Void) rethrows {
    var pieces = pieces
    var rest = size
    while rest > 0 {
      let piece = pieces.next().prefix(rest)
      try body(piece)
      rest -= piece.count
    }
  }
}

/// An endless source of contents; the reader decides how much to take.
protocol PieceSource {
  /// The next piece, about 1 MiB, never empty.
  mutating func next() -> [UInt8]
}

private struct OnePiece: PieceSource {
  let bytes: [UInt8]
  mutating func next() -> [UInt8] { bytes }
}

internal import ParticlesCore
internal import ParticlesSystem

/// Decodes TIFF files with libtiff's tool `tiff2rgba`.
package enum LibTIFF {
  package static let isInstalled = Run.find("tiff2rgba") != nil

  /// The pixels of a TIFF file: red, green, blue and alpha, colours multiplied by alpha.
  package static func pixels(of file: [UInt8]) throws -> [UInt8] {
    let scratch = try Scratch()
    try Files.create(scratch.file("in.tif"), file)
    let tool = Run.find("tiff2rgba") ?? "tiff2rgba"
    let run = try Run(
      tool, ["-c", "none", "-r", "100000", scratch.file("in.tif"), scratch.file("out.tif")])
    guard run.status == 0 else { throw Diagnostic(.image, run.errors) }
    return try strip(of: Files.read(scratch.file("out.tif")))
  }

  /// The only strip of a file, found by its tags 273 and 279.
  private static func strip(of file: [UInt8]) throws -> [UInt8] {
    var reader = ByteReader(file, rule: .image)
    try reader.seek(to: 4)
    try reader.seek(to: Int(reader.littleEndian(4)))
    var (offset, count) = (0, 0)
    for _ in 0..<(try reader.littleEndian(2)) {
      let tag = try reader.littleEndian(2)
      _ = try reader.littleEndian(6)
      let value = Int(try reader.littleEndian(4))
      if tag == 273 { offset = value }
      if tag == 279 { count = value }
    }
    try reader.seek(to: offset)
    return Array(try reader.read(count))
  }

  /// Straight pixels with colours multiplied by alpha, rounded as libtiff does.
  package static func multiplied(_ pixels: [UInt8]) -> [UInt8] {
    var pixels = pixels
    for index in stride(from: 0, to: pixels.count, by: 4) {
      let alpha = Int(pixels[index + 3])
      for place in index..<index + 3 {
        pixels[place] = UInt8((Int(pixels[place]) * alpha + 127) / 255)
      }
    }
    return pixels
  }
}

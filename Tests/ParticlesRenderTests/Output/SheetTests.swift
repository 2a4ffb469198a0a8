import ParticlesCore
import ParticlesImages
import ParticlesTestSupport
import Testing

@testable import ParticlesRender

@Suite("Sheets and sequences")
struct SheetTests {
  private let frames = SampleFrames.noise(width: 6, height: 4, count: 7, seed: 11)

  private func sheet(columns: Int? = nil, padding: Int = 0) throws -> SpriteSheet {
    var sheet = try SpriteSheet(
      FrameTiming(count: 7, rate: 30), width: 6, height: 4, columns: columns, padding: padding)
    for frame in frames { try sheet.append(frame) }
    return sheet
  }

  private func rectangle(_ value: JSONValue?) -> [Int]? {
    guard let object = value?.object else { return nil }
    return ["x", "y", "w", "h"].compactMap { object[$0]?.int }
  }

  @Test("each frame is where the atlas states", arguments: [nil, 1, 3, 7], [0, 2])
  func places(columns: Int?, padding: Int) throws {
    let sheet = try sheet(columns: columns, padding: padding)
    if let columns { #expect(sheet.columns == columns) }
    let atlas = sheet.atlas(.array, image: "out/fire.png").object
    let list = atlas?["frames"]?.array ?? []
    #expect(list.count == 7)
    for (item, frame) in zip(list, frames) {
      let place = try #require(rectangle(item.object?["frame"]))
      #expect(place[2...] == [6, 4])
      for y in 0..<4 {
        let start = ((place[1] + y) * sheet.bitmap.width + place[0]) * 4
        #expect(sheet.bitmap.pixels[start..<start + 24] == frame.pixels[y * 24..<y * 24 + 24])
      }
    }
    let size = atlas?["meta"]?.object?["size"]?.object
    #expect(size?["w"]?.int == sheet.bitmap.width && size?["h"]?.int == sheet.bitmap.height)
  }

  @Test("the atlas has the members of TexturePacker's forms")
  func members() throws {
    let sheet = try sheet(columns: 3, padding: 1)
    let hash = try #require(sheet.atlas(.hash, image: "fire.png", version: "0.2.0").object)
    let frames = try #require(hash["frames"]?.object)
    #expect(frames.members.map(\.key) == (0..<7).map { "fire-\($0).png" })
    let frame = try #require(frames["fire-4.png"]?.object)
    #expect(
      frame.members.map(\.key) == [
        "frame", "rotated", "trimmed", "spriteSourceSize", "sourceSize", "duration",
      ])
    #expect(rectangle(frame["frame"]) == [7, 5, 6, 4])
    #expect(rectangle(frame["spriteSourceSize"]) == [0, 0, 6, 4])
    #expect(frame["rotated"]?.bool == false && frame["trimmed"]?.bool == false)
    // 7 frames take 233 ms.
    let durations = frames.members.compactMap { $0.value.object?["duration"]?.int }
    #expect(durations == [33, 34, 33, 33, 34, 33, 33])
    let meta = try #require(hash["meta"]?.object)
    #expect(
      meta.members.map(\.key) == ["app", "version", "image", "format", "size", "scale"])
    #expect(meta["image"]?.string == "fire.png" && meta["scale"]?.string == "1")
    #expect(hash["animations"]?.object?["fire"]?.array?.count == 7)
    let array = sheet.atlas(.array, image: "fire.png").object?["frames"]?.array
    #expect(array?.first?.object?.members.first?.key == "filename")
    #expect(array?.last?.object?["filename"]?.string == "fire-6.png")
  }

  @Test("Python reads the atlas", .enabled(if: Run.find("python3") != nil, "no python3 here"))
  func python() throws {
    let script = """
      import json, sys
      atlas = json.load(sys.stdin)
      print(sum(frame["duration"] for frame in atlas["frames"].values()),
            max(frame["frame"]["x"] + frame["frame"]["w"] for frame in atlas["frames"].values()))
      """
    let python = try #require(Run.find("python3"))
    let atlas = try sheet(columns: 3).atlas(image: "a.png")
    let run = try Run(python, ["-c", script], input: Array(atlas.text.utf8))
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.text == "233 18\n")
  }

  @Test("a sheet is about square")
  func square() throws {
    let sheet = try SpriteSheet(FrameTiming(count: 60, rate: 60), width: 64, height: 64)
    #expect(sheet.columns == 8 && sheet.bitmap.height == 512)
    let wide = try SpriteSheet(FrameTiming(count: 12, rate: 60), width: 400, height: 100)
    #expect(wide.bitmap.width == 800 && wide.bitmap.height == 600)
  }

  @Test("sheets that are too large or that do not fit are errors")
  func errors() throws {
    let timing = FrameTiming(count: 10, rate: 30)
    for columns in [0, 11, -1] {
      expectThrows(.imageOutput) {
        try SpriteSheet(timing, width: 8, height: 8, columns: columns)
      }
    }
    for padding in [-1, 65] {
      expectThrows(.imageOutput) {
        try SpriteSheet(timing, width: 8, height: 8, padding: padding)
      }
    }
    expectThrows(.limit) { try SpriteSheet(timing, width: 4096, height: 4096) }
    expectThrows(.limit) {
      try SpriteSheet(FrameTiming(count: 65_536, rate: 1), width: 1, height: 1)
    }
    expectThrows(.imageOutput) { try SpriteSheet(timing, width: 0, height: 8) }
    var sheet = try sheet()
    expectThrows(.imageOutput) { try sheet.append(Bitmap(width: 5, height: 4)) }
    expectThrows(.imageOutput) { try sheet.append(Bitmap(width: 6, height: 4)) }
    for (count, width, columns) in [(0, 64, nil), (3, 8, nil), (3, 64, 4), (3, 5000, 1)]
      as [(Int, Int, Int?)]
    {
      expectThrows(.imageOutput) {
        try ContactSheet(count: count, width: width, height: 64, columns: columns)
      }
    }
    expectThrows(.limit) { try ContactSheet(count: 30_000, width: 256, height: 256) }
  }

  @Test("a sequence: names with zeros, and every pixel")
  func sequence() throws {
    #expect(FrameNames(stem: "a", count: 10)[9] == "a-9.png")
    #expect(FrameNames(stem: "a", count: 11)[9] == "a-09.png")
    #expect(FrameNames(stem: "a", count: 1001)[7] == "a-0007.png")
    var files: [(String, [UInt8])] = []
    let names = FrameNames(stem: "fire", count: 7)
    let sequence = try PictureSequence(names, width: 6, height: 4) { files.append(($0, $1)) }
    for frame in frames { try sequence.append(frame) }
    try sequence.finish()
    #expect(files.map(\.0) == (0..<7).map { names[$0] })
    for (file, frame) in zip(files, frames) {
      #expect(try PNG.decode(file.1) == frame)
      if Pillow.python != nil {
        #expect(try Pillow(file.1, fileExtension: "png").frames == [frame.pixels])
      }
    }
    let short = try PictureSequence(names, width: 6, height: 4) { _, _ in }
    expectThrows(.imageOutput) { try short.finish() }
    expectThrows(.imageOutput) { try short.append(Bitmap(width: 4, height: 6)) }
  }

  @Test("a contact sheet shows each picture in its cell, made smaller if needed, above its label")
  func contact() throws {
    var sheet = try ContactSheet(
      count: 3, width: 64, height: 48, columns: 2, background: (0, 0, 60))
    let red = Bitmap(width: 640, height: 480) { _, _ in (1, 0, 0, 1) }
    let clear = Bitmap(width: 10, height: 10)
    let green = Bitmap(width: 20, height: 10) { _, _ in (0, 1, 0, 1) }
    for (picture, label) in [
      (red, "fire"), (clear, "a label that is much too long.particles"), (green, ""),
    ] { try sheet.append(picture, label: label) }
    expectThrows(.imageOutput) { try sheet.append(green, label: "") }
    let bitmap = sheet.bitmap
    #expect(bitmap.width == 2 * 72 + 8 && bitmap.height == 2 * (48 + 12 + 8) + 8)
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
      Array(bitmap.pixels[(y * bitmap.width + x) * 4..<(y * bitmap.width + x) * 4 + 4])
    }
    let back: [UInt8] = [0, 0, 60, 255]
    #expect(pixel(7, 8) == back && pixel(8, 8) == [255, 0, 0, 255])
    #expect(pixel(71, 55) == [255, 0, 0, 255] && pixel(72, 55) == back)
    #expect(pixel(80, 8) == back)
    #expect(pixel(30, 97) == [0, 255, 0, 255] && pixel(29, 97) == back)
    func inked(_ x: Range<Int>, _ y: Range<Int>) -> Int {
      y.reduce(0) { count, y in count + x.count { pixel($0, y) == [225, 225, 225, 255] } }
    }
    #expect(inked(8..<72, 56..<68) > 20)
    #expect(inked(80..<144, 56..<68) > 60)
    #expect(inked(0..<8, 0..<bitmap.height) == 0 && inked(72..<80, 0..<bitmap.height) == 0)
    #expect(inked(8..<72, 124..<140) == 0)
  }
}

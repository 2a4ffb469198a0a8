internal import ParticlesCore
internal import ParticlesSystem

/// An independent decoder of animations: the package `pillow` from PyPI. `make test` installs it. Without it, tests
/// that need it report a skip.
package struct Pillow {
  /// The reason for a skip.
  package static let absence = "no Python with pillow here; 'make test' installs it"

  /// A Python with the package: in `.build/python`, or the system's.
  package static let python: String? = {
    let candidates = [Repository.path(".build/python/bin/python3"), Run.find("python3")]
    return candidates.compactMap(\.self).first { python in
      (try? Run(python, ["-c", "import PIL.Image, PIL._webp"]))?.status == 0
    }
  }()

  /// The format, the size of the whole picture, and the number of plays in the file, or nil.
  package let format: String
  package let width: Int
  package let height: Int
  package let loop: Int?
  /// Milliseconds of each frame. Empty for a still picture.
  package let durations: [Double]
  /// The whole picture at each frame: red, green, blue, alpha.
  package let frames: [[UInt8]]

  private static let script = """
    import json, sys
    from PIL import Image
    image = Image.open(sys.argv[1])
    count, durations, pixels = getattr(image, "n_frames", 1), [], open(sys.argv[2], "wb")
    loop = image.info.get("loop")
    for number in range(count):
        image.seek(number)
        image.load()
        if "duration" in image.info:
            durations.append(image.info["duration"])
        pixels.write(image.convert("RGBA").tobytes())
    print(json.dumps({"format": image.format, "size": image.size, "loop": loop,
                      "count": count, "durations": durations}))
    """

  /// Decodes a file.
  package init(_ file: [UInt8], fileExtension: String) throws {
    let scratch = try Scratch()
    let (input, output) = (scratch.file("in.\(fileExtension)"), scratch.file("out"))
    try Files.create(input, file)
    let run = try Run.succeeding(Self.python ?? "python3", ["-c", Self.script, input, output])
    let facts = try JSONValue(parsing: run.output).object ?? [:]
    let size = facts["size"]?.array?.compactMap(\.int) ?? []
    let count = facts["count"]?.int ?? 0
    format = facts["format"]?.string ?? ""
    (width, height) = (size.first ?? 0, size.last ?? 0)
    loop = facts["loop"]?.int
    durations = facts["durations"]?.array?.compactMap(\.double) ?? []
    let pixels = try Files.read(output)
    let length = width * height * 4
    guard length > 0, pixels.count == count * length else {
      throw Run.Failure(description: "Pillow wrote \(pixels.count) bytes for \(count) frames")
    }
    frames = (0..<count).map { Array(pixels[$0 * length..<($0 + 1) * length]) }
  }
}

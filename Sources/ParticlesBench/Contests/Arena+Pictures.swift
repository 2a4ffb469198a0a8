internal import ParticlesCore

/// Pictures of running effects: an animation, and thumbnails.
extension Arena {
  func pictures(_ operation: Operation) throws -> Contest {
    switch operation {
    case .thumbnailTemplates: try templateThumbnails()
    case .thumbnailCorpus: try corpusThumbnails()
    default: try animation()
    }
  }

  // MARK: Animation

  /// Draws the animation with the tool, and encodes the same frames with ffmpeg, which has two passes
  /// for its one palette.
  private func animation() throws -> Contest {
    let fire = try template("fire")
    let frames = path("frames")
    try Files.clear(frames)
    try Files.makeDirectory(frames)
    let plan = ["--size", "512", "--duration", "2", "--fps", "30"]
    let output = ["-o", Files.joined(frames, "frame"), "--to", "frames"]
    _ = try ChildProcess(words: [tool, "render", "-q", fire] + output + plan).run()
    let pictures = try Self.files(in: frames).filter { Files.pathExtension(of: $0) == "png" }
    guard pictures.count == 60, let first = pictures.min(), let dot = first.lastIndex(of: "-")
    else {
      throw ChildProcess.Failure(text: "\(pictures.count) frames in '\(frames)', not 60")
    }
    let digits = first[first.index(after: dot)...].count - ".png".count
    let start = first[first.index(after: dot)...].dropLast(".png".count)
    let pattern = "\(first[...dot])%0\(digits)d.png"
    let input = ["-framerate", "30", "-start_number", String(start), "-i", pattern]
    let ours = path("ours.gif"), theirs = path("theirs.gif")
    func contestant(_ label: String, _ words: [String], _ output: String) -> Contestant {
      Contestant(
        label: label, prepare: { try Files.clear(output) },
        work: .process(ChildProcess(words: words)),
        check: { guard try Files.status(output) != nil else { throw Self.noOutput(label) } },
        size: { try Files.status(output)?.size },
        quality: { try Self.quality(of: output, beside: input) })
    }
    let filter = "split[a][b];[a]palettegen[p];[b][p]paletteuse"
    let encode = ["ffmpeg", "-v", "error", "-y"] + input + ["-lavfi", filter, theirs]
    let hasPeer = ChildProcess.find("ffmpeg") != nil
    return Contest(
      operation: .renderGIF, shape: shape,
      ours: contestant("particles", [tool, "render", "-q", fire, "-o", ours] + plan, ours),
      peers: hasPeer ? [contestant("ffmpeg, encoding", encode, theirs)] : [])
  }

  private static func noOutput(_ label: String) -> ChildProcess.Failure {
    ChildProcess.Failure(text: "'\(label)' wrote no file")
  }

  /// The mean peak signal-to-noise ratio of the frames of an animation, as ffmpeg measures it.
  private static func quality(of animation: String, beside input: [String]) throws -> Double? {
    guard ChildProcess.find("ffmpeg") != nil else { return nil }
    let filter = """
      [0:v]setpts=N/30/TB,format=rgb24[a];[1:v]setpts=N/30/TB,format=rgb24[b];\
      [a][b]psnr,metadata=mode=print:key=lavfi.psnr.psnr_avg:file=-
      """
    let words = ["ffmpeg", "-v", "error", "-i", animation] + input + ["-lavfi", filter]
    let output = try ChildProcess(words: words + ["-f", "null", "-"]).output()
    let numbers = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline)
      .compactMap { line in line.split(separator: "psnr_avg=").dropFirst().first }
      .compactMap { Double($0) }.filter(\.isFinite)
    return numbers.isEmpty ? nil : numbers.reduce(0, +) / Double(numbers.count)
  }

  // MARK: Thumbnails

  private func templateThumbnails() throws -> Contest {
    let output = try ChildProcess(words: [tool, "help", "--candidates", "templates"]).output()
    let names = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .map(String.init)
    let all = try names.map { (name: $0, process: thumbnail(of: try template($0))) }
    return Contest(
      operation: .thumbnailTemplates, shape: shape,
      ours: Contestant(
        label: "slowest",
        work: .measured {
          let samples = try all.map { try $0.process.run() }
          return samples.max { $0.wall < $1.wall } ?? samples[0]
        }),
      peers: all.map { Contestant(label: $0.name, work: .process($0.process)) })
  }

  private func corpusThumbnails() throws -> Contest {
    let files = try Self.kinds.flatMap { kind in
      try Self.files(in: Files.joined(Self.corpus, kind)).filter {
        Files.pathExtension(of: $0) == kind
      }
    }
    // Some files are broken on purpose.
    let all = files.map { thumbnail(of: $0) }.filter { (try? $0.run()) != nil }
    guard !all.isEmpty else { throw ChildProcess.Failure(text: "no thumbnails of the corpus") }
    return Contest(
      operation: .thumbnailCorpus, shape: shape,
      ours: Contestant(
        label: "\(all.count) of \(files.count) files",
        work: .measured {
          let samples = try all.map { try $0.run() }
          return Sample(
            wall: samples.reduce(0) { $0 + $1.wall },
            processor: samples.reduce(0) { $0 + $1.processor },
            memory: samples.compactMap(\.memory).max())
        }, count: all.count),
      peers: [])
  }

  private func thumbnail(of effect: String) -> ChildProcess {
    ChildProcess(words: [
      tool, "thumbnail", "-q", "--force", "-s", "256", effect, path("thumbnail.png"),
    ])
  }

  /// The path of a package made from a template.
  private func template(_ name: String) throws -> String {
    let path = path("\(name).particles")
    if try Files.status(path) == nil {
      _ = try ChildProcess(words: [tool, "new", "-q", path, "--template", name]).run()
    }
    return path
  }

  /// The paths of all files in a folder and the folders in it.
  private static func files(in folder: String) throws -> [String] {
    try Files.list(folder, passingOver: { _ in }).flatMap { name in
      let path = Files.joined(folder, name)
      return try Files.status(path)?.kind == .directory ? try files(in: path) : [path]
    }
  }
}

internal import ParticlesContainer
internal import ParticlesPackages
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesModel
internal import ParticlesPlatform
internal import ParticlesSimulation
internal import ParticlesSystem

/// The simulation: a ballistic emitter with gravity, spin, and tracks of size and colour, evaluated at every step.
/// Times are per particle and step.
extension Arena {
  /// The numbers of particles of the curve. The last is ours.
  private static let counts = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000]

  func simulation(_ operation: Operation) throws -> Contest? {
    guard let particles = operation.particleCount else { return nil }
    if operation == .simulateMillion {
      var all = Self.counts.map {
        Self.running($0, threads: 1, label: "\(Text.plain(Double($0))) particles")
      }
      let ours = all.removeLast()
      all += Self.yardsticks(particles)
      return Contest(operation: operation, shape: shape, ours: ours, peers: all)
    }
    let one = Self.running(particles, threads: 1, label: "1 core")
    // The particle system of LÖVE runs on one core.
    let engines = ChildProcess.find("love") == nil ? [] : [try love(particles)]
    if operation.isOnTwoCores {
      let two = Self.running(particles, threads: 2, label: "2 cores")
      return Contest(
        operation: operation, shape: shape, ours: two,
        peers: [one] + Self.loops(particles) + engines)
    }
    return Contest(
      operation: operation, shape: shape, ours: one, peers: Self.yardsticks(particles) + engines)
  }

  private static func yardsticks(_ particles: Int) -> [Contestant] {
    let yardstick = Yardstick(particles)
    return [
      Contestant(
        label: "C loop",
        work: .measured { Self.sample(particles) { yardstick.step() } }),
      Contestant(
        label: "triad",
        work: .measured {
          let time = Self.sample(particles) { yardstick.triad() }
          return time.scaled(by: Yardstick.triadShare)
        }),
    ]
  }

  /// The idealised loop on one core and on two: what a second core gives at most on this machine.
  private static func loops(_ particles: Int) -> [Contestant] {
    let whole = Yardstick(particles)
    nonisolated(unsafe) let halves = [Yardstick(particles / 2), Yardstick(particles / 2)]
    let team = WorkerTeam(threads: 2)
    return [
      Contestant(
        label: "C loop, 1 core",
        work: .measured { Self.sample(particles) { whole.step() } }),
      Contestant(
        label: "C loop, 2 cores",
        work: .measured {
          Self.sample(particles) {
            Workers.run(2, on: team) { half, _ in halves[half].step() }
          }
        }),
    ]
  }

  /// The least disturbed of some short runs, divided by the number of particles and steps.
  private static func sample(_ particles: Int, _ step: () -> Void) -> Sample {
    let steps = max(1, 300_000 / particles)
    let runs = (0..<21).map { _ in
      let (wall, processor) = (Clock.wall, Clock.processor)
      for _ in 0..<steps { step() }
      return Sample(wall: Clock.wall - wall, processor: Clock.processor - processor, memory: nil)
    }
    let best = runs.min { $0.wall < $1.wall } ?? runs[0]
    return best.scaled(by: 1 / Double(steps * particles))
  }

  /// Our simulation of about so many living particles.
  private static func running(_ particles: Int, threads: Int, label: String) -> Contestant {
    let look = Appearance()
    var simulation: Simulation?
    func started() -> Simulation {
      let new =
        simulation
        ?? Simulation(
          effect(of: particles), capacity: 2 * particles,
          team: threads > 1 ? WorkerTeam(threads: threads) : nil)
      simulation = new
      return new
    }
    return Contestant(
      label: label,
      prepare: { _ = started() },
      work: .measured {
        let simulation = started()
        let time = Self.sample(particles) {
          simulation.advance(by: 1 / 60)
          simulation.appearance(ofEmitter: 0, into: look)
        }
        return time.scaled(by: Double(particles) / Double(simulation.count))
      },
      check: {
        guard abs(started().count - particles) < particles / 20 else {
          throw ChildProcess.Failure(text: "\(started().count) particles live, not \(particles)")
        }
      })
  }

  /// Lifetimes of 2 to 4 seconds, at a third of the particles per second.
  private static func effect(of particles: Int) -> ParticleSystem {
    var emitter = Emitter(name: "fountain")
    emitter.emission.rate = .constant(Double(particles) / 3)
    emitter.lifetime = .range(2, 4)
    emitter.launch.speed = .range(50, 120)
    emitter.launch.spread = 45
    emitter.forces = [.gravity(ParticleSystem.Vector(3, -60))]
    emitter.size.width = ParticleSystem.Track(from: .range(8, 16), to: .range(4, 8))
    emitter.rotation.angle = ParticleSystem.Track(.range(0, 360))
    emitter.rotation.velocity = ParticleSystem.Track(.range(-60, 60))
    emitter.color.base = ParticleSystem.ColorTrack(
      from: .range(
        ParticleSystem.Color(0.8, 0.3, 0, 0.8), ParticleSystem.Color(1, 0.7, 0.3, 1)),
      to: .range(ParticleSystem.Color(0.1, 0, 0.3, 0), ParticleSystem.Color(0.3, 0, 0.6, 0.2)))
    emitter.timing.prewarm = 5
    return ParticleSystem(name: "fountain", emitters: [emitter])
  }

  /// The particle system of LÖVE with comparable settings, which times itself.
  private func love(_ particles: Int) throws -> Contestant {
    let folder = path("love")
    try Files.clear(folder)
    try Files.makeDirectory(folder)
    for (name, text) in [("conf.lua", Self.loveSettings), ("main.lua", Self.loveProgram)] {
      try OpenFile(creating: Files.joined(folder, name)).write(Array(text.utf8))
    }
    let process = ChildProcess(words: [
      "env", "SDL_VIDEODRIVER=offscreen", "love", folder, "\(particles)",
    ])
    return Contestant(
      label: "LÖVE",
      work: .measured {
        let text = String(decoding: try process.output(), as: UTF8.self)
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard numbers.count == 3, abs(numbers[0] - Double(particles)) < Double(particles) / 20
        else { throw ChildProcess.Failure(text: "LÖVE printed '\(text)'") }
        return Sample(wall: numbers[1], processor: numbers[2], memory: nil)
      })
  }

  private static let loveSettings = """
    function love.conf(t)
      t.window.width, t.window.height, t.window.vsync = 64, 64, 0
      for _, name in ipairs({"audio", "sound", "joystick", "physics", "video"}) do
        t.modules[name] = false
      end
    end
    """

  /// Prints the number of living particles, and the wall-clock and processor seconds of one particle
  /// in one step.
  private static let loveProgram = """
    function love.load(args)
      local count = tonumber(args[1])
      local image = love.graphics.newImage(love.image.newImageData(16, 16))
      local system = love.graphics.newParticleSystem(image, 2 * count)
      system:setParticleLifetime(2, 4)
      system:setEmissionRate(count / 3)
      system:setSpeed(50, 120)
      system:setDirection(-math.pi / 2)
      system:setSpread(math.pi / 2)
      system:setLinearAcceleration(3, 60)
      system:setRotation(0, 2 * math.pi)
      system:setSpin(-1, 1)
      system:setSizes(1, 0.5)
      system:setSizeVariation(1)
      system:setColors(0.9, 0.5, 0.1, 0.9, 0.2, 0, 0.4, 0.1)
      system:start()
      for _ = 1, 300 do system:update(1 / 60) end
      local steps = math.max(1, math.floor(300000 / count))
      local best, processor = math.huge, 0
      for _ = 1, 21 do
        local wall, clock = love.timer.getTime(), os.clock()
        for _ = 1, steps do system:update(1 / 60) end
        wall, clock = love.timer.getTime() - wall, os.clock() - clock
        if wall < best then best, processor = wall, clock end
      end
      local items = steps * system:getCount()
      print(system:getCount(), best / items, processor / items)
      love.event.quit(0)
    end
    """
}

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

  /// Draws the animation with the tool, and encodes equal frames with ffmpeg in two passes for one palette.
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

/// Documents over time, in this process: opening, automatic saves, undo.
extension Arena {
  /// The contest of an operation on documents. Nil for any other operation.
  func live(_ operation: Operation) throws -> Contest? {
    var peers: [Contestant] = []
    let ours: Contestant
    switch operation {
    case .documentOpen: ours = try openDocument()
    case .documentAutosave: ours = try autosave(durably: false)
    case .documentAutosaveSynced:
      ours = try autosave(durably: true)
      peers.append(try flush())
    case .documentUndo: ours = try undo()
    case .documentUndoMemory: ours = try undoMemory()
    case .documentEdits: ours = try edits()
    case .documentBlocked: ours = try blocked()
    default: return nil
    }
    return Contest(operation: operation, shape: shape, ours: ours, peers: peers)
  }

  private func configuration(durably isDurable: Bool = false) -> DocumentConfiguration {
    var configuration = DocumentConfiguration(dataFolder: nil)
    configuration.autosave = .off
    configuration.isWatching = false
    configuration.keepsVersions = false
    configuration.isAutosaveDurable = isDurable
    return configuration
  }

  /// The path of a typical document: an effect with its images.
  private func document(_ name: String, on place: Operation = .append) throws -> String {
    let path = Files.joined(saves(place), name)
    try Files.clear(path)
    guard let template = EffectTemplate.named("fire") else {
      throw ChildProcess.Failure(text: "there is no template")
    }
    try template.package().container.write(to: path, as: .flat)
    return path
  }

  private func openDocument() throws -> Contestant {
    let path = try document("open.particles")
    return Contestant(
      label: "library",
      work: .measured { [configuration = configuration()] in
        try BlockingWait.run {
          let start = Clock.wall
          let document = Document<EffectPackage>(path: path, configuration: configuration)
          try await document.open()
          let wall = Clock.wall - start
          try await document.close()
          return Sample(wall: wall, processor: wall, memory: nil)
        }
      })
  }

  private func autosave(durably isDurable: Bool) throws -> Contestant {
    let path = try document(
      "autosave-\(isDurable).particles", on: isDurable ? .appendSynced : .append)
    let document = Document<EffectPackage>(
      path: path, configuration: configuration(durably: isDurable))
    let count = Lock(0)
    return Contestant(
      label: "library",
      work: .measured {
        let number = count.withLock { count in
          count += 1
          return count
        }
        return try BlockingWait.run {
          try await document.open()
          let rate = try RateText(await document.content)
          try await document.edit("Change Rate") { try $0.setDocument(rate.bytes(number)) }
          let start = Clock.wall
          try await document.autosave()
          let wall = Clock.wall - start
          return Sample(wall: wall, processor: wall, memory: nil)
        }
      })
  }

  /// Two flushes after writes to one file, which every durable append needs.
  private func flush() throws -> Contestant {
    let path = Files.joined(saves(.appendSynced), "flush")
    try Files.clear(path)
    let file = try OpenFile(creating: path)
    let bytes = [UInt8](repeating: 7, count: 3000)
    return Contestant(
      label: "flush",
      work: .call {
        for _ in 0..<2 {
          try file.write(bytes)
          try file.synchronize()
        }
      })
  }

  private static let steps = 10_000

  private func undo() throws -> Contestant {
    try contestant(document("undo.particles")) { document in
      let rate = try RateText(await document.content)
      for number in 0..<Self.steps {
        try await document.edit("Change Rate") { try $0.setDocument(rate.bytes(number)) }
      }
      let start = Clock.wall
      let done = try await document.undo(Self.steps)
      let wall = Clock.wall - start
      guard done == Self.steps else {
        throw ChildProcess.Failure(text: "\(done) of \(Self.steps) edits were undone")
      }
      return Sample(wall: wall, processor: wall, memory: nil)
    }
  }

  /// Runs a measurement with an open document, and discards its changes.
  private func contestant(
    _ path: String, _ measure: @escaping @Sendable (Document<EffectPackage>) async throws -> Sample
  ) throws -> Contestant {
    Contestant(
      label: "library",
      work: .measured { [configuration = configuration()] in
        try BlockingWait.run {
          let document = Document<EffectPackage>(path: path, configuration: configuration)
          try await document.open()
          let sample = try await measure(document)
          try await document.close(discarding: true)
          return sample
        }
      })
  }

  private func edits() throws -> Contestant {
    try contestant(document("edits.particles")) { document in
      let rate = try RateText(await document.content)
      let start = Clock.wall
      var memory = 0
      for number in 0..<10 * Self.steps {
        if number == 2 * Self.steps { memory = Memory.resident }
        try await document.edit("Change Rate") { try $0.setDocument(rate.bytes(number)) }
      }
      let wall = Clock.wall - start
      let growth = max(0, Memory.resident - memory)
      return Sample(wall: wall, processor: wall, memory: growth)
    }
  }

  /// Makes and undoes 10,000 edits of a document of 100 MiB. Memory is the peak of the process minus its memory with
  /// the document open.
  private func undoMemory() throws -> Contestant {
    let path = try document("undo-memory.particles")
    var package = try Container(contentsOf: path)
    var noise = RandomSource(seed: 1)
    try package.root.setFileNode(
      FileNode(regularFileWithContents: noise.bytes(100 << 20)), at: "noise")
    try package.save()
    return try contestant(path) { document in
      let rate = try RateText(await document.content)
      Memory.resetPeak()
      let memory = Memory.resident
      let start = Clock.wall
      for number in 0..<Self.steps {
        try await document.edit("Change Rate") { try $0.setDocument(rate.bytes(number)) }
      }
      guard try await document.undo(Self.steps) == Self.steps else {
        throw ChildProcess.Failure(text: "not all edits were undone")
      }
      let wall = Clock.wall - start
      let peak = max(0, Memory.peak - memory)
      return Sample(wall: wall, processor: wall, memory: peak)
    }
  }

  /// Saves a document of 100 MiB, and reads and edits it all the time meanwhile.
  private func blocked() throws -> Contestant {
    let path = path("saves/blocked.particles")
    let count = Lock(UInt64(0))
    return Contestant(
      label: "library", prepare: { try Files.clear(path) },
      work: .measured { [configuration = configuration()] in
        let seed = count.withLock { count in
          count += 1
          return count
        }
        return try BlockingWait.run {
          let document = Document<FileTree>(path: path, configuration: configuration)
          try await document.create(FileTree())
          // Noise, which takes the longest.
          var random = RandomSource(seed: seed)
          let noise = random.bytes(100 << 20)
          try await document.edit("Noise") {
            try $0.root.setFileNode(FileNode(regularFileWithContents: noise), at: "noise")
          }
          let isSaved = Lock(false)
          let save = Task {
            defer { isSaved.withLock { $0 = true } }
            try await document.save()
          }
          var (longest, number) = (0.0, 0)
          while !isSaved.withLock(\.self) {
            number += 1
            let start = Clock.wall
            _ = try await document.content
            try await document.edit("Number") { [number] in
              let node = FileNode(regularFileWithContents: Array("\(number)".utf8))
              try $0.root.setFileNode(node, at: "number")
            }
            longest = max(longest, Clock.wall - start)
            // Both threads of a small machine are needed: one for this, one for the save.
            try await Task.sleep(nanoseconds: 20_000)
          }
          try await save.value
          guard number > 10 else {
            throw ChildProcess.Failure(text: "the save was over after \(number) edits")
          }
          try await document.close()
          return Sample(wall: longest, processor: longest, memory: nil)
        }
      })
  }
}

/// The text of a document, in which one number is changed without parsing the rest each time.
private struct RateText: Sendable {
  private let before: [UInt8], after: [UInt8]

  init(_ package: EffectPackage) throws {
    var text = try ParticlesCore.JSONText(package.document())
    let mark = 987_654_321
    _ = try text.set(
      .int(mark), at: [.key("emitters"), .index(0), .key("emission"), .key("rate")])
    let digits = Array("\(mark)".utf8)
    guard
      let start = text.bytes.indices.first(where: { text.bytes[$0...].starts(with: digits) })
    else { throw ChildProcess.Failure(text: "the document has no rate") }
    before = Array(text.bytes[..<start])
    after = Array(text.bytes[(start + digits.count)...])
  }

  func bytes(_ number: Int) -> [UInt8] { before + Array("\(number)".utf8) + after }
}

/// The memory of this process.
private enum Memory {
  /// Makes the present memory the peak.
  static func resetPeak() {
    try? OpenFile(updating: "/proc/self/clear_refs").write(Array("5".utf8))
  }

  /// The greatest memory since the last reset, in bytes. 0 without `/proc`.
  static var peak: Int {
    let bytes = try? OpenFile(reading: "/proc/self/status").readToEnd(limits: .standard)
    let lines = String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n")
    let words = lines.first { $0.hasPrefix("VmHWM:") }?.split(separator: " ") ?? []
    return words.count > 1 ? (Int(words[1].drop { !$0.isNumber }) ?? 0) << 10 : 0
  }

  /// The resident bytes. 0 without `/proc`.
  static var resident: Int {
    let bytes = try? OpenFile(reading: "/proc/self/statm").readToEnd(limits: .standard)
    let words = String(decoding: bytes ?? [], as: UTF8.self).split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * Int(sysconf(CInt(_SC_PAGESIZE))) : 0
  }
}

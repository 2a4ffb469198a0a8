internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesSimulation

/// The simulation: a ballistic emitter with gravity, spin, and tracks of size and colour, all of them
/// evaluated at every step. Times are those of one particle in one step.
extension Arena {
  /// The numbers of particles of the curve; the last one is ours.
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
            WorkerTeam.run(2, on: team) { half, _ in halves[half].step() }
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

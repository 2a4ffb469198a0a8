import ParticlesCore
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesSimulation

/// Digests of every number of every particle. A change that is not meant to change the simulation
/// keeps them. They are equal on every machine.
@Suite("Golden vectors")
struct GoldenVectorTests {
  @Test("simulations give the recorded bits")
  func vectors() throws {
    var lines: [String] = []
    for (name, system) in GoldenEffects.all {
      lines.append("\(name) \(Self.digest(of: system, profile: .neutral))")
    }
    for profile in [Profile.cocos2d, .starling, .love] {
      for (name, system) in GoldenEffects.all {
        lines.append("\(name) \(profile.rawValue) \(Self.digest(of: system, profile: profile))")
      }
    }
    try Golden.check(
      lines.joined(separator: "\n") + "\n", against: "Fixtures/simulation/digests.txt")
  }

  @Test("kernels for AVX2 and those for every processor give the same bits")
  func processors() {
    for (name, system) in GoldenEffects.all {
      let wide = Self.digest(of: system, profile: .neutral)
      _ = useWideKernels(false)
      let base = Self.digest(of: system, profile: .neutral)
      _ = useWideKernels(true)
      #expect(wide == base, "\(name)")
    }
  }

  @Test(
    "one, two, three and seven threads give the same bits",
    arguments: [(9_500, 12_000, 50), (100_000, 130_000, 75)])
  func threads(most: Int, rate: Double, steps: Int) {
    for name in ["ballistic", "emission", "fireworks", "drags"] {
      guard var system = GoldenEffects.all.first(where: { $0.name == name })?.system else {
        Issue.record("there is no \(name)")
        continue
      }
      // Enough particles for several pieces, and emissions at a step, too.
      for index in system.emitters.indices {
        system.emitters[index].emission.rate = .constant(rate)
        system.emitters[index].emission.maxAlive = most
        if !system.emitters[index].triggers.isEmpty {
          system.emitters[index].emission.rate = 1_500
        }
      }
      let digests = [1, 2, 3, 7].map { threads in
        let simulation = Simulation(system, seed: 3, team: WorkerTeam(threads: threads))
        for _ in 0..<steps { simulation.advance(by: 1 / 60) }
        #expect(simulation.count > 2 * Chunk.size)
        var digest = BitDigest()
        let look = Appearance()
        for index in system.emitters.indices {
          simulation.appearance(ofEmitter: index, into: look)
          digest.add(look)
        }
        return digest.text
      }
      #expect(Set(digests).count == 1, "\(name)")
    }
  }

  /// The digest of all numbers after 30, 60, 90 and 110 steps of several lengths.
  static func digest(
    of system: ParticleSystem, profile: Profile
  ) -> String {
    let simulation = Simulation(system, profile: profile, seed: 5)
    var digest = BitDigest()
    let look = Appearance()
    for step in 1...110 {
      simulation.advance(by: step % 7 == 0 ? 0.011 : 1 / 60)
      guard step % 30 == 0 || step == 110 else { continue }
      for index in system.emitters.indices {
        simulation.appearance(ofEmitter: index, into: look)
        digest.add(look)
      }
    }
    return digest.text
  }
}

/// FNV-1a over the bits of numbers. Zero has one sign here.
struct BitDigest {
  private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

  private mutating func add(_ word: UInt64) { hash = (hash ^ word) &* 0x100_0000_01b3 }

  mutating func add(_ look: Appearance) {
    add(UInt64(look.count))
    for index in 0..<look.count {
      add(look.ordinal[index])
      let numbers = [
        look.x[index], look.y[index], look.z[index], look.velocityX[index], look.velocityY[index],
        look.velocityZ[index], look.width[index], look.height[index], look.angle[index],
        look.red[index], look.green[index], look.blue[index], look.alpha[index],
        look.intensity[index], look.mix[index], look.depth[index], look.age[index],
        look.life[index],
      ]
      for number in numbers { add(UInt64(number == 0 ? 0 : number.bitPattern)) }
    }
  }

  var text: String { String(hash, radix: 16) }
}

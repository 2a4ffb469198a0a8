import ParticlesCore
import ParticlesModel
import Testing

struct PopulationTests {
  private func emitter(rate: Value, lifetime: Value) -> Emitter {
    var emitter = Emitter()
    emitter.emission.rate = rate
    emitter.lifetime = lifetime
    return emitter
  }

  private func alive(_ emitters: Emitter...) -> [Double] {
    ParticleSystem(name: "", emitters: emitters).populations().map(\.alive)
  }

  @Test func aSteadyStreamHoldsRateTimesLife() {
    #expect(alive(emitter(rate: .range(50, 100), lifetime: .range(1, 2))) == [200])
    var short = emitter(rate: 100, lifetime: 2)
    short.timing.duration = 0.5
    #expect(alive(short) == [50])
    short.timing.loop = true
    #expect(alive(short) == [200])
    short.emission.maxAlive = 30
    #expect(alive(short) == [30])
    short.emission.maxAlive = nil
    short.emission.total = 70
    #expect(alive(short) == [70])
    #expect(alive(emitter(rate: 100, lifetime: -1)) == [0])
    short.enabled = false
    #expect(alive(short) == [0])
  }

  @Test func aStoppedClockEmitsNothing() {
    var stopped = emitter(rate: 10, lifetime: 1)
    stopped.emission.bursts = [Burst(count: 40)]
    stopped.emission.minAlive = 5
    stopped.timing.speed = 0
    #expect(alive(stopped) == [0])
    var rockets = emitter(rate: 2, lifetime: 3)
    rockets.triggers = [Trigger(.death, emitter: 1, count: 100)]
    #expect(alive(rockets, stopped) == [6, 0])
    var system = ParticleSystem(name: "", emitters: [stopped, rockets])
    let findings = system.diagnostics().filter { $0.rule.code == "document/stopped" }
    #expect(findings.map { $0.location.position?.description } == ["emitters[0].timing.speed"])
    system.emitters[0].enabled = false
    #expect(!system.diagnostics().contains { $0.rule.code == "document/stopped" })
  }

  @Test func burstsComeOnTop() {
    var bursts = emitter(rate: 10, lifetime: 1)
    bursts.emission.bursts = [Burst(count: 40)]
    #expect(alive(bursts) == [50])
    bursts.emission.bursts[0].cycles = 0
    bursts.emission.bursts[0].interval = 0.25
    #expect(alive(bursts) == [210])
    bursts.emission.probability = 0.5
    #expect(alive(bursts) == [105])
  }

  @Test func aBurstRecursOncePerPeriodAndPause() {
    var bursts = emitter(rate: 0, lifetime: 1)
    bursts.emission.bursts = [Burst(count: 40)]
    bursts.timing.loop = true
    bursts.timing.duration = 1
    #expect(alive(bursts) == [80])
    bursts.timing.idle = 3
    #expect(alive(bursts) == [50])
  }

  @Test func particlesBringForthOthers() {
    var rockets = emitter(rate: 2, lifetime: 3)
    rockets.triggers = [Trigger(.death, emitter: 1, count: 100)]
    let sparks = emitter(rate: 0, lifetime: 1)
    #expect(alive(rockets, sparks) == [6, 200])
    rockets.triggers[0].event = .interval
    rockets.triggers[0].interval = 0.5
    #expect(alive(rockets, sparks) == [6, 1800])
    rockets.triggers = [Trigger(.living, emitter: 1)]
    #expect(alive(rockets, emitter(rate: 10, lifetime: 1)) == [6, 60])
    rockets.triggers = [Trigger(.birth, emitter: 1)]
    #expect(alive(rockets, emitter(rate: 10, lifetime: 1)) == [6, .infinity], "nothing ends them")
    #expect(alive(rockets, sparks) == [6, 0])
  }

  @Test func circlesAndWrongReferencesEnd() {
    var one = emitter(rate: 1, lifetime: 1)
    one.triggers = [Trigger(.death, emitter: 1, count: 2), Trigger(.death, emitter: 9, count: 2)]
    var two = emitter(rate: 1, lifetime: 1)
    two.triggers = [Trigger(.death, emitter: 0, count: 2)]
    #expect(alive(one, two) == [0, 0], "neither starts by itself")
    var system = ParticleSystem(name: "", emitters: [one, two])
    system.roots = [0, 7]
    #expect(system.populations().map(\.alive) == [1, 0])
  }
}

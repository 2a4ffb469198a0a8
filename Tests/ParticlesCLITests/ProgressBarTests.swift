import ParticlesCLI
import ParticlesCore
import Testing

@Suite("Progress") struct ProgressBarTests {
  /// A terminal that records, and a clock that stands still unless told otherwise.
  private final class Scene: Sendable {
    let written = Lock("")
    let now = Lock(100.0)

    func console(isTerminal: Bool = true, environment: [String: String] = [:]) -> Console {
      let nothing = Console.Sink(isTerminal: false) { _ in }
      return Console(
        input: Console.Source(isTerminal: false) { _ in [] }, output: nothing,
        error: Console.Sink(isTerminal: isTerminal) { bytes in
          self.written.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
        }, environment: environment)
    }

    func bar(_ total: Int, _ console: Console) -> ProgressBar {
      ProgressBar("testing", total: total, console: console) { self.now.withLock(\.self) }
    }

    func wait(_ seconds: Double) { now.withLock { $0 += seconds } }

    /// The text that was written since the last call.
    func drain() -> String {
      written.withLock { text in
        defer { text = "" }
        return text
      }
    }
  }

  @Test func aBarSaysHowFarTheWorkIs() {
    let scene = Scene()
    let bar = scene.bar(40, scene.console())
    bar.advance(by: 5)
    #expect(scene.drain() == "", "short work is not talked about")
    scene.wait(1)
    bar.advance(by: 5)
    let line = "testing [#####...............] 25 %  10 of 40  0:03 left"
    #expect(scene.drain() == "\r\(line)\u{1B}[K")
    bar.advance()
    #expect(scene.drain() == "", "not oftener than somebody can see")
    scene.wait(0.2)
    bar.advance(by: 29)
    #expect(scene.drain() == "\rtesting [####################] 100 %  40 of 40\u{1B}[K")
    bar.finish()
    #expect(scene.drain() == "\r\u{1B}[K")
    bar.finish()
    #expect(scene.drain() == "")
  }

  @Test func theBarStepsAsideForWhatIsPrinted() {
    let scene = Scene()
    let console = scene.console()
    let bar = scene.bar(2, console)
    scene.wait(1)
    bar.advance()
    _ = scene.drain()
    bar.aside { console.inform("line") }
    #expect(scene.drain() == "\r\u{1B}[Kline\n")
    bar.advance()
    #expect(scene.drain().hasPrefix("\rtesting"), "and comes back at once")
  }

  @Test func nobodySeesABarWhoDoesNotWantOne() {
    for (isTerminal, environment) in [(false, [:]), (true, ["TERM": "dumb"])] {
      let scene = Scene()
      let console = scene.console(isTerminal: isTerminal, environment: environment)
      let bar = scene.bar(2, console)
      scene.wait(10)
      bar.advance()
      bar.finish()
      #expect(scene.drain() == "")
    }
  }

  @Test func aLineIsNeverWiderThanTheTerminal() {
    let scene = Scene()
    let bar = scene.bar(100_000, scene.console(environment: ["COLUMNS": "24"]))
    scene.wait(7200)
    bar.advance()
    #expect(scene.drain() == "\rtesting [..............\u{1B}[K")
  }

  @Test func emptyWorkIsDone() {
    let scene = Scene()
    let bar = scene.bar(0, scene.console())
    scene.wait(1)
    bar.advance(by: 0)
    #expect(scene.drain().contains("100 %  0 of 0"))
  }
}

internal import ParticlesCore
internal import Synchronization

/// A line at the bottom of a terminal that says how far long work is:
///
///     validating [########............] 40 %  512 of 1280  0:12 left
///
/// It is drawn on standard error, where a person is looking who has not asked for silence, and
/// nowhere else; only when the work takes longer than ``patience``; and not oftener than
/// ``interval``. May be used from several threads.
package final class ProgressBar: Sendable {
  /// How many seconds pass before there is anything to see.
  package static let patience = 0.5
  /// How many seconds pass between two drawings.
  package static let interval = 0.1

  private struct State {
    var done = 0
    var isVisible = false
    var drawn = -Double.infinity
  }

  private let label: String
  private let total: Int
  private let console: Console
  private let clock: @Sendable () -> Double
  private let start: Double
  private let state = Mutex(State())

  /// Creates a bar for work that begins now.
  /// - Parameters:
  ///   - label: what is being done: "validating".
  ///   - total: how many pieces there are.
  ///   - console: where to draw.
  ///   - clock: seconds since some time or other; never goes back.
  package init(
    _ label: String, total: Int, console: Console,
    clock: @escaping @Sendable () -> Double = { MonotonicClock.seconds }
  ) {
    self.label = label
    self.total = total
    self.console = console
    self.clock = clock
    start = clock()
  }

  /// Says that some pieces more are done.
  package func advance(by count: Int = 1) {
    state.withLock { state in
      state.done += count
      draw(&state)
    }
  }

  /// Runs `body`, which writes to the terminal, without the bar in its way.
  package func aside<Result>(_ body: () throws -> Result) rethrows -> Result {
    try state.withLock { state in
      erase(&state)
      return try body()
    }
  }

  /// Takes the bar away. What is advanced afterwards may show it again.
  package func finish() { state.withLock { erase(&$0) } }

  private func draw(_ state: inout State) {
    guard console.showsProgress else { return }
    let now = clock()
    guard now - start >= Self.patience, now - state.drawn >= Self.interval else { return }
    state.drawn = now
    state.isVisible = true
    console.draw("\r\(line(done: state.done, seconds: now - start))\u{1B}[K")
  }

  private func erase(_ state: inout State) {
    guard state.isVisible else { return }
    state.isVisible = false
    state.drawn = -.infinity
    console.draw("\r\u{1B}[K")
  }

  /// The line, one column shorter than the terminal: a full line would make it scroll.
  private func line(done: Int, seconds: Double) -> String {
    let share = total > 0 ? min(1, Double(done) / Double(total)) : 1
    let cells = 20
    let filled = Int(Double(cells) * share)
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: cells - filled)
    var text = "\(label) [\(bar)] \(Int(100 * share)) %  \(done) of \(total)"
    if done > 0, done < total {
      text += "  \(Self.time(seconds / Double(done) * Double(total - done))) left"
    }
    return String(text.prefix(max(1, console.width - 1)))
  }

  /// `0:07`, `12:30`, `1:02:30`
  private static func time(_ seconds: Double) -> String {
    let seconds = Int(min(seconds, 359_999).rounded(.up))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (minutes, hours) = (seconds / 60 % 60, seconds / 3600)
    return hours > 0
      ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
  }
}

extension Console {
  /// Whether long work may say how far it is: a person is looking at standard error, at something
  /// that can erase a line, and did not ask for silence.
  package var showsProgress: Bool {
    errorIsTerminal && verbosity != .quiet && environment["TERM"] != "dumb"
  }
}

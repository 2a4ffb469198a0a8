internal import ParticlesCore

/// A line at the bottom of a terminal that shows the progress of long work:
///
///     validating [########............] 40 %  512 of 1280  0:12 left
///
/// It is drawn on standard error if that is a terminal and `--quiet` is not given, if the work takes longer
/// than ``patience``, and at most once in each ``interval``. May be used from several threads.
package final class ProgressBar: Sendable {
  /// The time before the bar appears, in seconds.
  package static let patience = 0.5
  /// The least time between two updates, in seconds.
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
  private let state = Lock(State())

  /// Creates a bar for work that begins now.
  /// - Parameters:
  ///   - label: the work, such as "validating".
  ///   - total: the number of items.
  ///   - console: the console to draw on.
  ///   - clock: a monotonic clock, in seconds.
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

  /// Counts items as done.
  package func advance(by count: Int = 1) {
    state.withLock { state in
      state.done += count
      draw(&state)
    }
  }

  /// Removes the bar while `body` writes to the terminal.
  package func aside<Result>(_ body: () throws -> Result) rethrows -> Result {
    try state.withLock { state in
      erase(&state)
      return try body()
    }
  }

  /// Removes the bar. It appears again if more items are counted.
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
    let filled = Int(saturating: Double(cells) * share)
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: cells - filled)
    var text = "\(label) [\(bar)] \(Int(saturating: 100 * share)) %  \(done) of \(total)"
    if done > 0, done < total {
      text += "  \(Self.time(seconds / Double(done) * Double(total - done))) left"
    }
    return String(text.prefix(max(1, console.width - 1)))
  }

  /// `0:07`, `12:30`, `1:02:30`
  private static func time(_ seconds: Double) -> String {
    let seconds = Int(saturating: min(seconds, 359_999).rounded(.up))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (minutes, hours) = (seconds / 60 % 60, seconds / 3600)
    return hours > 0
      ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
  }
}

extension Console {
  /// Whether progress bars are shown: standard error is a terminal that can erase a line, and `--quiet` is
  /// not given.
  package var showsProgress: Bool {
    errorIsTerminal && verbosity != .quiet && environment["TERM"] != "dumb"
  }
}

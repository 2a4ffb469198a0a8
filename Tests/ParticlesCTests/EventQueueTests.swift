import Foundation
import ParticlesCore
import ParticlesDocuments
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesC

/// The events of documents in the interface for C: lost events are always reported.
@Suite("Events for C")
struct EventQueueTests {
  /// Takes all events until one of this kind.
  private func taken(_ queue: EventQueue, until kind: String) async throws -> [JSONObject] {
    var events: [JSONObject] = []
    while events.last?["kind"]?.string != kind {
      guard let text = queue.next() else {
        try await Task.sleep(nanoseconds: 1_000_000)
        continue
      }
      events.append(try #require(JSONParser.parse(Array(text.utf8)).object))
    }
    return events
  }

  @Test("of more events than the queue holds, the newest are kept and the others counted")
  func overflow() async throws {
    let (count, most, dropped) = (3_000, 1_024, 7)
    let losses = EventQueue.Losses()
    let number = Lock(0)
    let isEnded = Lock(false)
    // The next event is asked for when the queue has its predecessor.
    let stream = AsyncStream<DocumentEvent>(unfolding: {
      let next = number.withLock { number in
        number += 1
        return number
      }
      // The document has dropped some before the first one.
      if next == 1 { for _ in 0..<dropped { losses.add() } }
      guard next <= count else {
        isEnded.withLock { $0 = true }
        return nil
      }
      return .edited("\(next)")
    })
    let queue = try EventQueue(stream, losses: losses, at: "x.txt")
    while !isEnded.withLock(\.self) { try await Task.sleep(nanoseconds: 1_000_000) }
    var ready = pollfd(fd: queue.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&ready, 1, 0) == 1)
    let missed = try #require(queue.next())
    #expect(missed == #"{"kind":"missed","count":\#(count - most + dropped)}"#)
    for expected in count - most + 1...count {
      #expect(queue.next() == #"{"kind":"edited","name":"\#(expected)"}"#)
    }
    #expect(queue.next() == nil)
    #expect(poll(&ready, 1, 0) == 0, "there is nothing left to wait for")
    queue.end()
  }

  @Test(
    "events that the document has dropped are told as missed, at their place",
    .timeLimit(.minutes(1)))
  func dropped() async throws {
    let scratch = try Scratch()
    try Files.create(scratch.file("x.txt"), Array("0".utf8))
    var configuration = DocumentConfiguration(dataFolder: nil)
    (configuration.autosave, configuration.isWatching) = (.off, false)
    let document = Document<PlainText>(path: scratch.file("x.txt"), configuration: configuration)
    try await document.open()
    let losses = EventQueue.Losses()
    let stream = await document.events { losses.add() }
    // The listener begins afterwards. Each edit is two events, besides the first two and one of the states.
    for number in 1...300 { try await document.edit("\(number)") { $0.text = "\(number)" } }
    let queue = try EventQueue(stream, losses: losses, at: scratch.file("x.txt"))
    try await document.close(discarding: true)
    let events = try await taken(queue, until: "closed")
    let missed = events.reduce(0) { $0 + ($1["kind"] == "missed" ? $1["count"]?.int ?? 0 : 0) }
    let others = events.filter { $0["kind"] != "missed" }
    #expect(events.first?["kind"] == "missed" && missed >= 347)
    let numbers = others.compactMap { $0["revision"]?.int }
    #expect(numbers.last == 300 && numbers == numbers.sorted())
    // A second listener without delays would have had these events: the kept events, and the missed events.
    let ends = others.filter { ["states", "closed", "opened"].contains($0["kind"]?.string ?? "") }
      .count
    #expect(others.count - ends + missed >= 600)
    queue.end()
  }
}

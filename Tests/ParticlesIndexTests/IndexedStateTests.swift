import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesIndex

@Suite("States of indexed files")
struct IndexedStateTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func state(_ name: String, after seconds: Double = 1_000) throws -> IndexedState {
    let path = scratch.file(name)
    let modified = try #require(try Files.status(path)).state.modified
    return try #require(IndexedState(path, now: modified + seconds))
  }

  private func make(_ name: String, _ text: String = "", modified: Double = 1_700_000_000.25) throws
  {
    let path = scratch.file(name)
    try Files.makeDirectories(Files.folder(of: path))
    try? Files.removeAll(path)
    try Files.create(path, Array(text.utf8))
    try setModified(path, modified)
  }

  /// A file system may state times in whole seconds, or in steps of two seconds.
  @Test(
    "a file that may change without another time has none",
    arguments: [
      (1_700_000_000.25, 0.04, false), (1_700_000_000.25, 0.07, true),
      (1_700_000_000.25, -5, false), (1_700_000_000, 0.07, false), (1_700_000_000, 1.9, false),
      (1_700_000_000, 2.1, true),
    ])
  func time(modified: Double, seconds: Double, isKept: Bool) throws {
    try make("a", modified: modified)
    let state = try state("a", after: seconds)
    #expect((state.modified != 0) == isKept)
    #expect(state.isSame(as: state) == isKept)
  }

  @Test("a file is the same while its size, time and identity are")
  func same() throws {
    try make("a", "one")
    let first = try state("a")
    #expect(try first.isSame(as: state("a")) && first.size == 3 && first.entries == 0)
    try make("b", "one")
    #expect(try !first.isSame(as: state("b")))
    try setModified(scratch.file("a"), 1_700_000_001.25)
    #expect(try !first.isSame(as: state("a")))
  }

  @Test("links, missing files and devices have no state")
  func none() throws {
    try make("a")
    try Files.makeLink(scratch.file("link"), to: "a")
    for path in [scratch.file("link"), scratch.file("none"), "/dev/null"] {
      #expect(IndexedState(path, now: 2e9) == nil, "\(path)")
    }
  }

  @Test("the state of a folder is that of all in it")
  func folder() throws {
    try make("p/a", "12")
    try make("p/sub/b", "345")
    for folder in ["p/sub", "p"] { try setModified(scratch.file(folder), 1_700_000_000.5) }
    func now() throws -> IndexedState {
      try #require(IndexedState(scratch.file("p"), now: 1_800_000_000))
    }
    let first = try now()
    #expect(first.size == 5 && first.entries != 0)
    #expect(try first.isSame(as: now()))
    func changes(_ change: () throws -> Void) throws -> Bool {
      let before = try now()
      try change()
      for folder in ["p/sub", "p"] { try setModified(scratch.file(folder), 1_700_000_000.5) }
      return try before != now()
    }
    #expect(try changes { try make("p/sub/b", "3456") })
    #expect(try changes { try Files.rename(scratch.file("p/sub/b"), scratch.file("p/sub/c")) })
    #expect(try changes { try setModified(scratch.file("p/a"), 1_700_000_009.25) })
    #expect(try now().modified > first.modified)
    #expect(try changes { try make("p/sub/d") })
    #expect(try changes { try Files.makeDirectory(scratch.file("p/sub/e")) })
    #expect(try changes { try Files.removeAll(scratch.file("p/sub/e")) })
    #expect(try !changes {})
  }

  @Test("a folder that is too deep has no state: 64 levels are enough")
  func deep() throws {
    func levels(_ count: Int) -> String {
      Array(repeating: "d", count: count).joined(separator: "/")
    }
    try Files.makeDirectories(scratch.file(levels(64)))
    #expect(IndexedState(scratch.file("d"), now: 2e9) != nil)
    try Files.makeDirectories(scratch.file(levels(65)))
    #expect(IndexedState(scratch.file("d"), now: 2e9) == nil)
    #expect(IndexedState(scratch.file("d/d"), now: 2e9) != nil)
  }

  @Test("distances of looks end at a bound, which is included")
  func squares() {
    func square(_ a: [Float], _ b: [Float], _ most: Float) -> Float? {
      a.withUnsafeBytes { IndexedLook.square($0, b, within: most) }
    }
    #expect(square([1, 2], [1, 2], 0) == 0)
    #expect(square([0, 0], [3, 4], 25) == 25)
    #expect(square([0, 0], [3, -4], 24.9) == nil)
    #expect(square([0], [3, 4], 100) == nil && square([0, 0], [0], 100) == nil)
    #expect(square([], [], 1) == 0)
  }

  @Test(
    "facts are numbers and words by their keys; what is infinite is null, and what is no number is left out"
  )
  func facts() throws {
    var document = IndexedDocument()
    document.numbers = ["b": [1, .infinity, .nan, -2.5], "a": [0]]
    document.words = ["c": ["x", ""], "b": ["y"]]
    let facts = IndexedFacts(document)
    #expect(facts.text == #"{"a": [0], "b": [1, null, -2.5, "y"], "c": ["x", ""]}"#)
    var found: [String] = []
    try IndexedFacts(facts.text, at: "path").forEach { key, value in
      switch value {
      case .number(let number): found.append("\(value.table) \(key) \(number)")
      case .word(let word): found.append("\(value.table) \(key) '\(word)'")
      }
    }
    #expect(
      found == [
        "numbers a 0.0", "numbers b 1.0", "numbers b inf", "numbers b -2.5", "words b 'y'",
        "words c 'x'", "words c ''",
      ])
    for text in ["", "[1]", "{\"a\": [1}"] {
      let fault = expectThrows(.indexDamaged) { try IndexedFacts(text, at: "path") }
      #expect(fault?.location.file == "path")
    }
  }
}

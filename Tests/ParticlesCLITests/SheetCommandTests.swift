import ParticlesCLI
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Which files of a folder get into one picture, and how many are told.
@Suite("particles sheet --contact")
struct SheetCommandTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try Files.makeDirectory(scratch.file("in"))
  }

  private func add(effects: Int = 0, others: Int = 0, damaged: Int = 0) throws {
    for number in 0..<effects {
      let path = scratch.file("in/e\(number).particles")
      #expect(Tool.particles.run("new", path, "-t", "sparks", "-q").status == .done)
    }
    for number in 0..<others {
      // The first bytes of JSON tell that it is none, and reading tells it of a picture with the name of an effect.
      let isPicture = number % 2 == 1
      try Files.create(
        scratch.file("in/o\(number).\(isPicture ? "pex" : "json")"),
        isPicture ? [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] : Array("{\"a\": 1}".utf8))
    }
    for number in 0..<damaged {
      try Files.create(scratch.file("in/d\(number).particles"), Array("damaged".utf8))
    }
  }

  private func sheet(_ words: String...) -> Outcome {
    Tool.particles.run(
      list: ["sheet", "--contact", "-o", scratch.file("out.png"), "-f", "--size", "16"] + words)
  }

  private var isWritten: Bool { (try? Files.status(scratch.file("out.png")))?.kind == .file }

  @Test("the number of effects is told, and other files are counted", arguments: 1...3)
  func counts(_ effects: Int) throws {
    try add(effects: effects, others: 2)
    let outcome = sheet("-r", scratch.file("in"))
    #expect(outcome.status == .done && isWritten)
    let number = effects == 1 ? "1 effect" : "\(effects) effects"
    #expect(outcome.error.contains(": \(number); 2 unknown, "), "\(outcome.error)")
    let json = try JSONValue(parsing: Array(sheet("-r", scratch.file("in"), "--json").output.utf8))
    #expect(json.object?["pictures"]?.array?.count == effects)
  }

  @Test("a damaged effect is a failure, and the others are drawn")
  func damaged() throws {
    try add(effects: 2, others: 2, damaged: 1)
    let outcome = sheet("-r", scratch.file("in"))
    #expect(outcome.status == .failed && isWritten)
    #expect(
      outcome.error.contains("in/d0.particles:") && !outcome.error.contains("o0.json"))
    #expect(!outcome.error.contains("o1.pex"))
    #expect(outcome.error.contains(": 2 effects; 2 unknown, "), "\(outcome.error)")
  }

  @Test("without an effect there is no picture: files that are none, or damaged ones alone")
  func nothing() throws {
    try add(others: 1)
    let none = sheet("-r", scratch.file("in"))
    #expect(none.status == .answerNo && !isWritten && none.error.contains("no documents found"))
    // One that is named has to be an effect.
    #expect(sheet(scratch.file("in/o0.json")).status == .failed && !isWritten)
    try add(damaged: 2)
    #expect(sheet("-r", scratch.file("in")).status == .failed && !isWritten)
  }
}

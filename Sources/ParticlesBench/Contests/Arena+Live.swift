internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesPlatform

/// Documents over time, in this process: opening, automatic saves, undo.
extension Arena {
  /// The contest of an operation on documents; nil for any other.
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
        try Waiting.run {
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
        return try Waiting.run {
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

  /// Runs a measurement with a document, which is open, and discards its changes.
  private func contestant(
    _ path: String, _ measure: @escaping @Sendable (Document<EffectPackage>) async throws -> Sample
  ) throws -> Contestant {
    Contestant(
      label: "library",
      work: .measured { [configuration = configuration()] in
        try Waiting.run {
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

  /// Makes and undoes 10,000 edits of a document of 100 MiB. The memory is what the process needs at most
  /// beyond what it needs with the document open.
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
        return try Waiting.run {
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

  /// The greatest memory since the last reset, in bytes; 0 without `/proc`.
  static var peak: Int {
    let bytes = try? OpenFile(reading: "/proc/self/status").readToEnd(limits: .standard)
    let lines = String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n")
    let words = lines.first { $0.hasPrefix("VmHWM:") }?.split(separator: " ") ?? []
    return words.count > 1 ? (Int(words[1].drop { !$0.isNumber }) ?? 0) << 10 : 0
  }

  /// The resident bytes; 0 without `/proc`.
  static var resident: Int {
    let bytes = try? OpenFile(reading: "/proc/self/statm").readToEnd(limits: .standard)
    let words = String(decoding: bytes ?? [], as: UTF8.self).split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * Int(sysconf(CInt(_SC_PAGESIZE))) : 0
  }
}

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
          try await document.edit("Change Rate") { try $0.setRate(number) }
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
    try contestant("undo.particles") { document in
      for number in 0..<Self.steps {
        try await document.edit("Change Rate") { try $0.setRate(number) }
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

  /// Runs a measurement with a new document, which is open, and discards its changes.
  private func contestant(
    _ name: String, _ measure: @escaping @Sendable (Document<EffectPackage>) async throws -> Sample
  ) throws -> Contestant {
    let path = try document(name)
    return Contestant(
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
    try contestant("edits.particles") { document in
      let start = Clock.wall
      var memory = 0
      for number in 0..<10 * Self.steps {
        if number == 2 * Self.steps { memory = Memory.resident }
        try await document.edit("Change Rate") { try $0.setRate(number) }
      }
      let wall = Clock.wall - start
      let growth = max(0, Memory.resident - memory)
      return Sample(wall: wall, processor: wall, memory: growth)
    }
  }

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
          let noise = Noise.bytes(100 << 20, seed: seed)
          try await document.edit("Noise") {
            try $0.root.setFileNode(FileNode(regularFileWithContents: noise), at: "noise")
          }
          let save = Task { try await document.save() }
          var longest = 0.0
          while await document.hasUnsavedChanges {
            let start = Clock.wall
            _ = await document.states
            longest = max(longest, Clock.wall - start)
            try await Task.sleep(nanoseconds: 1_000_000)
          }
          try await save.value
          try await document.close()
          return Sample(wall: longest, processor: longest, memory: nil)
        }
      })
  }
}

extension EffectPackage {
  /// Changes one number in the text of the document, as an editor does.
  fileprivate mutating func setRate(_ number: Int) throws {
    var text = try ParticlesCore.JSONText(document())
    _ = try text.set(
      .int(number), at: [.key("emitters"), .index(0), .key("emission"), .key("rate")])
    try setDocument(text.bytes)
  }
}

/// Runs asynchronous work to its end.
private enum Waiting {
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let signal = Signal()
    let result = Lock<Result<Value, any Error>?>(nil)
    Task {
      let outcome: Result<Value, any Error>
      do {
        outcome = .success(try await body())
      } catch {
        outcome = .failure(error)
      }
      result.withLock { $0 = outcome }
      signal.send()
    }
    signal.wait()
    guard let outcome = result.withLock(\.self) else {
      throw ChildProcess.Failure(text: "nothing was measured")
    }
    return try outcome.get()
  }
}

/// The memory of this process.
private enum Memory {
  /// The resident bytes; 0 without `/proc`.
  static var resident: Int {
    let bytes = try? OpenFile(reading: "/proc/self/statm").readToEnd(limits: .standard)
    let words = String(decoding: bytes ?? [], as: UTF8.self).split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * Int(sysconf(CInt(_SC_PAGESIZE))) : 0
  }
}

/// Bytes that do not become smaller.
private enum Noise {
  static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
      for index in 0..<count {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        buffer[index] = UInt8(truncatingIfNeeded: state)
      }
      initialized = count
    }
  }
}

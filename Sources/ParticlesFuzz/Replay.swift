#if !FUZZING
  internal import ParticlesContainer
  internal import ParticlesCore
  internal import ParticlesPlatform

  /// Feeds files to a target once each, as a regression test for earlier findings.
  @main
  enum Replay {
    static let usage = """
      usage: ParticlesFuzz TARGET FILE…                   feed files to a target
             ParticlesFuzz --seeds FOLDER TARGET FILE…    write what to begin with
             ParticlesFuzz --dictionary TARGET            print the words of its language

      targets:

      """

    static func main() throws {
      var arguments = CommandLine.arguments.dropFirst()
      if arguments.first == "--dictionary", let target = FuzzTarget.named(arguments.last ?? "") {
        return print(target.words.map { "\"\($0)\"" }.joined(separator: "\n"))
      }
      var folder: String?
      if arguments.first == "--seeds" {
        folder = arguments.dropFirst().first
        arguments = arguments.dropFirst(2)
      }
      guard let target = arguments.popFirst().flatMap(FuzzTarget.named), !arguments.isEmpty else {
        let list = FuzzTarget.all.map { "  \($0.name): \($0.about)" }.joined(separator: "\n")
        try OpenFile.standardError.write(Array("\(usage)\(list)\n".utf8))
        exit(64)
      }
      for path in arguments {
        let bytes = try Files.read(path)
        if let folder {
          try write(target.seeds(bytes), of: path, to: folder)
        } else {
          print("\(path): \(target.run(bytes)?.description ?? "read")")
          for seed in target.seeds(bytes) { target.run(seed) }
        }
      }
    }

    private static func write(_ seeds: [[UInt8]], of path: String, to folder: String) throws {
      for seed in seeds {
        // Equal seeds are written once: the name is derived from the contents.
        let name = "\(Files.stem(of: path))-\(SHA256.digest(seed).description.prefix(8))"
        let place = Files.joined(folder, name)
        if try Files.status(place) == nil { try Files.create(place, seed) }
      }
    }
  }
#endif

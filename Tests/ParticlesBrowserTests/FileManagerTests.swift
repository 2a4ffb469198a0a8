#if !os(macOS)
  import Foundation
  import ParticlesCore
  import ParticlesSystem
  import ParticlesTestSupport
  import Testing

  @testable import ParticlesBrowser

  /// The real program, which asks the file manager of the desktop. The programs that it would run are scripts.
  @Suite("File manager of the desktop")
  struct FileManagerTests {
    private let scratch: Scratch
    private let docs: String

    init() throws {
      scratch = try Scratch()
      docs = "\(try Files.resolve(scratch.path))/docs"
      for path in [docs, scratch.file("bin"), scratch.file("run")] {
        try Files.makeDirectories(path)
      }
      try Files.create("\(docs)/it's.txt", [])
    }

    /// Reveals the file where these programs have these statuses.
    /// - Returns: the status of the answer, and the words that the programs got.
    private func reveal(_ statuses: KeyValuePairs<String, Int>) throws -> (
      status: Int, calls: [String]
    ) {
      let calls = scratch.file("calls")
      try? Files.removeAll(calls)
      for (program, status) in statuses {
        let path = scratch.file("bin/\(program)")
        try? Files.removeAll(path)
        let script = "#!/bin/sh\necho \(program) \"$@\" >> '\(calls)'\nexit \(status)\n"
        try Files.create(path, Array(script.utf8), executable: true)
      }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Run.built("particles"))
      process.arguments = ["browse", docs, "--no-open"]
      process.environment = scratch.desktop([
        "PATH": scratch.file("bin"), "XDG_RUNTIME_DIR": scratch.file("run"),
      ]).merging(
        ProcessInfo.processInfo.environment.filter { $0.key.hasPrefix("PARTICLES_") }
      ) { $1 }
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      defer {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
      var text = ""
      while !text.hasSuffix("\n") {
        let piece = output.fileHandleForReading.availableData
        try #require(!piece.isEmpty)
        text += String(decoding: piece, as: UTF8.self)
      }
      let page = try #require(URL(string: text.trimmingCharacters(in: .newlines)))
      let port = try #require(page.port)
      func order(_ route: String, _ body: JSONValue) throws -> (status: Int, body: [UInt8]) {
        let contents = Array(body.denseText.utf8)
        let head =
          "POST \(page.path)/\(route) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
          + "Content-Length: \(contents.count)\r\nConnection: close\r\n\r\n"
        let answer = try LocalClient.exchange(Array(head.utf8) + contents, port: port, seconds: 30)
        let end = answer.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? answer.count
        let words = String(decoding: answer[..<end], as: UTF8.self).split(separator: " ")
        return (words.count > 1 ? Int(words[1]) ?? 0 : 0, Array(answer[end...]))
      }
      let found = try order("find", ["path": .string("\(docs)/it's.txt")])
      let item = try #require(try JSONValue(parsing: found.body).object?["id"])
      let (status, _) = try order("reveal", ["item": item])
      let lines = (try? Files.read(calls)).map { String(decoding: $0, as: UTF8.self) } ?? ""
      return (status, lines.split(separator: "\n").map(String.init))
    }

    @Test("it shows the item, or else its folder is opened, or else the user is told")
    func reveal() throws {
      let address = "['file://\(docs)/it%27s.txt']"
      let shown = try reveal(["gdbus": 0, "xdg-open": 0])
      #expect(shown.status == 200 && shown.calls.count == 1)
      #expect(shown.calls.first?.hasSuffix(".ShowItems \(address) ''") == true, "\(shown.calls)")
      for status in [1, 0] {
        let folder = try reveal(["gdbus": 1, "xdg-open": status])
        #expect(folder.status == (status == 0 ? 200 : 422))
        #expect(folder.calls.count == 2 && folder.calls.last == "xdg-open \(docs)")
      }
    }
  }
#endif

internal import Foundation

/// Paths for tests, independent of the working directory.
package enum Repository {
  /// The folder that holds Package.swift.
  package static let root: String = {
    var url = URL(fileURLWithPath: #filePath)
    repeat {
      url.deleteLastPathComponent()
    } while !FileManager.default.fileExists(
      atPath: url.appendingPathComponent("Package.swift").path) && url.path != "/"
    return url.path
  }()

  package static func path(_ relative: String) -> String { "\(root)/\(relative)" }

  /// The folder of real files by other people: the value of `PARTICLES_CORPUS`, or `../shared/corpus`. They are not
  /// part of the project. Nil if there is no such folder.
  package static let corpus: String? = {
    let path =
      ProcessInfo.processInfo.environment["PARTICLES_CORPUS"]
      ?? URL(fileURLWithPath: root).deletingLastPathComponent()
      .appendingPathComponent("shared/corpus").path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  /// Whether golden files are written instead of compared.
  package static let isRecording =
    ProcessInfo.processInfo.environment["PARTICLES_RECORD"] == "1"
}

/// A temporary folder for one test, removed when the value is released.
package final class Scratch: Sendable {
  package let path: String

  package init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("particles-test-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The environment of a desktop whose user has only files in this folder: `share`, `config` and `cache`. The system's
  /// data are real.
  package func desktop(_ changes: [String: String] = [:]) -> [String: String] {
    [
      "HOME": path, "XDG_DATA_HOME": file("share"), "XDG_CONFIG_HOME": file("config"),
      "XDG_CACHE_HOME": file("cache"), "XDG_CONFIG_DIRS": file("etc"),
      "XDG_DATA_DIRS": "/usr/local/share:/usr/share", "XDG_CURRENT_DESKTOP": "",
      "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8",
    ].merging(changes, uniquingKeysWith: { $1 })
  }
}

/// Repeatable random numbers (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}

internal import ParticlesCore
internal import ParticlesSystem
package import Testing

/// Texts in the repository that tests compare with the program's present output. With PARTICLES_RECORD=1 they are
/// written instead.
package enum Golden {
  /// Expects the lines between `<!-- begin NAME -->` and `<!-- end NAME -->` to be `text`.
  package static func checkSection(
    _ name: String, of file: String, is text: @autoclosure () throws -> String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let path = Repository.path(file)
    let whole = String(decoding: try Files.read(path), as: UTF8.self)
    let (begin, end) = ("<!-- begin \(name) -->\n", "<!-- end \(name) -->")
    let start = try #require(whole.firstRange(of: begin), sourceLocation: sourceLocation)
    let stop = try #require(whole.firstRange(of: end), sourceLocation: sourceLocation)
    let new = whole[..<start.upperBound] + "\n" + (try text()) + "\n\n" + whole[stop.lowerBound...]
    try check(String(new), against: file, sourceLocation: sourceLocation)
  }

  /// Expects a file of the repository to hold `text`.
  package static func check(
    _ text: String, against file: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let path = Repository.path(file)
    if Repository.isRecording {
      return try SafeSave.file(path, replacing: true) { try $0.write(Array(text.utf8)) }
    }
    let old = String(decoding: try Files.read(path), as: UTF8.self)
    guard old != text else { return }
    let lines = zip(old.split(separator: "\n"), text.split(separator: "\n"))
    let different = lines.first { $0 != $1 }
    Issue.record(
      """
      \(file) is not what the program makes now; PARTICLES_RECORD=1 writes it anew.
      kept: \(different?.0 ?? "(its length differs)")
      made: \(different?.1 ?? "(its length differs)")
      """, sourceLocation: sourceLocation)
  }
}

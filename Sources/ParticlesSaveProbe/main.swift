import ParticlesContainer
import ParticlesPackages
internal import ParticlesPlatform

// For tests that kill it during a save: changes one entry of a package and saves it, with `again` once more
// after a save that failed, or replaces a directory by an unpacked package.
//
//     ParticlesSaveProbe <package> append|replace|automatic <entry> <contents> [again]
//     ParticlesSaveProbe <folder> unpack <package>

let arguments = CommandLine.arguments
if arguments.count == 4, arguments[2] == "unpack" {
  do {
    let source = try ByteSource.file(arguments[3])
    var position = 0
    try Container.unpack(name: arguments[3], toDirectory: arguments[1], replacing: true) { count in
      defer { position += min(count, source.size - position) }
      return try source.bytes(at: position, count: min(count, source.size - position))
    }
    exit(0)
  } catch {
    print(error)
    exit(2)
  }
}
if arguments.count == 4, arguments[1] == "ticks" {
  do {
    try await Ticks.run(arguments[2], count: Int(arguments[3]) ?? 1)
    exit(0)
  } catch {
    print(error)
    exit(2)
  }
}
if arguments.count == 6, ["session", "share"].contains(arguments[1]) {
  do {
    let count = Int(arguments[5]) ?? 1
    if arguments[1] == "session" {
      try await Session.run(
        arguments[2], data: arguments[3], inPlace: arguments[4] != "journal", edits: count,
        holding: arguments[4] == "hold")
    } else {
      try await Session.share(arguments[2], data: arguments[3], name: arguments[4], edits: count)
    }
    exit(0)
  } catch {
    print(error)
    exit(2)
  }
}
if arguments.count == 6, let count = Int(arguments[4]), let limit = Int(arguments[5]),
  ["many", "exhaust"].contains(arguments[1])
{
  do {
    if arguments[1] == "many" {
      try await ManyDocuments.run(arguments[2], data: arguments[3], count: count, limit: limit)
    } else {
      try await ManyDocuments.exhaust(arguments[2], data: arguments[3], count: count, limit: limit)
    }
    exit(0)
  } catch {
    print(error)
    exit(2)
  }
}
guard [5, 6].contains(arguments.count), let mode = SaveMode(rawValue: arguments[2]) else {
  exit(64)
}
do {
  var package = try Container(contentsOf: arguments[1])
  let contents = FileNode(regularFileWithContents: Array(arguments[4].utf8))
  try package.root.setFileNode(contents, at: arguments[3])
  do {
    try package.save(mode: mode)
  } catch {
    guard arguments.count == 6 else { throw error }
    print(error)
    // Nothing has changed since, then something has.
    try package.save(mode: .automatic)
    try package.root.setFileNode(contents, at: "\(arguments[3]) again")
    try package.save(mode: mode)
  }
} catch {
  print(error)
  exit(2)
}

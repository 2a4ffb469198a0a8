import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import ParticlesTypes
import Testing

@testable import ParticlesDesktop

/// Compares with GIO, which the file managers of most desktops use: `gio info` for the type of a file,
/// `gio mime` for its programs.
@Suite("Types and programs, compared with gio", .serialized, .needs("gio"))
struct GIOTests {
  /// Whether the database of types is installed.
  private static let hasTypes =
    (try? SharedMIMEDatabase(folders: ["/usr/share"]))?.globs.isEmpty == false

  private let scratch: Scratch
  private let gio: String
  private let environment: [String: String]

  init() throws {
    scratch = try Scratch()
    gio = try #require(Run.find("gio"))
    environment = scratch.desktop([
      "XDG_DATA_DIRS": "\(scratch.file("first")):/usr/share", "XDG_CURRENT_DESKTOP": "Test:GNOME",
    ])
  }

  // MARK: Types

  /// Returns the types of files by `gio info`.
  private func types(_ paths: [String]) throws -> [String] {
    let key = "standard::content-type: "
    var types: [String] = []
    for start in stride(from: 0, to: paths.count, by: 500) {
      let run = try Run.succeeding(
        gio, ["info", "-a", "standard::content-type"] + paths[start...].prefix(500),
        environment: environment)
      types += run.text.split(separator: "\n").compactMap { line in
        line.firstRange(of: key).map { String(line[$0.upperBound...]) }
      }
    }
    return types
  }

  private func recognise(_ database: SharedMIMEDatabase, _ path: String) throws -> String {
    let status = try #require(try Files.status(path, followingLinks: false))
    return try database.recognise(Files.lastComponent(of: path), status) {
      Array(try Files.read(path).prefix(SharedMIMEDatabase.headSize))
    }.type
  }

  /// Compares the types of files. An empty file is text to GLib before 2.75, and of a type of its own
  /// since.
  private func compare(_ database: SharedMIMEDatabase, _ paths: [String]) throws {
    let answers = try types(paths)
    #expect(answers.count == paths.count)
    for (path, answer) in zip(paths, answers) where answer != "application/x-zerosize" {
      let ours = try recognise(database, path)
      #expect(ours == answer, "\(Files.lastComponent(of: path))")
    }
  }

  /// Contents that decide between types in different ways.
  private static let contents: [(name: String, bytes: [UInt8])] = [
    ("text", Array("hello\n".utf8)), ("empty", []), ("binary", [0, 1, 2, 3, 0xFF]),
    ("xml", Array("<?xml version=\"1.0\"?>\n<a/>\n".utf8)),
    ("pdf", Array("%PDF-1.4\n".utf8)), ("ogg", Array("OggS\0\0\0\0".utf8)),
    ("zip", [0x50, 0x4B, 3, 4] + [UInt8](repeating: 0, count: 40)),
    ("desktop", Array("[Desktop Entry]\nType=Application\n".utf8)),
    ("delete", Array("text\u{7F}".utf8)), ("latin", Array("caf".utf8) + [0xE9, 8, 12]),
    ("mpeg", [0x47] + [UInt8](repeating: 0, count: 187) + [0x47]),
  ]

  @Test(
    "each pattern of the installed database, with several contents, has the type that gio reports",
    .enabled(if: hasTypes, "no shared MIME database"))
  func patterns() throws {
    let database = try SharedMIMEDatabase(folders: ["/usr/share"])
    let names = Set(database.globs.map { Glob.example(of: $0.pattern.pattern) })
    var all = names.union(names.map { $0.uppercased() }).sorted()
    all += [
      "plain", "README", "readme.txt", "x.so.1", "Makefile.in", "core", "a.b.c", "ü.ts", "x~",
    ]
    for (index, contents) in Self.contents.enumerated() {
      let folder = scratch.file(contents.name)
      try Files.makeDirectory(folder)
      // The first two contents with every name, the rest with names of several types or none.
      let chosen = index < 2 ? all : all.filter { database.globs(forFileName: $0).count != 1 }
      #expect(chosen.count > 40)
      let paths = Sample.of(chosen, 50).map { Files.joined(folder, $0) }
      for path in paths where try Files.status(path) == nil {
        try Files.create(path, contents.bytes)
      }
      try compare(database, paths)
    }
  }

  @Test(
    "contents of each pattern of the installed database have the type that gio reports",
    .enabled(if: hasTypes, "no shared MIME database"))
  func magic() throws {
    let database = try SharedMIMEDatabase(folders: ["/usr/share"])
    var paths: [String] = []
    for (index, entry) in database.patterns.enumerated() {
      for (number, filler) in [UInt8(0), UInt8(ascii: " ")].enumerated() {
        guard let bytes = Self.example(of: entry.pattern, filler: filler) else { continue }
        paths.append(scratch.file("magic-\(index)-\(number)"))
        try Files.create(paths[paths.count - 1], bytes)
      }
    }
    #expect(paths.count > 500)
    try compare(database, Sample.of(paths, 100))
  }

  /// Contents that a pattern matches, or nil if they need more than the first bytes.
  private static func example(of pattern: ContentPattern, filler: UInt8) -> [UInt8]? {
    guard pattern.reach <= SharedMIMEDatabase.headSize else { return nil }
    var bytes = [UInt8](repeating: filler, count: pattern.reach + 4)
    var next: ContentPattern? = pattern
    while let pattern = next {
      for (offset, byte) in pattern.bytes.enumerated() {
        let mask = pattern.mask?[offset] ?? 0xFF
        bytes[pattern.offsets.lowerBound + offset] =
          byte & mask | bytes[pattern.offsets.lowerBound + offset] & ~mask
      }
      next = pattern.also.first
    }
    return bytes
  }

  @Test("folders, links, pipes and devices have the types that gio reports")
  func kinds() throws {
    let database = try SharedMIMEDatabase(folders: ["/usr/share"])
    try Files.makeDirectory(scratch.file("folder.html"))
    try Files.makeLink(scratch.file("link.html"), to: "nowhere")
    _ = try Run.succeeding("/usr/bin/mkfifo", [scratch.file("pipe.html")])
    let paths = ["folder.html", "link.html", "pipe.html"].map(scratch.file) + ["/dev/null"]
    try compare(database, paths)
  }

  @Test(
    "a user's package of types changes the answers as it changes those of gio",
    .needs("update-mime-database"))
  func user() throws {
    let update = try #require(Run.find("update-mime-database"))
    try Files.makeDirectory(scratch.file("share"))
    try Files.makeDirectory(scratch.file("share/mime"))
    try Files.makeDirectory(scratch.file("share/mime/packages"))
    let package = """
      <?xml version="1.0"?>
      <mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
        <mime-type type="text/x-csrc"><glob-deleteall/><glob pattern="*.new"/></mime-type>
        <mime-type type="application/x-a"><glob pattern="*.c"/><glob pattern="*.html" weight="90"/>
          <magic priority="85"><match type="string" value="HIGH" offset="0"/></magic></mime-type>
        <mime-type type="image/x-b"><glob pattern="*.ogg"/><glob pattern="*.Q" case-sensitive="true"/>
          <glob pattern="x?z*"/><magic priority="30"><match type="string" value="LOW" offset="0"/></magic>
        </mime-type>
        <mime-type type="text/x-c"><glob pattern="*.ts" weight="10"/><glob pattern="*.q"/></mime-type>
      </mime-info>
      """
    try Files.create(scratch.file("share/mime/packages/a.xml"), Array(package.utf8))
    _ = try Run.succeeding(update, [scratch.file("share/mime")], environment: environment)
    let database = try SharedMIMEDatabase(folders: [scratch.file("share"), "/usr/share"])
    var paths: [String] = []
    for text in ["HIGH", "LOW", "text", "\0", "OggS\0\0", "<html>"] {
      let folder = scratch.file("in-\(paths.count)")
      try Files.makeDirectory(folder)
      for name in ["a.c", "a.new", "a.html", "a.ogg", "a.Q", "a.q", "a.ts", "xyz", "XyZ.q", "none"]
      {
        paths.append(Files.joined(folder, name))
        try Files.create(paths[paths.count - 1], Array(text.utf8))
      }
    }
    try compare(database, paths)
  }

  // MARK: Programs

  /// Lines of `gio mime TYPE`: the default program, the registered ones and the recommended ones.
  private func programs(_ type: String) throws -> [[String]] {
    let run = try Run.succeeding(gio, ["mime", type], environment: environment)
    var lists: [[String]] = [[], [], []]
    var list = 0
    for line in run.text.split(separator: "\n") {
      if line.hasPrefix("Default"), let colon = line.lastIndex(of: " ") {
        lists[0] = [String(line[line.index(after: colon)...])]
      } else if line.hasPrefix("Registered") {
        list = 1
      } else if line.hasPrefix("Recommended") {
        list = 2
      } else if line.hasPrefix("\t") {
        lists[list].append(String(line.dropFirst()))
      }
    }
    return lists
  }

  @Test("programs are those that gio mime reports, whatever was chosen, removed or deleted")
  func programs() throws {
    let types = [
      "text/x-python", "text/plain", "application/x-gzip", "inode/directory", "image/svg+xml",
      "text/x-unknown",
    ]
    var random = SeededGenerator(seed: 20)
    for _ in 0..<(Sample.isWhole ? 40 : 8) {
      for folder in ["share", "config", "first", "etc"] {
        if try Files.status(scratch.file(folder)) != nil {
          try Files.removeAll(scratch.file(folder))
        }
        try Files.makeDirectory(scratch.file(folder))
      }
      for folder in ["share", "first"] {
        let place = scratch.file("\(folder)/applications")
        try Files.makeDirectory(place)
        try makeEntries(place, types, &random)
        try makeAssociations(place, types, &random)
      }
      for folder in ["config", "etc"] {
        try makeAssociations(scratch.file(folder), types, &random)
      }
      let desktop = try Desktop(environment: environment)
      for type in types {
        let ours = [
          desktop.defaultProgram(for: type).map { [$0.identifier] } ?? [],
          desktop.programs(for: type, includingSupertypes: true).map(\.identifier),
          desktop.programs(for: type).map(\.identifier),
        ]
        let theirs = try programs(type)
        #expect(theirs == ours, "\(type)")
      }
    }
  }

  private static let identifiers = [
    "a.desktop", "b.desktop", "c.desktop", "d.desktop", "vim.desktop",
  ]

  private func makeEntries(
    _ folder: String, _ types: [String], _ random: inout SeededGenerator
  ) throws {
    var cache = "[MIME Cache]\n"
    for type in types where Bool.random(using: &random) {
      let names = Self.identifiers.shuffled(using: &random).prefix(
        Int.random(in: 1...3, using: &random))
      cache += "\(type)=\(names.joined(separator: ";"));\n"
    }
    try Files.create(Files.joined(folder, "mimeinfo.cache"), Array(cache.utf8))
    let variants = [
      "Exec=sh %f", "Exec=\"sh\" -c 'x' %F", "Exec=/bin/sh", "Exec=no-such-program %f",
      "Exec=sh 'open",
      "Exec=sh %f\nTryExec=no-such-program", "Exec=sh %u\nHidden=true", "DBusActivatable=true",
      "Exec=sh %f\nNoDisplay=true",
    ]
    for identifier in Self.identifiers.dropLast() where Int.random(in: 0..<4, using: &random) > 0 {
      let kind = Int.random(in: 0..<8, using: &random) == 0 ? "Link" : "Application"
      let text =
        "[Desktop Entry]\nType=\(kind)\nName=X\n"
        + variants[Int.random(in: variants.indices, using: &random)] + "\n"
      try Files.create(Files.joined(folder, identifier), Array(text.utf8))
    }
  }

  private func makeAssociations(
    _ folder: String, _ types: [String], _ random: inout SeededGenerator
  ) throws {
    for name in ["mimeapps.list", "test-mimeapps.list", "gnome-mimeapps.list", "defaults.list"]
    where Bool.random(using: &random) {
      var text = ""
      for group in ["Default Applications", "Added Associations", "Removed Associations"] {
        text += "[\(group)]\n"
        for type in types where Int.random(in: 0..<3, using: &random) == 0 {
          let names = Self.identifiers.shuffled(using: &random)
            .prefix(Int.random(in: 1...3, using: &random))
          text += "\(type)=\(names.joined(separator: ";"))\n"
        }
      }
      try Files.create(Files.joined(folder, name), Array(text.utf8))
    }
  }
}

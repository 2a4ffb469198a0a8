import Foundation
import ParticlesBrowser
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesCLI

@Suite("The language of help and messages")
struct WordingTests {
  private let scratch: Scratch
  private let german = ["LANG": "de_DE.UTF-8"]

  init() throws { scratch = try Scratch() }

  private func run(_ words: String..., environment: [String: String] = [:]) -> Outcome {
    Tool.particles.run(list: words, environment: environment)
  }

  @Test(
    "the variables of the locale decide in the order of gettext",
    arguments: [
      ([:], "no such"), (["LANG": "de_DE.UTF-8"], "nicht vorhanden"), (["LANG": "de"], "nicht"),
      (["LANG": "de_AT.utf8@euro"], "nicht"), (["LANG": "C.UTF-8"], "no such"),
      (["LANG": "de_DE.UTF-8", "LC_ALL": "C"], "no such"),
      (["LANG": "de_DE.UTF-8", "LC_ALL": ""], "nicht"),
      (["LANG": "en_GB.UTF-8", "LC_MESSAGES": "de_DE.UTF-8"], "nicht"),
      (["LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR.UTF-8"], "no such"),
      (["LANG": "de_DE.UTF-8", "LC_MESSAGES": "de_DE.UTF-8", "LC_ALL": "en_US.UTF-8"], "no such"),
      (["LANG": "fr_FR.UTF-8", "LANGUAGE": "fr:de:en"], "nicht"),
      (["LANG": "de_DE.UTF-8", "LANGUAGE": "fr:en:de"], "no such"),
      (["LANG": "de_DE.UTF-8", "LANGUAGE": "sv"], "nicht"), (["LANGUAGE": "de"], "no such"),
      (["LANG": "C.UTF-8", "LANGUAGE": "de"], "no such"),
      (["LANG": "de_DE.ISO-8859-1"], "no such"),
    ] as [([String: String], String)])
  func language(_ environment: [String: String], _ words: String) {
    let outcome = run("info", "/nowhere.pex", environment: environment)
    #expect(outcome.status == .failed)
    #expect(outcome.error.contains(words), "\(environment): \(outcome.error)")
    #expect(outcome.error.contains("[file/not-found]"))
  }

  @Test("help has headings and short lines in German, and commands and options as they are")
  func help() {
    let all = run("--help", environment: german).output
    for line in [
      "Partikeleffekte und ihre", "AUFRUF: particles <command>", "UNTERBEFEHLE FÜR BILDER:",
      "  convert                 Dokumente zwischen Formaten",
      "  -q, --quiet             Nur Fehler",
      "'particles help <command>' zeigt",
    ] { #expect(all.contains(line), "\(line)\n\(all)") }
    let convert = run("help", "convert", environment: german).output
    for line in [
      "BEISPIELE:", "OPTIONEN:", "(Standard: 1)", "auch mehrmals", "Mit Status 1 enden, wenn",
    ] { #expect(convert.contains(line), "\(line)\n\(convert)") }
  }

  @Test("every command, argument and option has a short line in German, and no other has one")
  func complete() throws {
    var (keys, missing): (Set<String>, Set<String>) = ([], [])
    func need(_ own: [String]) {
      keys.formUnion(own)
      if !own.contains(where: { Texts.text($0, of: .help, in: "de") != nil }) {
        missing.insert(own[0])
      }
    }
    need(["particles"])
    for index in Tool.particles.examples.indices { need(["particles.\(index + 1)"]) }
    func need(_ options: [Option], of path: String) {
      for option in options {
        let own = ["\(path).\(option.spelling)", option.spelling]
        need(own)
        keys.formUnion(own.map { "\($0).default" })
        // Numbers and the words of a choice are values.
        guard let text = option.defaultText, Double(text) == nil,
          option.parameter?.listed.contains(text) != true, !Self.keywords.contains(text)
        else { continue }
        need(own.map { "\($0).default" })
      }
    }
    need(Option.everywhere + [.version], of: "")
    for command in Tool.particles.allCommands {
      need([command.path])
      for argument in command.arguments { need(["\(command.path).<\(argument.name)>"]) }
      need(command.options, of: command.path)
    }
    #expect(keys.count > 300)
    #expect(missing.sorted() == [])
    #expect(try Self.keys("help").subtracting(keys).sorted() == [])
  }

  private static let keywords: Set = [
    "high", "automatic", "auto", "plist", "hash", "Editor", "Owner",
  ]

  /// The keys of a section of the German file.
  private static func keys(_ section: String) throws -> Set<String> {
    let path = Repository.path("Sources/ParticlesBrowser/Pages/de.json")
    let sections = try JSONValue(parsing: try Files.read(path)).object
    return Set((sections?[section]?.object?.members ?? []).map(\.key))
  }

  @Test("the next step for a rule with commands of the tool is in German")
  func rules() {
    for rule in Rule.all {
      guard let hint = Diagnostic(rule).toolHint, hint != rule.hint else { continue }
      #expect(Texts.text(hint, of: .tool, in: "de") != nil, "\(rule.code): \(hint)")
    }
  }

  @Test("a phrase has its values apart, is English text, and can be put together")
  func phrases() {
    let word = "x"
    let saved: Phrase = "saved \(word) \(fixed: "twice")"
    #expect(saved.key == "saved {0} twice" && saved.description == "saved x twice")
    let both = saved + ", \(2.of("file"))"
    #expect(both.key == "saved {0} twice, {1}" && both.description == "saved x twice, 2 files")
    #expect([saved, 1.of("file")].joined(separator: "; ").description == "saved x twice; 1 file")
    #expect([Phrase]().joined(separator: "; ") == "")
    let german = Wording { ["LANG": "de_DE.UTF-8"][$0] }
    #expect(german.text("\(3.of("file")): \(1.of("error"))") == "3 Dateien: 1 Fehler")
    #expect(german.text("wrote \("a {0} b")") == "geschrieben: a {0} b")
    #expect(german.text("not in the catalogue: {x} \(word)") == "not in the catalogue: {x} x")
    #expect(Wording.english.text(saved) == "saved x twice")
  }

  @Test("the catalogue has the errors and lines of the tool, and no others")
  func used() throws {
    let folders = ["ParticlesCLI", "ParticlesDesktop", "ParticlesDocuments"]
    var source = ""
    for folder in folders.map({ Repository.path("Sources/\($0)") }) {
      let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
      for path in paths where path.hasSuffix(".swift") {
        source += String(decoding: try Files.read("\(folder)/\(path)"), as: UTF8.self)
      }
    }
    // Errors and lines without values are in it.
    let fixed = /(?:UsageError|\.inform|\.complain)\(\s*"([^"\\]+)"\s*[,)]/
    let stated = Set(source.matches(of: fixed).map { String($0.1) })
    #expect(stated.count > 50)
    #expect(stated.subtracting(try Self.keys("tool")).sorted() == [])
    // Texts over several lines.
    source = source.replacing(/"\s*\n\s*\+ "/, with: "").replacing(/\\\n\s*/, with: "")
      .replacing("\\\"", with: "\"").lowercased()
    let keys = try Self.keys("tool")
    #expect(keys.count > 200)
    // Code makes these of several parts.
    let made = [
      "unknown ", "nothing to ", "undid ", "redid ", "restored version ", "deleted version ",
      "moved ", "copied ",
    ]
    for key in keys where !made.contains(where: { key.hasPrefix($0) }) {
      let part = key.split(separator: /\{\d\}/).max { $0.count < $1.count } ?? ""
      let words = part.trimmingPrefix { " '(".contains($0) }.lowercased()
      let plain = words.hasSuffix("s") ? String(words.dropLast()) : words
      let heading = plain.replacing(" subcommand", with: "")
      #expect(source.contains(plain) || source.contains(heading), "\(key)")
    }
  }

  @Test("usage errors, next steps and lines about what was done are in German")
  func messages() throws {
    let unknown = run("convrt", environment: german)
    #expect(unknown.status == .usage)
    #expect(
      unknown.error.contains("unbekannter Befehl 'convrt'; ist 'convert' gemeint?\n  Aufruf:"),
      "\(unknown.error)")
    let missing = run("convert", environment: german)
    #expect(missing.error.contains("das Argument <in> fehlt"), "\(missing.error)")
    let value = run("render", "x", "--fps", environment: german)
    #expect(value.error.contains("'--fps' braucht einen Wert <"), "\(value.error)")
    let path = scratch.file("fire.particles")
    let made = run("new", path, "-t", "fire", environment: german)
    #expect(made.error == "angelegt: \(path) aus 'fire' (4 Dateien)\n", "\(made.error)")
    let again = run("new", path, "-t", "fire", environment: german)
    #expect(again.error.contains("Fehler: ist schon vorhanden [file/exists]"), "\(again.error)")
    #expect(again.error.contains("  Hinweis: einen anderen Namen wählen, oder mit --force"))
    let set = run("edit", path, "emitters[0].color.opacity=7", environment: german)
    #expect(set.error.contains("(erwartet: 0 bis 1, gefunden: 7) [document/range]"), "\(set.error)")
    #expect(set.error.contains("Hinweis: --allow-out-of-range sichert"), "\(set.error)")
    let checked = run("validate", path, environment: german)
    #expect(checked.error == "1 Datei: 0 Fehler, 0 Warnungen\n", "\(checked.error)")
    // Words of users are theirs, also if the catalogue has them.
    let own = scratch.file("all")
    #expect(
      run("new", "\(own).txt", environment: german).error == "angelegt: \(own).txt\n")
  }

  @Test("colour marks the German word, too")
  func colors() {
    let outcome = run("info", "/nowhere.pex", "--color", "always", environment: german)
    #expect(outcome.error.contains("\u{1B}[1;31mFehler\u{1B}[0m"), "\(outcome.error)")
  }

  @Test(
    "JSON, SARIF, exit statuses, man pages and completions are the same in every language",
    arguments: [
      ["info", "--json", "/nowhere.pex"], ["validate", "--json", "broken.pex"],
      ["validate", "--sarif", "broken.pex"], ["convert", "--json", "x"], ["formats", "--json"],
      ["convert", "--json", "broken.pex", "--to", "pixi", "-n"], ["templates", "--json"],
      ["help", "--manual", "convert"], ["help", "--completions", "bash"], ["help", "--markdown"],
      ["edit", "--list", "--json"], ["types", "show", "pex", "--json"], ["--version"],
    ])
  func programs(_ words: [String]) throws {
    let broken = scratch.file("broken.pex")
    try Files.create(broken, Array("<particleEmitterConfig><speed value='x'/>".utf8))
    let words = words.map { $0 == "broken.pex" ? broken : $0 }
    let plain = Tool.particles.run(list: words)
    let other = Tool.particles.run(list: words, environment: german)
    #expect(plain.output == other.output && plain.status == other.status)
  }

  @Test("the types of the shared MIME database, the entry and the menus have German names")
  func desktop() throws {
    let share = scratch.file("usr/share")
    let outcome = run(
      "desktop", "install", "--prefix", scratch.file("usr"), "--program", "sh",
      environment: ["PATH": "/bin:/usr/bin", "HOME": scratch.path])
    #expect(outcome.status == .done, "\(outcome.error)")
    func text(_ path: String) throws -> String {
      String(decoding: try Files.read("\(share)/\(path)"), as: UTF8.self)
    }
    let types = try text("mime/packages/particles.xml")
    let titles = types.matches(of: /<comment>([^<]+)<\/comment>\n\s*<comment xml:lang="de">/)
    #expect(titles.count > 15 && titles.count == types.matches(of: /<comment>/).count, "\(types)")
    #expect(types.contains("<comment xml:lang=\"de\">Partikelsystem von Starling</comment>"))
    let entry = try text("applications/particles.desktop")
    #expect(entry.contains("\nComment[de]=Zeigt Partikeleffekte im Webbrowser\n"), "\(entry)")
    let menu = try text("kio/servicemenus/particles-particles.desktop")
    #expect(menu.contains("\nName[de]=Umwandeln in: Particles-Paket\n"), "\(menu)")
    #expect(
      try text("nemo/actions/particles-gif.nemo_action")
        .contains("\nName[de]=Als GIF exportieren\n"))
  }
}

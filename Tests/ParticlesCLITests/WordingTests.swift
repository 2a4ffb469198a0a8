import Foundation
import ParticlesBrowser
import ParticlesCore
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

  @Test("every command, argument and option has a short line in German")
  func complete() {
    let commands = Tool.particles.allCommands
    var texts = [Tool.particles.summary, Tool.particles.discussion]
    texts += commands.map(\.summary) + commands.flatMap(\.arguments).map(\.summary)
    let options = Option.everywhere + [.version] + commands.flatMap(\.options)
    texts += options.map(\.summary)
    // Numbers and the words of a choice are values.
    for option in options {
      guard let text = option.defaultText, Double(text) == nil,
        option.parameter?.listed.contains(text) != true
      else { continue }
      texts.append(text)
    }
    let keywords: Set = ["high", "automatic", "auto", "plist", "hash", "Editor", "Owner"]
    let missing = Set(texts).subtracting(keywords).filter { !Wording.isTranslated($0) }
    #expect(texts.count > 300)
    #expect(missing.sorted() == [])
  }

  @Test("each message and hint of a rule is in German, and so is the next step with commands")
  func rules() {
    for rule in Rule.all {
      for text in [rule.summary, rule.hint, Diagnostic(rule).toolHint].compactMap(\.self) {
        #expect(Wording.isTranslated(text), "\(rule.code): \(text)")
      }
    }
  }

  @Test("the catalogue has no text of the tool that is not in its sources")
  func used() throws {
    let folders = ["ParticlesCLI", "ParticlesDesktop", "ParticlesDocuments"]
    var source = ""
    for folder in folders.map({ Repository.path("Sources/\($0)") }) {
      let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
      for path in paths where path.hasSuffix(".swift") {
        source += String(decoding: try Files.read("\(folder)/\(path)"), as: UTF8.self)
      }
    }
    // Texts over several lines.
    source = source.replacing(/"\s*\n\s*\+ "/, with: "").replacing(/\\\n\s*/, with: "")
      .replacing("\\\"", with: "\"").lowercased()
    let shared = Set(GermanTexts.all.filter { $0.values == .words }.map(\.english))
    let names = Set(GermanTexts.names.map(\.english))
    let rows = GermanTexts.all.filter {
      !shared.contains($0.english) && !names.contains($0.english)
    }
    #expect(rows.count > 400)
    // Code makes these of several parts.
    let made = [
      "unknown ", "nothing to ", "undid ", "redid ", "restored version ", "deleted version ",
      "{0} repair", "'{0}' needs a camera", "'{0}' needs a colour", "'{0}' needs a size",
    ]
    for row in rows where !made.contains(where: { row.english.hasPrefix($0) }) {
      let part = row.english.split(separator: /\{\d\}/).max { $0.count < $1.count } ?? ""
      let words = part.trimmingPrefix { " '(".contains($0) }.lowercased()
      let plain = words.hasSuffix("s") ? String(words.dropLast()) : words
      let heading = plain.replacing(" subcommand", with: "")
      #expect(
        source.contains(plain) || source.contains(heading), "\(row.english)")
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

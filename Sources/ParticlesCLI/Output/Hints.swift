internal import ParticlesCore
internal import ParticlesFormats

extension Diagnostic {
  /// The formats that can be read, if this is about a file of another one.
  var readableFormats: String? {
    guard [.foreign, .unknownFormat].contains(rule) else { return nil }
    let titles = FormatRegistry.standard.formats.filter(\.canRead).map(\.title)
    return "formats that are read: \(titles.joined(separator: ", "))"
  }

  /// The hint for users of the tool. It names options and commands where they help; the hints of the
  /// library cannot.
  var toolHint: String? { hint == rule.hint ? Self.toolHints[rule.code] ?? hint : hint }

  private static let damage =
    "fetch the file again, restore it from a copy, or save what is intact with "
    + "'particles unpack --recover'"

  private static let toolHints: [String: String] = [
    Rule.fileExists.code: "choose another name, or use --force to replace it",
    Rule.signature.code: "'particles info' shows the format; 'particles convert' writes packages",
    Rule.limit.code: "the tool has no option for higher limits, but the library does",
    Rule.noEntry.code: "'particles list' shows the entries",
    Rule.torn.code: "'particles compact' removes it",
    Rule.fileStore.code: "'particles versions FILE repair' removes the damaged parts",
    Rule.truncated.code: damage, Rule.checksum.code: damage, Rule.frame.code: damage,
    Rule.payload.code: damage, Rule.index.code: damage, Rule.coverage.code: damage,
    Rule.canonical.code: "'particles validate --fix' rewrites it",
    Rule.decimalCommas.code: "'particles validate --fix' writes points in their place",
    Rule.unknownFormat.code:
      "the file may be damaged; name its format with --from ('particles formats' lists them)",
    Rule.absentImage.code: "'particles edit FILE --image PICTURE' embeds it",
    Rule.missingImage.code: "put it beside the file, or name its folder with --images",
    Rule.indexMissing.code: "make one with 'particles index FOLDER'",
    Rule.indexForeign.code: "name another file with --database",
    Rule.indexVersion.code: "name a new file with --database, or remove this one",
    Rule.indexQuery.code:
      "'particles help find' lists the fields; quote texts with special characters",
  ]
}

internal import ParticlesCore

extension Diagnostic {
  /// What the user of the tool may do next: where an option or a command helps, that is what the hint
  /// says here, as the library knows of neither.
  var toolHint: String? { hint == rule.hint ? Self.toolHints[rule.code] ?? hint : hint }

  private static let damage =
    "fetch the file again, restore it from a copy, or save what is intact with "
    + "'particles unpack --recover'"

  private static let toolHints: [String: String] = [
    Rule.fileExists.code: "choose another name, or say --force to replace it",
    Rule.signature.code: "'particles info' says what it is; 'particles convert' makes packages",
    Rule.limit.code: "the tool has no option for higher limits; the library has",
    Rule.noEntry.code: "'particles list' shows what there is",
    Rule.torn.code: "'particles compact' gets rid of it",
    Rule.truncated.code: damage, Rule.checksum.code: damage, Rule.frame.code: damage,
    Rule.payload.code: damage, Rule.index.code: damage, Rule.coverage.code: damage,
    Rule.canonical.code: "'particles validate --fix' writes it anew",
    Rule.unknownFormat.code: "say what it is with --from; 'particles formats' lists the formats",
    Rule.absentImage.code: "'particles edit FILE --image PICTURE' embeds it",
    Rule.missingImage.code: "put it beside the file, or name its folder with --images",
  ]
}

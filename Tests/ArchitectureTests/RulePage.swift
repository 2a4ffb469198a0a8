import ParticlesCore
import Testing

/// `Spec/rules.md`: the table of rules, by family.
enum RulePage {
  /// What is said of each family before its rules.
  static let families = [
    "file": "What the system answered, before anything was looked at.",
    "limit": """
    A reader spends no more on a file than its caller allows. Exceeding a limit says nothing of \
    whether the file is sound.
    """,
    "container": """
    The bytes of a flat package. Each of these errors means that the file is not one that a \
    correct writer finished, or that it was damaged since.
    """,
    "tree": "Names, kinds and places of files in a package, in whichever form it is.",
    "zip": "ZIP archives, in which packages are exchanged.",
    "tar": "Tar archives, in which packages are exchanged.",
    "document": "The effect itself: `document.json`.",
    "image": "The images that a document refers to.",
    "xml": "XML, in which other programs store effects.",
    "budget": "What an effect asks of the machine that shows it.",
    "archive": "Property lists and keyed archives, in which other programs store effects.",
    "emitter": "Files of Particle Designer and its relatives: cocos2d, Solar2D, Starling.",
    "convert": "What became of an effect on its way from one format to another.",
    "types": """
    What property lists, `types.json` and desktop entries say of types and of who opens them. \
    `particles types lint` looks for all of this.
    """,
    "desktop": "What `particles desktop` installs for a desktop, and takes away again.",
    "usage": "What was asked for on the command line.",
  ]

  static let head = """
    # Rules

    Whatever can be wrong with a file has a rule, and every message of the library and of the tool \
    names it: `path:place: severity: summary [family/name]`. A rule keeps its code for ever; its \
    words may change. The fixtures `Fixtures/rules/<family>/<name>` break one rule each.

    An **error** stands for something that the specification forbids or that could not be done, a \
    **warning** for something that can be read but is not as it should be or not kept as it was, \
    and a **note** for something worth knowing.

    This page is generated from the table in the library; `PARTICLES_RECORD=1 make test` writes it \
    again.

    """

  static func text() throws -> String {
    var text = head
    var family = ""
    for rule in Rule.all {
      if rule.family != family {
        family = rule.family
        text += """

          ## \(family)

          \(try #require(families[family], "the family \(family) has no head"))

          | Code | Severity | Summary | Section | Hint |
          |---|---|---|---|---|

          """
      }
      let cells = [
        "`\(rule.code)`", "\(rule.severity)", escaped(rule.summary),
        "[\(rule.anchor)](\(rule.anchor))", rule.hint.map(escaped) ?? "",
      ]
      text += "| " + cells.joined(separator: " | ") + " |\n"
    }
    return text
  }

  private static func escaped(_ text: String) -> String { text.replacing("|", with: "\\|") }
}

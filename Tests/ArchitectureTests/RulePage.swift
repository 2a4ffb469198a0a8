import ParticlesCore
import Testing

/// `Spec/rules.md`: the table of rules, by family.
enum RulePage {
  /// The introduction of each family.
  static let families = [
    "file": "Errors of the operating system, reported before a file is read.",
    "limit": """
    A reader uses no more memory and time for a file than its caller allows. A file that exceeds a \
    limit may still be valid.
    """,
    "container": """
    The bytes of a flat package. Each of these errors means that the file was damaged or \
    truncated, or written incorrectly.
    """,
    "tree": "Names, kinds and positions of files in a package of either form.",
    "zip": "ZIP archives, in which packages are exchanged.",
    "tar": "Tar archives, in which packages are exchanged.",
    "document": "The effect itself: `document.json`.",
    "thumbnail": "Previews in a package.",
    "image": "The images that a document refers to, and pictures that are written.",
    "xml": "XML, in which other programs store effects.",
    "budget": "The cost of an effect at run time.",
    "archive": "Property lists and keyed archives, in which other programs store effects.",
    "emitter": "Files of Particle Designer and its relatives: cocos2d, Solar2D, Starling.",
    "convert": "Differences between an effect and its conversion to another format.",
    "types": """
    Declarations of types and of handlers in property lists, `types.json` and desktop entries, as \
    checked by `particles types lint`.
    """,
    "desktop": "Files that `particles desktop` installs and removes.",
    "index": "The database that `particles index` keeps, and queries to it.",
    "usage": "Errors in the command line.",
  ]

  static let head = """
    # Rules

    Every message of the library and of the tool names a rule: \
    `path:place: severity: summary [family/name]`. The code of a rule never changes; its words may. \
    The fixtures `Fixtures/rules/<family>/<name>` break one rule each.

    An **error** is a violation of the specification, or an operation that failed. A **warning** is \
    content that can be read but is irregular, or that was changed by the operation. A **note** is \
    information.

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

extension PropertyCatalog {
  /// The tables as Markdown: the text of the section "Properties" of `Spec/document.md`.
  package func markdown() -> String {
    objects.map { object in
      let rows = object.properties.map { Self.row($0) }
      let head = ["| Property | Type | Unit | Range | Default | |", "|---|---|---|---|---|---|"]
      return "### \(object.title)\n\n\(object.about)\n\n"
        + (head + rows).joined(separator: "\n") + "\n"
    }
    .joined(separator: "\n")
  }

  private static func row(_ info: PropertyInfo) -> String {
    let standard =
      switch info.standard {
      case nil: "**required**"
      case let text?: "`\(text)`"
      }
    let cells = [
      "`\(info.key)`", info.type, info.unit ?? "", info.bounds?.description ?? "", standard,
      info.summary,
    ]
    return "| " + cells.map(escaped).joined(separator: " | ") + " |"
  }

  private static func escaped(_ text: String) -> String {
    text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }
}

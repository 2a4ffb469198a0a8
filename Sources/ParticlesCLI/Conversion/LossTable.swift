internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats

extension Table {
  /// The loss report of one document, the worst first.
  init(losses: [Diagnostic]) {
    self.init(.left, .left, .left, .left)
    for line in LossLine.lines(of: losses) {
      add(line.level.rawValue, line.feature, line.place, line.text)
    }
  }

  /// The loss report of many documents, with those of level info if `all`.
  init(_ groups: LossGroups, all: Bool) {
    self.init(.left, .left, .right, .left)
    for (line, count) in groups.sorted where all || line.level > .info {
      add(line.level.rawValue, line.feature, count.of("file"), line.text)
    }
  }
}

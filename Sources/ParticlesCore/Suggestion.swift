/// What somebody probably meant. It is only ever shown, never run.
package enum Suggestion {
  /// The candidate nearest to `word`, or nil if none is near. The first of equally near ones.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    let letters = word.filter { $0 != "-" }
    guard !letters.isEmpty else { return nil }
    // A beginning is a good guess however much is missing, unless two begin so.
    let completions = candidates.filter { $0.hasPrefix(word) }
    if completions.count == 1, letters.count > 1 { return completions.first }

    let patience = max(1, letters.count / 3)
    let near = candidates.map { ($0, distance(word, $0)) }.filter { $0.1 <= patience }
    return near.min { $0.1 < $1.1 }?.0
  }

  /// How many letters have to be inserted, removed, replaced or swapped with their neighbour to
  /// get from one word to the other.
  package static func distance(_ a: String, _ b: String) -> Int {
    let a = Array(a.lowercased())
    let b = Array(b.lowercased())
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, rows[i - 1][j - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}

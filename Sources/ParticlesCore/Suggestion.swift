/// Suggestions for misspelt words. They are shown in messages and never applied.
package enum Suggestion {
  /// Returns the candidate with the smallest edit distance to `word`, the first one of several, or
  /// nil if none is close enough.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    let letters = word.filter { $0 != "-" }
    guard !letters.isEmpty else { return nil }
    // A prefix of exactly one candidate is a good guess, however long the candidate is.
    let completions = candidates.filter { $0.hasPrefix(word) }
    if completions.count == 1, letters.count > 1 { return completions.first }

    let limit = max(1, letters.count / 3)
    let near = candidates.map { ($0, distance(word, $0)) }.filter { $0.1 <= limit }
    return near.min { $0.1 < $1.1 }?.0
  }

  /// Returns the number of letters to insert, remove, replace or swap with their neighbour to turn
  /// one word into another.
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

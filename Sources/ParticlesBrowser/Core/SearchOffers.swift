internal import ParticlesCore
internal import ParticlesFormats

/// Searches that may find something where another one has found nothing.
struct SearchOffers {
  /// The greatest number of offers.
  static let most = 4
  /// The words of the names that were seen, without regard to case and accents, with the number of names.
  private var words: [String: Int] = [:]
  /// The names that are looked at.
  private static let mostNames = 20_000
  private var count = 0

  /// Notes the name of a file or folder.
  mutating func note(_ plainName: String) {
    count += 1
    guard count <= Self.mostNames else { return }
    for word in Set(Self.words(of: Files.stem(of: plainName))) { words[word, default: 0] += 1 }
  }

  private static func words(of name: String) -> [String] {
    name.split { !$0.isLetter }.filter { $0.count > 2 }.map(String.init)
  }

  /// Searches for one of several words, or for a word of a name that is spelled almost alike.
  func offers(for search: String) -> [BrowserListing.Offer] {
    let wanted = NaturalOrder.plain(search)
    let parts = Self.words(of: wanted)
    var found: [BrowserListing.Offer] = []
    for part in parts {
      let total = words.filter { $0.key.contains(part) }.values.reduce(0, +)
      if total > 0, part != wanted {
        found.append(BrowserListing.Offer(search: part, total: total))
      }
    }
    guard found.isEmpty, let word = parts.first, parts.count == 1 else { return found }
    let most = word.count < 6 ? 1 : 2
    let near = words.compactMap { name, total -> (distance: Int, offer: BrowserListing.Offer)? in
      guard abs(name.count - word.count) <= most else { return nil }
      let distance = Self.distance(Array(word), Array(name))
      return distance <= most ? (distance, BrowserListing.Offer(search: name, total: total)) : nil
    }
    return near.sorted {
      ($0.distance, -$0.offer.total, $0.offer.search)
        < ($1.distance, -$1.offer.total, $1.offer.search)
    }.map(\.offer)
  }

  /// How many letters are missing, added, others, or in the place of their neighbours.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var rows = [Array(0...b.count)]
    for (i, letter) in a.enumerated() {
      var row = [i + 1]
      for (j, other) in b.enumerated() {
        var least = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (letter == other ? 0 : 1))
        if i > 0, j > 0, letter == b[j - 1], a[i - 1] == other {
          least = min(least, rows[i - 1][j - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }

  /// Searches for parts of a query: each term alone, and the formats that begin like a word.
  static func terms(of search: String) -> [String] {
    let parts = search.split(separator: " ").map(String.init).filter {
      !["and", "or", "not"].contains($0.lowercased())
    }
    let terms = parts.map { part in
      String(part.drop { "(-".contains($0) }.prefix { $0 != ")" })
    }
    var found: [String] = []
    if terms.count > 1 {
      found = terms.filter { !$0.isEmpty }
    } else if let word = terms.first {
      let value = NaturalOrder.plain(
        word.hasPrefix("format:") ? String(word.dropFirst(7)) : word)
      let names = FormatRegistry.standard.formats.map(\.name) + ["particles"]
      if value.count > 2 {
        found = names.filter { $0.hasPrefix(value) || value.hasPrefix($0) }.map { "format:\($0)" }
      }
      found.removeAll { $0 == search }
    }
    var seen: Set<String> = []
    return Array(found.filter { seen.insert($0).inserted }.prefix(8))
  }
}

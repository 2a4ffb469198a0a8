extension EffectRecord {
  /// A column of numbers, one for each frame that was sampled.
  enum Column: Int, Sendable, CaseIterable {
    case count, births, x, y, z, rot, r, g, b, a, size, sizeY
    case countSd, xSd, ySd, zSd, rotCircSd, sizeSd, rSd, gSd, bSd, aSd

    /// The columns by their names in recordings.
    private static let named = Dictionary(
      uniqueKeysWithValues: allCases.map { (String(describing: $0), $0) })

    /// - Parameter name: the name in recordings; nil for one that is not known.
    init?(_ name: String) {
      guard let column = Self.named[name] else { return nil }
      self = column
    }

    /// Whether it has the standard deviations of another column.
    var isDeviation: Bool { rawValue >= Column.countSd.rawValue }
  }

  /// The columns of an emitter. A number is nil where no particle lived.
  struct Emitter: Sendable {
    /// The numbers of each column.
    let frames: Int
    /// The frames of one column after those of another; those of columns that are missing, too.
    private var numbers: [Double?]
    private var isThere: [Bool]

    /// Creates an emitter without columns.
    init(frames: Int = 0) {
      self.frames = frames
      numbers = [Double?](repeating: nil, count: Column.allCases.count * frames)
      isThere = [Bool](repeating: false, count: Column.allCases.count)
    }

    func has(_ column: Column) -> Bool { isThere[column.rawValue] }

    /// The numbers of a column, as many as frames; nil if it is missing.
    subscript(column: Column) -> [Double?]? {
      get { has(column) ? Array(numbers[range(column)]) : nil }
      set {
        isThere[column.rawValue] = newValue != nil
        numbers.replaceSubrange(
          range(column), with: newValue ?? [Double?](repeating: nil, count: frames))
      }
    }

    private func range(_ column: Column) -> Range<Int> {
      column.rawValue * frames..<(column.rawValue + 1) * frames
    }

    /// A number; nil without the column, for another frame, and where no particle lived.
    func known(_ column: Column, _ frame: Int) -> Double? {
      guard frame >= 0, frame < frames else { return nil }
      return numbers[column.rawValue * frames + frame]
    }

    /// A number, or 0 where no particle lived.
    func value(_ column: Column, _ frame: Int) -> Double { known(column, frame) ?? 0 }
  }
}

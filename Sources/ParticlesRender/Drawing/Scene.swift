internal import ParticlesCore
package import ParticlesImages
package import ParticlesModel
internal import ParticlesSimulation

/// Quads in the parts of the picture that they cover.
final class Scene {
  struct Area {
    var x: Range<Int>
    var y: Range<Int>
    /// The places of its quads in `entries`.
    var entries: Range<Int>
  }

  private(set) var tiles: [Area] = []
  /// The samples that all quads cover at most.
  private(set) var area: Int64 = 0
  /// The number of quads that were left out because they are too much to paint.
  private(set) var omitted = 0

  private var quads: [Quad] = []
  private var planes: [TexelPlane] = []
  /// The planes of each quad.
  private var places: [(first: Int32, second: Int32)] = []
  private let states: [BlendState]
  private var entries: [Int32] = []

  init(
    _ all: [Quad], textures: [SpriteTexture], states: [BlendState], canvas: Canvas, most: Int
  ) throws(Failure) {
    self.states = states
    let extents = prepare(all, textures, canvas, most)
    bin(extents, canvas)
  }

  /// Keeps the quads that are in the picture, with the texels that they show.
  private func prepare(
    _ all: [Quad], _ textures: [SpriteTexture], _ canvas: Canvas, _ most: Int
  ) -> [(x: Range<Int>, y: Range<Int>)] {
    var extents: [(x: Range<Int>, y: Range<Int>)] = []
    quads.reserveCapacity(all.count)
    places.reserveCapacity(all.count)
    extents.reserveCapacity(all.count)
    var index: [ObjectIdentifier: Int32] = [:]
    var last: (texture: Int32, form: BlendState.Texel, level: Int, place: Int32) =
      (-1, .straight, -1, 0)
    func place(_ texture: Int32, _ quad: Quad) -> Int32 {
      let form = states[Int(quad.state)].texel
      let level = textures[Int(texture)].level(of: quad)
      if last.texture == texture, last.form == form, last.level == level { return last.place }
      let plane = textures[Int(texture)].plane(form, level: level)
      let known = index[ObjectIdentifier(plane)]
      let place = known ?? Int32(planes.count)
      if known == nil {
        index[ObjectIdentifier(plane)] = place
        planes.append(plane)
      }
      last = (texture, form, level, place)
      return place
    }
    var areas: [Int] = []
    let ignoring = states.map { $0.ignoresTransparent }
    for quad in all {
      guard canvas.extent(of: quad) != nil else { continue }
      let first = place(quad.texture, quad)
      let second = quad.next >= 0 ? place(quad.next, quad) : -1
      var shown = quad
      if second < 0, ignoring[Int(quad.state)] {
        if quad.color.w <= 0 { continue }
        guard let trimmed = quad.trimmed(to: planes[Int(first)]) else { continue }
        shown = trimmed
      }
      guard let extent = canvas.extent(of: shown) else { continue }
      quads.append(shown)
      places.append((first, second))
      extents.append(extent)
      areas.append(extent.x.count * extent.y.count)
      area = area.addingReportingOverflow(Int64(areas[areas.count - 1])).partialValue
    }
    guard area > Int64(most) else { return extents }
    return thin(extents, areas, most)
  }

  /// Leaves quads out, evenly over all, until the rest covers at most as much as is allowed.
  private func thin(
    _ extents: [(x: Range<Int>, y: Range<Int>)], _ areas: [Int], _ most: Int
  ) -> [(x: Range<Int>, y: Range<Int>)] {
    let share = Double(most) / Double(area)
    var (sum, painted, kept) = (0.0, 0.0, 0)
    var rest: [(x: Range<Int>, y: Range<Int>)] = []
    for index in quads.indices {
      sum += Double(areas[index]) * share
      guard painted + Double(areas[index]) <= sum + 1e-9 * sum || painted == 0 else { continue }
      painted += Double(areas[index])
      (quads[kept], places[kept]) = (quads[index], places[index])
      rest.append(extents[index])
      kept += 1
    }
    omitted = quads.count - kept
    quads.removeLast(omitted)
    places.removeLast(omitted)
    area = Int64(saturating: painted)
    return rest
  }

  private func bin(_ extents: [(x: Range<Int>, y: Range<Int>)], _ canvas: Canvas) {
    let (width, height) = (
      Canvas.tileWidth / canvas.samples * canvas.samples,
      Canvas.tileHeight / canvas.samples * canvas.samples
    )
    let across = (canvas.columns + width - 1) / width
    let down = (canvas.rows + height - 1) / height
    var counts = [Int](repeating: 0, count: across * down + 1)
    func forEachTile(of extent: (x: Range<Int>, y: Range<Int>), _ body: (Int) -> Void) {
      let columns = extent.x.lowerBound / width...(extent.x.upperBound - 1) / width
      for row in extent.y.lowerBound / height...(extent.y.upperBound - 1) / height {
        for column in columns { body(row * across + column) }
      }
    }
    for extent in extents { forEachTile(of: extent) { counts[$0 + 1] += 1 } }
    for index in 0..<across * down { counts[index + 1] += counts[index] }
    for row in 0..<down {
      for column in 0..<across {
        let index = row * across + column
        tiles.append(
          Area(
            x: column * width..<min((column + 1) * width, canvas.columns),
            y: row * height..<min((row + 1) * height, canvas.rows),
            entries: counts[index]..<counts[index + 1]))
      }
    }
    entries = [Int32](repeating: 0, count: counts[across * down])
    for (place, extent) in extents.enumerated() {
      forEachTile(of: extent) {
        entries[counts[$0]] = Int32(place)
        counts[$0] += 1
      }
    }
  }

  /// Paints a part of the picture.
  func paint(_ index: Int, in tile: Tile) {
    let area = tiles[index]
    tile.begin(x: area.x, y: area.y)
    var spans = SpanList()
    quads.withUnsafeBufferPointer { paint(area, of: $0, &spans, in: tile) }
  }

  private func paint(
    _ area: Area, of quads: UnsafeBufferPointer<Quad>, _ spans: inout SpanList, in tile: Tile
  ) {
    for entry in area.entries {
      let place = Int(entries[entry])
      let quad = quads[place]
      let planes = (
        self.planes[Int(places[place].first)],
        places[place].second >= 0 ? self.planes[Int(places[place].second)] : nil
      )
      spans.fill(quad, x: area.x, y: area.y)
      guard !spans.isEmpty else { continue }
      QuadPainter(quad, planes.0, planes.1, states[Int(quad.state)])?.paint(spans, in: tile)
    }
  }
}

/// The pixels of a quad in each row of a tile. A pixel belongs to a quad if its centre does. If two
/// quads share an edge, only one has the pixels on the edge.
struct SpanList {
  private(set) var firstRow = 0
  /// For each row, the first column and the end, behind the last column.
  private(set) var columns: [(start: Int, end: Int)] = []
  private var crossings: [(left: Double, right: Double)] = []

  var isEmpty: Bool { columns.isEmpty }

  mutating func fill(_ quad: Quad, x: Range<Int>, y: Range<Int>) {
    columns.removeAll(keepingCapacity: true)
    let (least, greatest) = quad.bounds
    let first = max(Double(y.lowerBound), (Double(least.y) - 0.5).rounded(.up))
    let end = min(Double(y.upperBound), (Double(greatest.y) - 0.5).rounded(.up))
    guard first < end else { return }
    firstRow = Int(saturating: first)
    let count = Int(saturating: end) - firstRow
    crossings.removeAll(keepingCapacity: true)
    crossings.append(contentsOf: repeatElement((.infinity, -.infinity), count: count))
    let (a, b, c, d) = quad.corners
    cross(a, b, count)
    cross(b, c, count)
    cross(c, d, count)
    cross(d, a, count)
    for (left, right) in crossings {
      let start = max(Double(x.lowerBound), (left - 0.5).rounded(.up))
      let end = min(Double(x.upperBound), (right - 0.5).rounded(.up))
      columns.append(start < end ? (Int(saturating: start), Int(saturating: end)) : (0, 0))
    }
  }

  /// Notes where an edge crosses the middle of rows.
  private mutating func cross(_ from: SIMD2<Float>, _ to: SIMD2<Float>, _ count: Int) {
    let isDown = from.y < to.y
    let (top, bottom) = isDown ? (from, to) : (to, from)
    let (y0, y1) = (Double(top.y), Double(bottom.y))
    let first = max(0, (y0 - 0.5).rounded(.up) - Double(firstRow))
    let end = min(Double(count), (y1 - 0.5).rounded(.up) - Double(firstRow))
    guard first < end else { return }
    let x0 = Double(top.x)
    let slope = (Double(bottom.x) - x0) / (y1 - y0)
    for row in Int(saturating: first)..<Int(saturating: end) {
      let x = x0 + (Double(firstRow + row) + 0.5 - y0) * slope
      if x < crossings[row].left { crossings[row].left = x }
      if x > crossings[row].right { crossings[row].right = x }
    }
  }
}

/// The visible part of a picture: pixels that differ from the background by more than 24 of 255.
package struct PictureLook {
  /// The number of pixels that can be seen.
  package private(set) var visible = 0
  /// The columns and rows that they are in.
  private(set) var (left, right, top, bottom) = (Int.max, -1, Int.max, -1)
  let width: Int
  let height: Int

  /// The greatest difference that cannot be seen.
  static let least: Int32 = 24

  /// - Parameter background: nil if it is transparent.
  package init(_ picture: Bitmap, background: ParticleSystem.Color?) {
    (width, height) = (picture.width, picture.height)
    let color = background.map { $0.alpha >= 1 ? $0 : nil } ?? nil
    let bytes = [color?.red ?? 0, color?.green ?? 0, color?.blue ?? 0].map {
      UInt8(saturating: (min(max($0.isNaN ? 0 : $0, 0), 1) * 255).rounded())
    }
    let isTransparent = color == nil
    let (red, green, blue) = (Int32(bytes[0]), Int32(bytes[1]), Int32(bytes[2]))
    picture.pixels.withUnsafeBytes { pixels in
      /// 1 for a visible pixel and 0 otherwise, without branches, so that the loop uses vectors.
      @inline(__always)
      func seen(_ place: Int) -> Int32 {
        let pixel = Int32(
          bitPattern: UInt32(
            littleEndian: pixels.loadUnaligned(fromByteOffset: place &* 4, as: UInt32.self)))
        if isTransparent { return pixel >> 24 & 0xFF > Self.least ? 1 : 0 }
        return Self.differ(pixel & 0xFF, red) | Self.differ(pixel >> 8 & 0xFF, green)
          | Self.differ(pixel >> 16 & 0xFF, blue)
      }
      for y in 0..<height {
        let row = y * width
        var count: Int32 = 0
        for x in row..<row + width { count &+= seen(x) }
        guard count > 0 else { continue }
        visible += Int(count)
        var (first, last) = (row, row + width - 1)
        while seen(first) == 0 { first += 1 }
        while seen(last) == 0 { last -= 1 }
        (left, right) = (min(left, first - row), max(right, last - row))
        (top, bottom) = (min(top, y), y)
      }
    }
  }

  /// 1 if two components differ visibly, and 0 otherwise.
  @inline(__always)
  private static func differ(_ a: Int32, _ b: Int32) -> Int32 {
    abs(a &- b) > least ? 1 : 0
  }

  /// The fewest pixels that are more than next to nothing: 40 of 128 × 128, and in other sizes as many in a
  /// line.
  package static func enough(width: Int, height: Int) -> Int {
    max(1, Int(saturating: 40 * (Double(width) * Double(height)).squareRoot() / 128))
  }

  /// The fewest pixels of this picture that are more than next to nothing.
  package var enough: Int { Self.enough(width: width, height: height) }

  /// Whether next to nothing can be seen.
  package var isPoor: Bool { visible < enough }

  /// Whether something that can be seen is at a border.
  package var isCut: Bool {
    visible > 0 && (left == 0 || top == 0 || right == width - 1 || bottom == height - 1)
  }
}

package import ParticlesCore
package import ParticlesImages
public import ParticlesModel
package import ParticlesSimulation

extension EffectRenderer {
  /// A background that is chosen where a document states none: nearly black.
  public static let dark = ParticleSystem.Color(0.07, 0.07, 0.1)
  /// A background for effects that are both darker and brighter.
  public static let middle = ParticleSystem.Color(0.45, 0.45, 0.48)
  /// A background for dark effects.
  public static let light = ParticleSystem.Color(0.93, 0.93, 0.95)

  /// Looks at the particles of a simulation of the effect.
  /// - Parameters:
  ///   - moment: a number for the moment.
  ///   - most: the most particles of an emitter that are looked at.
  package func spots(of simulation: Simulation, moment: Int = 0, most: Int) -> [VisibleSpot] {
    lens.spots(of: simulation, moment: moment, most: most)
  }

  /// The size in units of a square frame of what can be seen, without outliers.
  package func extent(of spots: [VisibleSpot]) -> Double {
    Framing.extent(of: spots, right: lens.right, up: lens.up)
  }

  /// Chooses the frame, unless the view or the document states one, and the background, if the settings leave
  /// it open, for what can be seen.
  /// - Parameter spots: what can be seen at the moments that are drawn.
  package func aim(at spots: [VisibleSpot]) {
    let index = settings.isBackgroundOpen ? bestBackground(for: spots) : 0
    if settings.isBackgroundOpen { background = candidates[index] }
    guard isFree else { return }
    let size = (canvas.width, canvas.height)
    let framing = Framing(spots, background: index, isFlat: isFlat, size: size)
    isWhole = framing.isWhole
    camera = framing.camera
    var floor = QuadFloor()
    floor.size = 2
    // So many that they would cover the picture are fainter.
    let clear = min(1, Self.mostDust / max(framing.dust, 1e-9)).squareRoot()
    floor.faintest = max(floor.faintest, clear)
    composer.floor = floor
  }

  /// The share of the picture that particles thinner than the floor may cover without being fainter.
  private static let mostDust = 0.15

  /// The least share of what can be seen on the best background that is enough for that of the document, and
  /// the least share of the best contrast that is enough for a darker one.
  private static let enough = (own: 0.62, darker: 0.9)
  /// Below the first contrast, next to nothing can be seen; beyond the second, all can, and beyond the third,
  /// no more contrast is needed.
  private static let contrasts = (none: 0.06, clear: 0.26, most: 0.5)

  /// The index of the background that shows most: that of the document where it shows nearly as much, or the
  /// darkest one with nearly as much contrast.
  private func bestBackground(for spots: [VisibleSpot]) -> Int {
    func scores(to clear: Double) -> [Double] {
      candidates.indices.map { index in
        spots.reduce(0) { sum, spot in
          let contrast = Double(spot.contrast[index])
          let share = (contrast - Self.contrasts.none) / (clear - Self.contrasts.none)
          return sum + spot.area * (min(1, max(0, share)) + contrast / 100)
        }
      }
    }
    let seen = scores(to: Self.contrasts.clear)
    guard let best = seen.max(), best > 0, best.isFinite, seen[0] < best * Self.enough.own
    else { return 0 }
    let clear = scores(to: Self.contrasts.most)
    let most = clear.max() ?? 0
    return clear.firstIndex { $0 >= most * Self.enough.darker } ?? 0
  }

  /// Draws the particles as they are now, after the frame and the background were chosen for them; looks at the
  /// picture, and corrects these at most a few times: wider if it is cut at a border, closer if all is in a
  /// small part of it, and with another background if next to nothing can be seen.
  /// - Returns: the picture, and what can be seen in it.
  package func drawAimed(_ simulation: Simulation) throws(AnyFailure) -> (Bitmap, PictureLook) {
    aim(at: spots(of: simulation, most: 2_000))
    let before = WorkBudget.left
    var picture = try draw(simulation)
    let cost = (before ?? 0) - (WorkBudget.left ?? 0)
    /// Whether the work that is left suffices for more pictures.
    func affords(_ pictures: Int) -> Bool { (WorkBudget.left ?? .max) / 2 >= cost * pictures }
    var look = PictureLook(picture, background: background)
    if isFree, settings.scale == 1 {
      for _ in 0..<Self.mostCorrections {
        guard affords(2), let box = correction(of: look) else { break }
        show(box)
        picture = try draw(simulation)
        look = PictureLook(picture, background: background)
      }
    }
    guard settings.isBackgroundOpen, look.isPoor, affords(candidates.count) else {
      return (picture, look)
    }
    var best = (picture, look, background)
    for candidate in candidates where candidate != best.2 {
      background = candidate
      picture = try draw(simulation)
      look = PictureLook(picture, background: background)
      if look.visible > 2 * best.1.visible { best = (picture, look, background) }
    }
    background = best.2
    return (best.0, best.1)
  }

  private static let mostCorrections = 4
  /// The share of the picture by which it becomes wider at a side.
  private static let widening = 0.15

  /// A rectangle in pixels, y down.
  private typealias Box = (left: Double, right: Double, top: Double, bottom: Double)

  /// The rectangle that a better frame shows; nil if it is good as it is.
  private func correction(of look: PictureLook) -> Box? {
    guard look.visible > 0 else { return nil }
    let (width, height) = (Double(look.width), Double(look.height))
    if look.isCut {
      guard isWhole else { return nil }
      var box: Box = (0, width, 0, height)
      if look.left == 0 { box.left -= width * Self.widening }
      if look.right == look.width - 1 { box.right += width * Self.widening }
      if look.top == 0 { box.top -= height * Self.widening }
      if look.bottom == look.height - 1 { box.bottom += height * Self.widening }
      return box
    }
    var box: Box = (
      Double(look.left), Double(look.right + 1), Double(look.top), Double(look.bottom + 1)
    )
    guard box.right - box.left < width / 2, box.bottom - box.top < height / 2 else { return nil }
    let margin = (0.15 * (box.right - box.left) + 2, 0.15 * (box.bottom - box.top) + 2)
    box.left -= margin.0
    box.right += margin.0
    box.top -= margin.1
    box.bottom += margin.1
    return box
  }

  /// Shows a rectangle of the present picture.
  private func show(_ box: Box) {
    let (width, height) = (Double(canvas.width), Double(canvas.height))
    let factor = max((box.right - box.left) / width, (box.bottom - box.top) / height)
    let across = (box.left + box.right) / 2 - width / 2
    let up = height / 2 - (box.top + box.bottom) / 2
    camera = camera.showing(across: across, up: up, factor: factor, of: height)
  }

  /// Why particles cannot be seen.
  package enum Hiding: CaseIterable {
    case outside, transparent, likeBackground, small
  }

  /// The reason for which most of the particles of simulations cannot be seen.
  package func hiding(of simulations: [Simulation]) -> Hiding {
    var counts: [Hiding: Double] = [:]
    let index = candidates.firstIndex { $0 == background } ?? 0
    var seen = 0.0
    for simulation in simulations {
      for spot in spots(of: simulation, most: 1_000) {
        seen += spot.count
        var hiding = Hiding.small
        if !composer.projection.shows(spot) {
          hiding = .outside
        } else if spot.bestContrast < Framing.least {
          hiding = .transparent
        } else if Double(spot.contrast[index]) < Framing.least, background != nil {
          hiding = .likeBackground
        }
        counts[hiding, default: 0] += spot.count
      }
    }
    // Spots without any contrast are left out.
    let living = simulations.reduce(0) { $0 + $1.count }
    counts[.transparent, default: 0] += max(0, Double(living) - seen)
    return Hiding.allCases.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? .small
  }
}

extension Camera {
  /// This camera, moved by pixels of a picture, and showing a factor of what it shows.
  fileprivate func showing(across: Double, up: Double, factor: Double, of height: Double) -> Camera
  {
    var camera = self
    if let shown = orthoHeight {
      let unit = shown / height
      camera.position = Vector(
        position.x + across * unit, position.y + up * unit, position.z)
      camera.target = Vector(target.x + across * unit, target.y + up * unit, target.z)
      camera.orthoHeight = shown * factor
      return camera
    }
    return Framing.moved(camera, across: across / height, up: up / height, factor: factor)
  }
}

internal import ParticlesCore
internal import ParticlesModel

// The mapping table: the meaning of each property.

extension GodotFamily {
  static let sources = [
    (name: "src3", title: "Godot 3.2.3, `cpu_particles_2d.cpp` and `particles_material.cpp`"),
    (name: "src4", title: "Godot 4.3, `cpu_particles_2d.cpp` and `particle_process_material.cpp`"),
    (name: "traces", title: "recordings of Godot 3.2.3"),
    (name: "cards", title: "pictures of Godot 3.2.3"),
    (name: "files", title: "66 published scenes of both generations"),
  ]

  static let rows: [Row<GodotFamily>] = emission + place + motion + look + others + missing

  private static let emission: [Row<GodotFamily>] = [
    .idiom(
      ["lifetime", "lifetime_randomness"], "lifetime",
      "exact: from lifetime · (1 − randomness) to lifetime. `timing.duration` is the lifetime, at least 0.01 s",
      from: "src3, src4, traces", exact: [.life],
      decode: { $1.lifetime = $0.lifetime }, encode: { $0.encodeLifetime() }),
    .number(
      "speed_scale", "timing.speed", { $1(&$0.timing.speed) }, standard: 1, atLeast: 0,
      exact: [.speed], "exact, at least 0", from: "src3, src4, traces"),
    .idiom(
      ["preprocess"], "timing.prewarm", "exact, at least 0, times `speed_scale`",
      from: "src3, src4", exact: [.prewarm],
      decode: {
        $1.timing.prewarm = ($0.number("preprocess", 0, atLeast: 0) * $1.timing.speed).rounded
      },
      encode: {
        let timing = $0.emitter.timing
        $0.set("preprocess", timing.speed > 0 ? (timing.prewarm / timing.speed).rounded : 0)
      }),
    .idiom(
      ["fixed_fps"], "timing.fixedStep",
      "exact: 1 / fixed_fps. Absent, it is 30 for GPUParticles of Godot 4", from: "src3, src4",
      decode: { $0.decodeTiming(of: &$1) }, encode: { $0.encodeClock() }),
    .idiom(
      ["emitting", "visible"], "enabled",
      "exact: whether the node and its parents are visible. `emitting` is assumed true, because scenes start particles by a script",
      from: "src4, files"),
    .idiom(
      ["amount", "amount_ratio"], "emission.maxAlive",
      "exact: that many slots, at least 1. `emission.rate` is amount / mean lifetime, or amount / `lifetime` for nodes of the GPU, whose slots wait",
      from: "src3, src4, traces",
      approximated: [.aliveLimit, .rate, .randomRate, .rateCurve, .burst, .probability, .total],
      decode: { $1.emission = $0.emission }, encode: { $0.encodeEmission() }
    ).derivingRate,
    .idiom(
      ["one_shot"], "timing.loop", "exact, negated", from: "src3, src4, traces",
      approximated: [.duration, .loop, .idle]),
    .idiom(
      ["explosiveness"], "emission.explosiveness", "exact, clamped to 0…1",
      from: "src3, src4, traces", approximated: [.explosiveness]),
    .idiom(
      ["randomness"], "emission.jitter", "exact, clamped to 0…1", from: "src3, src4, traces"),
  ]

  private static let place: [Row<GodotFamily>] = [
    .idiom(
      ["position", "rotation", "scale", "skew", "transform"], "transform",
      "exact, with the transforms of all parents. The y of 2D nodes is negated",
      from: "src3, src4, files",
      approximated: [.place],
      decode: { $0.decodePlace(of: &$1) }, encode: { $0.encodePlace() }),
    .idiom(
      ["local_coords"], "space", "local or world. Absent, it is true in Godot 3, false in Godot 4",
      from: "src3, src4, traces", exact: [.space]),
    .idiom(
      ["z_index", "z_as_relative"], "render.order", "exact, with the values of all parents",
      from: "src3, src4"),
    .idiom(
      [
        "emission_shape", "emission_sphere_radius", "emission_rect_extents", "emission_box_extents",
        "emission_points", "emission_normals", "emission_colors", "emission_ring_axis",
        "emission_ring_height", "emission_ring_radius", "emission_ring_inner_radius",
        "emission_ring_cone_angle", "emission_shape_offset", "emission_shape_scale",
      ], "shape", "see [Shapes](#shapes)", from: "src3, src4, traces", exact: [.shapeRectangle],
      approximated: [.shapeDisc, .shapeRing, .shapeLine, .shapePoints, .shape3D],
      decode: { reader, emitter throws(Failure) in try reader.decodeShape(of: &emitter) },
      encode: { $0.encodeShape() }),
    .kept(
      [
        "emission_point_texture", "emission_normal_texture", "emission_color_texture",
        "emission_point_count",
      ], "points in a texture, kept and reported with `emission_shape`"),
  ]

  private static let motion: [Row<GodotFamily>] = [
    .idiom(
      ["direction", "spread", "flatness"], "launch.direction",
      "exact: an angle in 2D, a vector in 3D. `launch.spread` is clamped to 0…180, absent 45",
      from: "src3, src4, traces", exact: [.spread2D], approximated: [.cone3D, .directionNormal],
      decode: { reader, emitter throws(Failure) in try reader.decodeLaunch(of: &emitter) },
      encode: { $0.encodeLaunch() }),
    .idiom(
      Row.keys("initial_velocity"), "launch.speed",
      "exact. Its curve is `motion.speed` that replaces the speed", from: "src3, src4, traces",
      exact: [.speedRange], approximated: [.speedCurve]),
    .idiom(
      Row.keys("radial_velocity") + ["velocity_pivot"], "launch.speed",
      "away from the centre of the shape, from a point to all sides, if `initial_velocity` is 0, otherwise not read. Materials of Godot 4 only",
      from: "src4", approximated: [.directionNormal]),
    .idiom(
      Row.keys("directional_velocity") + ["curve_x", "curve_y", "curve_z"], "motion.drift",
      "its curve over life, times its mean. Not written. Materials of Godot 4 only", from: "src4"),
    .idiom(
      ["gravity"], "forces: gravity",
      "exact. Absent, (0, 98) for CPUParticles2D of Godot 3, (0, 980) of Godot 4, (0, −9.8, 0) otherwise",
      from: "src3, src4, traces", exact: [.gravity],
      decode: { reader, emitter throws(Failure) in try reader.decodeForces(of: &emitter) },
      encode: { $0.encodeForces() }),
    .idiom(
      Row.keys("linear_accel"), "forces: linear", from: "src3, src4, traces",
      exact: [.linearAcceleration]),
    .idiom(
      Row.keys("radial_accel"), "forces: radial", from: "src3, src4, traces", exact: [.radial],
      approximated: [.attract]),
    .idiom(
      Row.keys("tangential_accel"), "forces: tangential",
      "exact, clockwise in 2D. In 3D about the direction against gravity",
      from: "src3, src4, traces", exact: [.tangent]),
    .idiom(
      Row.keys("damping"), "forces: drag of law constant", from: "src3, src4, traces",
      exact: [.constantDrag], approximated: [.exponentialDrag, .linearDrag]),
    .idiom(
      [
        "turbulence_enabled", "turbulence_noise_strength", "turbulence_noise_scale",
        "turbulence_noise_speed", "turbulence_noise_speed_random", "turbulence_influence_over_life",
      ] + Row.keys("turbulence_influence") + Row.keys("turbulence_initial_displacement"),
      "forces: noise", "approximated, see [Turbulence](#turbulence). Materials of Godot 4 only",
      from: "src4"),
    .idiom(
      Row.keys("orbit_velocity"), "motion.orbitVelocity",
      "exact: 360° times turns per second. In 3D only with `particle_flag_disable_z`",
      from: "src3, src4, traces", approximated: [.orbitalVelocity], encode: { $0.encodeOrbit() }),
    .idiom(
      Row.keys("angle"), "rotation.angle", "exact, in 3D negated", from: "src3, src4, traces",
      exact: [.rotation, .rotationCurve],
      decode: { reader, emitter throws(Failure) in try reader.decodeRotation(of: &emitter) },
      encode: { $0.encodeRotation() }),
    .idiom(
      Row.keys("angular_velocity"), "rotation.velocity",
      "exact. With a curve, the angle is age · curve, read as its derivative",
      from: "src3, src4, traces", exact: [.rotationSpeed], approximated: [.angularAcceleration]),
    .idiom(
      ["particle_flag_align_y", "flag_align_y"], "rotation.align",
      "velocity, with an `alignOffset` of 90. Then `angle` has no effect", from: "cards",
      approximated: [.align]),
    .idiom(
      ["particle_flag_rotate_y", "flag_rotate_y"], "rotation.axis",
      "y in 3D, no effect in 2D", from: "src3, src4"),
    .idiom(
      ["particle_flag_disable_z", "flag_disable_z"], "",
      "kept: 3D particles that stay in a plane. A material of its own is read as 2D",
      from: "src3, src4"),
  ]

  private static let look: [Row<GodotFamily>] = [
    .idiom(
      Row.keys("scale_amount") + ["scale_random", "scale_min", "scale_max", "scale_curve"]
        + ["split_scale", "scale_curve_x", "scale_curve_y"], "size.width",
      "exact: in 2D a factor of the texture, without one pixels, in 3D the width of the mesh",
      from: "src3, src4, traces", exact: [.size, .sizeCurve],
      approximated: [.widthAndHeight, .absoluteSize],
      decode: { reader, emitter throws(Failure) in try reader.decodeSize(of: &emitter) },
      encode: { $0.encodeSize() }),
    .idiom(
      ["color"], "color.base.from", "exact. Components beyond 1 widen `clamp`",
      from: "src3, src4, traces", approximated: [.randomColor, .randomEndColor, .mix],
      decode: { reader, emitter throws(Failure) in try reader.decodeColor(of: &emitter) },
      encode: { $0.encodeColor() }),
    .idiom(
      ["modulate", "self_modulate"], "color.base.from",
      "exact: multiplied, `modulate` with the values of all parents, only in 2D", from: "src4"),
    .idiom(["color_ramp"], "color.base.gradient", from: "src3, src4, traces", exact: [.gradient]),
    .idiom(
      ["color_initial_ramp"], "color.base.from: gradient", "exact, Godot 4 only", from: "src4",
      approximated: [.startGradient]),
    .idiom(
      Row.keys("hue_variation"), "color.base.from: gradient",
      "exact for a grey ramp: the colours that the matrix of the engine gives for 17 to 65 turns. `jitter.hue` is written as turns",
      from: "src3, src4, traces", approximated: [.randomHueSaturationBrightness]),
    .idiom(
      ["alpha_curve"], "color.opacity", "exact, materials of Godot 4 only", from: "src4",
      approximated: [.opacityCurve]),
    .idiom(
      ["texture", "draw_pass_1", "mesh", "material", "material_override", "process_material"],
      "sprites", "see [Images](#images)", from: "files", approximated: [.texture],
      encode: { $0.encodeSprite() }),
    .idiom(
      Row.keys("anim_speed") + Row.keys("anim_offset"), "flipbook",
      "exact: frames per lifetime, and the first frame, if the material has `particles_anim_h_frames` and `particles_anim_v_frames`",
      from: "src3, src4", approximated: [.flipbook],
      decode: { reader, emitter throws(Failure) in try reader.decodeFlipbook(of: &emitter) },
      encode: { $0.encodeFlipbook() }),
    .idiom(
      ["draw_order"], "render.sort",
      "exact: none, lifetime, depth. Absent, lifetime for GPUParticles2D of Godot 4",
      from: "src3, src4, cards", approximated: [.sort], decode: { $0.decodeRender(of: &$1) },
      encode: { $0.encodeRender() }),
    .idiom(
      ["blend_mode", "params_blend_mode"], "render.blend",
      "exact: alpha, add, subtract, multiply, premultiplied, of the material that is drawn with",
      from: "cards",
      exact: [.blendAlpha, .blendAdditive, .blendMultiply, .blendSubtractive, .premultipliedAlpha],
      approximated: [.blendScreen, .blendFactors]),
    .idiom(
      ["billboard_mode", "params_billboard_mode"], "render.billboard",
      "screen, without one free", from: "src3, src4", approximated: [.billboard]),
    .kept(
      [
        "particles_animation", "particles_anim_h_frames", "particles_anim_v_frames",
        "particles_anim_loop", "albedo_texture", "atlas", "region", "curve", "gradient", "offsets",
        "colors", "interpolation_mode", "interpolation_color_space", "_data", "_limits",
        "point_count", "min_value", "max_value", "bake_resolution", "width", "size", "radius",
        "height",
      ], "properties of images, curves, gradients and meshes, read with what uses them"),
  ]

  private static let others: [Row<GodotFamily>] = [
    .kept(
      [
        "script", "light_mask", "visibility_rect", "visibility_aabb", "texture_filter",
        "texture_repeat", "normalmap", "normal_map", "use_parent_material", "show_behind_parent",
        "process_mode", "pause_mode", "fract_delta", "interpolate", "collision_base_size", "layers",
        "cast_shadow", "extra_cull_margin", "gi_mode", "draw_passes", "unique_name_in_owner",
        "__meta__", "metadata/_edit_group_", "metadata/_edit_lock_", "metadata/_edit_use_anchors_",
        "physics_interpolation_mode", "resource_local_to_scene", "resource_name", "top_level",
        "use_fixed_seed", "seed", "rotation_edit_mode", "rotation_order", "editor_description",
        "visibility_range_end", "visibility_range_end_margin", "visibility_range_fade_mode",
        "visibility_layer", "transform_align",
      ], "of the node in its scene, without effect on particles, kept")
  ]

  private static let missing: [Row<GodotFamily>] =
    Row.unsupported([
      "timing.delay", "emission.ratePerDistance", "emission.minAlive", "emission.total",
      "emission.lifeOffset", "emission.schedule", "launch.inheritVelocity", "motion.drift",
      "motion.direction", "motion.maxSpeed", "size.stretch", "spriteSelection", "render.z",
    ]) + [
      .idiom(
        [], "motion.mode", "lost: orbits and paths are not supported",
        encode: { $0.loseMotionMode() }),
      .missing("motion.orbitAxis", "the axis is perpendicular to the screen", rule: .lost),
      .missing("physics"),
      .missing(
        "rotation.axis", "particles rotate about the view direction",
        when: { !$0.kind.isSpace || $0.emitter.rotation.axis != .vector(.up) }),
      .missing("render.billboardAxis", "the axis is +z"),
      .missing("render.lit", "lighting is not written"),
      .missing("render.soft", "soft particles are not written"),
      .missing("render.blackPass"),
      .missing("render.writesDepth", "depth is not written"),
      .missing("render.layer", "layers belong to the scene"),
      .missing("render.trail", "trails are not written"),
      .missing("render.links"),
      .missingTriggers("sub-emitters are not written, so that the emitter starts by itself"),
    ]
}

// Random numbers, along curves over life, and vectors.

extension EmitterWriter<GodotFamily> {
  var kind: GodotClass { surroundings.kind }

  /// Writes a vector in the axes of the file, whose y axis may point down.
  mutating func put(_ key: String, _ vector: Vector) {
    let isPlane = !kind.isSpace && !kind.isGPU
    set(key, .vector(Vector(vector.x, vector.y * kind.y, vector.z), isPlane: isPlane))
  }

  /// Writes a random number, and reports any but a uniform range.
  mutating func put(_ key: String, _ value: Value, _ capability: Capability, at place: String) {
    explain(value, capability, at: place)
    let (center, half, _) = value.spread
    let (low, high) = ((center - half.magnitude).rounded, (center + half.magnitude).rounded)
    for (key, number) in GodotRandom.properties(key, low, high, kind.generation) {
      set(key, number)
    }
  }

  /// Writes a random number along a curve over life, and reports differences.
  mutating func put(
    _ key: String, _ track: Track, _ capability: Capability, curved: Capability, at place: String
  ) {
    if track.isPlainValue { return put(key, track.from, capability, at: place) }
    let law = GodotRandom(key)
    var (range, curve) = (track.to ?? 1, track.curve)
    let isNative = track.to != nil && track == Track(from: 0, to: range, curve: curve)
    if !isNative {
      let isExact: Bool
      (curve, isExact) = track.curve(lifetime: lifetime)
      range = track.randomFactor
      lose(
        isExact ? .restated : .approximated, curved, at: place,
        isExact
          ? "the curve contains the values themselves"
          : "one random factor is multiplied with one curve",
        recipe: isExact
          ? nil : range == 1 ? "the curve of the means" : "the factor of the start or the end",
        level: range == 1 ? nil : .low)
    }
    if kind.generation == .three, law != .towardsOne {
      // The curve is added to a number of 0, and the sum is randomised.
      let (center, half, _) = range.spread
      let (factor, random) = law.ratio(center - half.magnitude, center + half.magnitude)
      if isNative, factor != 1 {
        lose(.restated, curved, at: place, "the curve contains the values themselves")
      }
      explain(range, capability, at: place)
      set(key, 0)
      set("\(key)_random", random)
      curve = curve.multiplied(by: factor)
    } else {
      put(key, range, capability, at: place)
    }
    put("\(key)_curve", curve: curve, curved, at: place)
  }
}

extension Row<GodotFamily> {
  /// A property that only some classes have, and that effects do not use: kept.
  static func kept(_ keys: [String], _ note: String) -> Row { .ignored(keys, note, from: "files") }

  /// The keys of a random number in both generations.
  static func keys(_ key: String) -> [String] {
    ["", "_random", "_min", "_max", "_curve"].map { key + $0 }
  }
}

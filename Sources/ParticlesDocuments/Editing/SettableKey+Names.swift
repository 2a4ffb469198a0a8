extension SettableKey {
  /// The names that other editors and engines have for the property, and German ones: a search by them finds it. The
  /// engines are Unity, Niagara of Unreal, Effekseer, Godot, cocos2d and Particle Designer.
  public var names: [String] {
    (Self.names[key] ?? "").split(separator: ";").map { String($0.drop { $0 == " " }) }
  }

  /// Returns the keys that other editors call so, in any case: `emitters[].forces` for `gravity`. See ``names``.
  public static func called(_ name: String) -> [SettableKey] {
    let wanted = name.lowercased()
    return all().filter { $0.names.contains { $0.lowercased() == wanted } }
  }

  /// The names of each key, separated by semicolons.
  private static let names: [String: String] = [
    "asset.profile": "engine; target engine; Zielprogramm",
    "asset.unitsPerMeter": "pixels per unit; PPU",
    "seed": "random seed; auto random seed; Zufallszahl; Zufall",
    "preview.background": "backdrop; Hintergrundfarbe",
    "preview.fps": "frames per second",
    "emitters[].enabled": "visible; emitting; is rendered; active; sichtbar; aktiv",
    "emitters[].space": """
    simulation space; local space; local coords; position type; attached; follow; coordinate space; Koordinaten
    """,
    "emitters[].transform.translation": """
    source position; emitter position; translation; offset; location; Position
    """,
    "emitters[].transform.angle": "emitter rotation; Drehung",
    "emitters[].transform.scale": "scale; emitter scale; Skalierung",
    "emitters[].timing.delay": """
    start delay; loop delay; start generation time; delay; Startverzögerung
    """,
    "emitters[].timing.duration": """
    emitter duration; loop duration; emission time; system duration; length; Länge
    """,
    "emitters[].timing.loop": "looping; loop behavior; one shot; repeat; endless; endlos; Schleife",
    "emitters[].timing.prewarm": "preprocess; warmup time; warm-up; prewarming; Vorwärmen",
    "emitters[].timing.speed": """
    simulation speed; speed scale; time scale; playback speed; play rate; Zeitlupe
    """,
    "emitters[].timing.fixedStep": "fixed fps; fixed tick delta; fixed delta; fester Zeitschritt",
    "emitters[].emission.rate": """
    rate over time; spawn rate; emission rate; birth rate; spawn; amount per second; particles per second; \
    generation interval; spawn per second; Erzeugung; Geburtenrate
    """,
    "emitters[].emission.ratePerDistance": """
    rate over distance; spawn per unit; distance; emission over distance; Abstand
    """,
    "emitters[].emission.bursts": """
    burst; spawn burst; spawn burst instantaneous; burst count; instantaneous; Stoß; Ausbruch
    """,
    "emitters[].emission.maxAlive": """
    max particles; maximum particles; amount; capacity; particle count; count; pool size; limit; \
    Höchstzahl; Anzahl; Kapazität
    """,
    "emitters[].emission.total":
      "spawn count; max count; generation count; numberToEmit; Gesamtzahl",
    "emitters[].emission.explosiveness": "explosion; explode; Explosion",
    "emitters[].emission.jitter": "randomness; Zufall",
    "emitters[].shape.type": """
    emitter shape; emission shape; spawn shape; shape location; spawn location; generation location; Emitterform
    """,
    "emitters[].shape.size": """
    box extents; source position variance; emission box extents; emitter size; spawn area; position variance; \
    box size; Ausmaße
    """,
    "emitters[].shape.radius": "sphere radius; emission sphere radius; cone radius; Halbmesser",
    "emitters[].shape.inner": """
    radius thickness; ring; donut; inner radius; emission ring inner radius; ring radius; Ring
    """,
    "emitters[].shape.placement": """
    emit from; emit from edge; emit from shell; surface only; border only; Rand
    """,
    "emitters[].launch.direction.angle":
      "emission angle; emitter angle; direction; Winkel der Richtung",
    "emitters[].launch.direction.mode": "direction mode; spherize direction; randomize direction",
    "emitters[].launch.direction.vector": "velocity direction; launch vector",
    "emitters[].launch.spread": """
    angle variance; angle var; emission angle range; velocity cone; cone angle; cone; velocity in cone; \
    spread angle; Streuwinkel; Kegel
    """,
    "emitters[].launch.flatness": "flat; flach",
    "emitters[].launch.speed": """
    start speed; initial velocity; initial speed; speed; add velocity; velocity; velocity from point; \
    launch velocity; Anfangsgeschwindigkeit; Geschwindigkeit
    """,
    "emitters[].launch.inheritVelocity": """
    inherit source movement; inherited velocity; inherit velocity ratio; Geschwindigkeit erben
    """,
    "emitters[].lifetime": """
    start lifetime; life; life span; lifespan; particle life; time to live; TTL; life time; \
    particle lifespan; lifetime randomness; lifespan variance; Lebenszeit; Leben
    """,
    "emitters[].physics.collides":
      "collision; collide; collision mode; world collision; Kollision; Zusammenstoß",
    "emitters[].physics.bounce": "restitution; elasticity; bounciness; Elastizität",
    "emitters[].physics.sceneGravity": "affected by gravity; use gravity; gravity scale",
    "emitters[].motion.mode":
      "emitter type; radius mode; gravity mode; movement type; Bewegungsart",
    "emitters[].motion.speed": """
    velocity over lifetime; velocity over life; speed over lifetime; speed modifier; scale velocity; \
    Geschwindigkeit im Leben
    """,
    "emitters[].motion.orbit.radius": "max radius; min radius; maxRadius; minRadius; Kreisradius",
    "emitters[].motion.orbit.angularVelocity":
      "rotate per second; rotatePerSecond; orbital speed; Umlauf",
    "emitters[].motion.orbitVelocity":
      "orbital; orbital velocity; orbit velocity; orbit; vortex velocity; kreisen",
    "emitters[].motion.drift": "directional velocity; linear velocity; wind velocity; Abtrieb",
    "emitters[].motion.maxSpeed": """
    limit velocity over lifetime; speed limit; velocity limit; limit velocity; clamp velocity; terminal velocity; \
    Tempolimit; Höchstgeschwindigkeit
    """,
    "emitters[].forces": """
    gravity; gravity modifier; gravity force; gravity x; gravity y; force over lifetime; external forces; \
    linear acceleration; linear accel; radial acceleration; radial accel; tangential acceleration; tangential accel; \
    acceleration; acceleration force; drag; damping; dampen; air resistance; linear damping; noise; turbulence; \
    curl noise; curl noise force; noise force; wind; wind force; point attraction force; point force; attraction; \
    attraction forces; attractor; repulsion; vortex force; swirl; force field; vector field; physics; Kraft; Wind; \
    Turbulenz; Anziehung; Beschleunigung; Luftwiderstand
    """,
    "emitters[].rotation.angle": """
    start rotation; rotation start; initial rotation; sprite rotation; initial angle; rotation; start spin; \
    Anfangswinkel; Drehung
    """,
    "emitters[].rotation.velocity": """
    rotation over lifetime; angular velocity; rotation speed; rotation rate; sprite rotation rate; rotation end; \
    end spin; spin; Drehgeschwindigkeit; Rotation
    """,
    "emitters[].rotation.align": """
    align to direction; align to velocity; velocity alignment; face direction; align y; rotation is direction; \
    ausrichten
    """,
    "emitters[].size.width": """
    start size; size over lifetime; start particle size; finish particle size; finish size; end size; size; \
    particle size; sprite size; scale sprite size; uniform sprite size; scale amount; scale curve; \
    scale amount curve; scale over life; expansion; Größe; Skalierung
    """,
    "emitters[].size.stretch.factor":
      "stretched billboard; speed scale stretch; velocity stretch; length scale; strecken",
    "emitters[].color.base": """
    start color; start colour; finish color; end color; color over lifetime; colour over lifetime; color ramp; \
    color initial ramp; gradient; tint; scale color; initial color; color; hue variation; hue; color by speed; \
    Farbverlauf; Verlauf; Farbton
    """,
    "emitters[].color.opacity": """
    alpha; alpha over life; alpha curve; fade; fade in; fade out; fading; transparency; visibility; scale alpha; \
    Transparenz; Deckung; ausblenden; einblenden; Alpha
    """,
    "emitters[].color.intensity": "brightness; emissive; glow; HDR; bloom; leuchten",
    "emitters[].sprites": """
    texture; material; sprite; picture; color texture; particle texture; texture file name; Textur; Bild
    """,
    "emitters[].spriteSelection": "random sprite; variation; frame over time; Zufallsbild",
    "emitters[].flipbook.fps": """
    texture sheet animation; sprite sheet; SubUV animation; SubUV; flipbook; flip-book; anim speed; \
    animation speed; UV animation; frames per second; UV scroll; Bildfolge; Animation
    """,
    "emitters[].flipbook.start": "anim offset; start frame; animation offset; Startbild",
    "emitters[].render.blend.mode": """
    blend mode; additive; blending; blend func; blend function; alpha blend; add mode; blend state; additiv; \
    Mischmodus; Mischen
    """,
    "emitters[].render.blend.src": "blend func source; source blend; blendFuncSource; src blend",
    "emitters[].render.blend.dst": """
    blend func destination; destination blend; blendFuncDestination; dst blend
    """,
    "emitters[].render.sort":
      "sort mode; draw order; sorting; sort order; sortieren; Zeichenreihenfolge",
    "emitters[].render.order": """
    order in layer; sorting fudge; drawing priority; draw priority; z index; z-index; sort priority; render priority; \
    Zeichenpriorität
    """,
    "emitters[].render.layer": "sorting layer; z layer; layer mask",
    "emitters[].render.billboard": """
    render mode; billboard; facing mode; billboard mode; facing; render alignment; orientation; Ausrichtung
    """,
    "emitters[].render.soft.near":
      "soft particles; soft particle; proximity fade; depth fade; weiche Partikel",
    "emitters[].render.trail.length": """
    trails; trail; ribbon; trail lifetime; tail; trail enabled; Spur; Schweif
    """,
    "emitters[].render.trail.width": "width over trail; ribbon width; trail scale; Spurbreite",
    "emitters[].render.trail.color": "color over trail; ribbon color; trail gradient; Spurfarbe",
    "emitters[].render.links.distance": """
    links; lines; line linked; line_linked; linked lines; connect; connections; network; Linien; Verbindungen; Netz
    """,
    "emitters[].triggers": """
    sub emitters; sub emitter; sub-emitter; sub-emitters; subemitter; events; event handler; child; child node; \
    on death; collision event; Unteremitter; Kind
    """,
    "sprites[].grid.columns": "tiles x; h frames; hframes; Kacheln",
    "sprites[].grid.rows": "tiles y; v frames; vframes",
  ]
}

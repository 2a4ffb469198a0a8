// The names of properties and of the values of closed lists, in English and German. A key that is not here is named by its last part.

import { language } from "../strings.js";

// The end of a key: English, German. Longer ends come before shorter ones.
const properties = {
  "emission.rate": ["Rate", "Rate"], "emission.ratePerDistance": ["Rate per distance", "Rate je Strecke"], "emission.bursts": ["Bursts", "Salven"],
  "emission.maxAlive": ["Max alive", "Höchstens lebend"], "emission.whenFull": ["When full", "Wenn voll"], "emission.minAlive": ["Min alive", "Mindestens lebend"],
  "emission.total": ["Total", "Insgesamt"], "emission.explosiveness": ["Explosiveness", "Explosivität"], "emission.jitter": ["Jitter", "Streuung"],
  "emission.probability": ["Probability", "Wahrscheinlichkeit"], "emission.lifeOffset": ["Initial age", "Anfangsalter"], "emission.schedule": ["Schedule", "Zeitplan"],
  "bursts[].time": ["Time", "Zeit"], "bursts[].count": ["Count", "Anzahl"], "bursts[].cycles": ["Cycles", "Wiederholungen"],
  "bursts[].interval": ["Interval", "Abstand"], "bursts[].probability": ["Probability", "Wahrscheinlichkeit"],
  "emitters[].lifetime": ["Lifetime", "Lebensdauer"], "emitters[].enabled": ["Enabled", "Eingeschaltet"], "emitters[].space": ["Space", "Bezugsraum"],
  "timing.delay": ["Delay", "Verzögerung"], "timing.duration": ["Duration", "Dauer"], "timing.loop": ["Loop", "Wiederholen"], "timing.idle": ["Pause", "Pause"],
  "timing.prewarm": ["Prewarm", "Vorlauf"], "timing.speed": ["Speed", "Tempo"], "timing.fixedStep": ["Fixed step", "Fester Schritt"],
  "shape.transform.translation": ["Shape position", "Ort der Form"], "shape.transform.rotation": ["Shape rotation", "Raumdrehung der Form"],
  "shape.transform.angle": ["Shape angle", "Winkel der Form"], "shape.transform.scale": ["Shape scale", "Maßstab der Form"],
  "shape.type": ["Shape", "Form"], "shape.length": ["Length", "Länge"], "shape.angle": ["Angle", "Winkel"], "shape.size": ["Size", "Größe"], "shape.radii": ["Radii", "Radien"],
  "shape.radius": ["Radius", "Radius"], "shape.inner": ["Inner radius", "Innenradius"], "shape.pipe": ["Pipe radius", "Rohrradius"], "shape.height": ["Height", "Höhe"],
  "shape.arc": ["Arc", "Bogen"], "shape.points": ["Lines", "Linien"], "shape.closed": ["Closed", "Geschlossen"], "shape.positions": ["Positions", "Punkte"],
  "shape.normals": ["Normals", "Normalen"], "shape.colors": ["Colours", "Farben"], "shape.mesh": ["Mesh", "Netz"], "shape.placement": ["Placement", "Anordnung"],
  "shape.distribution": ["Distribution", "Verteilung"], "shape.sweep": ["Sweep", "Reihenfolge"], "shape.extent": ["Extent", "Ausdehnung"], "shape.offset": ["Offset", "Versatz"],
  "direction.mode": ["Direction", "Richtung"], "direction.angle": ["Angle", "Winkel"], "direction.vector": ["Vector", "Vektor"],
  "launch.spread": ["Spread", "Fächer"], "launch.spreadLaw": ["Spread law", "Fächerform"], "launch.flatness": ["Flatness", "Abflachung"],
  "launch.speed": ["Speed", "Geschwindigkeit"], "launch.inheritVelocity": ["Inherit velocity", "Tempo erben"],
  "physics.mass": ["Mass", "Masse"], "physics.charge": ["Charge", "Ladung"], "physics.bounce": ["Bounce", "Rückprall"], "physics.friction": ["Friction", "Reibung"],
  "physics.collides": ["Collides", "Kollidiert"], "physics.diesOnCollision": ["Dies on collision", "Endet bei Kollision"],
  "physics.sceneGravity": ["Scene gravity", "Schwerkraft der Szene"], "physics.fieldMask": ["Field mask", "Feldmaske"],
  "motion.orbit.angle": ["Orbit angle", "Winkel der Bahn"], "motion.orbit.angularVelocity": ["Orbit velocity", "Bahntempo"], "motion.orbit.radius": ["Orbit radius", "Bahnradius"],
  "motion.orbit.center": ["Orbit centre", "Bahnmitte"], "motion.orbit.phase180": ["Opposite phase", "Gegenphase"], "motion.path.expression": ["Path formula", "Pfadformel"],
  "motion.path.points": ["Path points", "Pfadpunkte"], "motion.mode": ["Mode", "Art"], "motion.speed": ["Speed over life", "Tempo im Leben"],
  "motion.speedMode": ["Speed mode", "Tempo wirkt"], "motion.orbitVelocity": ["Circling", "Kreisen"], "motion.orbitAxis": ["Circling axis", "Kreisachse"],
  "motion.drift": ["Drift", "Drift"], "motion.maxSpeed": ["Max speed", "Höchsttempo"], "motion.direction": ["Direction over life", "Richtung im Leben"],
  "forces[].type": ["Force", "Kraft"], "forces[].vector": ["Acceleration", "Beschleunigung"], "forces[].strength": ["Strength", "Stärke"], "forces[].space": ["Space", "Bezugsraum"],
  "forces[].center": ["Centre", "Mitte"], "forces[].axis": ["Axis", "Achse"], "forces[].maxDistance": ["Max distance", "Reichweite"], "forces[].falloff": ["Falloff", "Abnahme"],
  "forces[].law": ["Law", "Gesetz"], "forces[].limit": ["Limit", "Grenze"], "forces[].direction": ["Direction", "Richtung"], "forces[].scale": ["Feature size", "Strukturgröße"],
  "forces[].speed": ["Speed", "Tempo"], "forces[].octaves": ["Octaves", "Oktaven"], "forces[].target": ["Changes", "Verändert"], "forces[].field": ["Field", "Feld"],
  "emitters[].forces": ["Forces", "Kräfte"],
  "rotation.angle": ["Angle", "Winkel"], "rotation.velocity": ["Spin", "Drehtempo"], "rotation.acceleration": ["Spin change", "Drehbeschleunigung"],
  "rotation.align": ["Align to", "Ausrichten nach"], "rotation.alignOffset": ["Align offset", "Versatz"], "rotation.axis": ["Axis", "Achse"],
  "size.mode": ["Unit", "Einheit"], "size.width": ["Width", "Breite"], "size.height": ["Height", "Höhe"], "size.aspect": ["Aspect", "Seitenverhältnis"],
  "stretch.factor": ["Stretch", "Streckung"], "stretch.axis": ["Stretch axis", "Streckachse"],
  "color.base": ["Colour", "Farbe"], "color.opacity": ["Opacity", "Deckkraft"], "color.intensity": ["Intensity", "Helligkeit"], "color.mix": ["Tint", "Tönung"],
  "emitters[].sprites": ["Images", "Bilder"], "emitters[].spriteSelection": ["Sprite choice", "Bildwahl"], "flipbook.start": ["First frame", "Erstes Einzelbild"], "flipbook.fps": ["Frame rate", "Bildrate"],
  "flipbook.mode": ["At the end", "Am Ende"], "flipbook.crossfade": ["Cross-fade", "Überblenden"], "flipbook.startRandom": ["Random start", "Zufälliger Anfang"],
  "blend.mode": ["Blend", "Mischung"], "blend.src": ["Source factor", "Quellfaktor"], "blend.dst": ["Destination factor", "Zielfaktor"], "blend.equation": ["Equation", "Gleichung"],
  "blend.premultiply": ["Premultiply", "Vormultiplizieren"], "render.sort": ["Draw order", "Zeichenfolge"], "render.billboard": ["Facing", "Blickrichtung"],
  "render.billboardAxis": ["Facing axis", "Blickachse"], "render.z": ["Depth order", "Tiefenordnung"], "render.lit": ["Lit", "Beleuchtet"], "soft.near": ["Soft near", "Weich ab"],
  "soft.far": ["Soft far", "Weich bis"], "render.blackPass": ["Black pass", "Schwarz zuerst"], "render.writesDepth": ["Writes depth", "Schreibt Tiefe"],
  "render.layer": ["Layer", "Ebene"], "render.order": ["Order", "Reihenfolge"], "trail.length": ["Trail length", "Schweiflänge"], "trail.width": ["Trail width", "Schweifbreite"],
  "trail.color": ["Trail colour", "Schweiffarbe"], "links.distance": ["Link distance", "Linienabstand"], "links.color": ["Link colour", "Linienfarbe"],
  "links.width": ["Link width", "Linienbreite"], "links.opacity": ["Link opacity", "Liniendeckkraft"],
  "emitters[].triggers": ["Triggers", "Auslöser"], "triggers[].event": ["Event", "Ereignis"], "triggers[].emitter": ["Emitter", "Emitter"], "triggers[].count": ["Count", "Anzahl"],
  "triggers[].interval": ["Interval", "Abstand"], "triggers[].probability": ["Probability", "Wahrscheinlichkeit"], "triggers[].inherit": ["Inherits", "Erbt"],
  "triggers[].velocityFactor": ["Velocity factor", "Tempofaktor"],
  "transform.translation": ["Position", "Ort"], "transform.rotation": ["Rotation in space", "Raumdrehung"], "transform.angle": ["Angle", "Winkel"], "transform.scale": ["Scale", "Maßstab"],
  "asset.name": ["Name", "Name"], "asset.author": ["Author", "Urheber"], "asset.copyright": ["Copyright", "Rechte"], "asset.comment": ["Comment", "Bemerkung"],
  "asset.dimension": ["Dimension", "Dimension"], "asset.unit": ["Unit", "Einheit"], "asset.unitsPerMeter": ["Units per metre", "Einheiten je Meter"], "asset.profile": ["Profile", "Profil"],
  seed: ["Seed", "Startzahl"], "preview.size": ["Picture size", "Bildgröße"], "preview.background": ["Background", "Hintergrund"], "camera.position": ["Camera position", "Ort der Kamera"],
  "camera.target": ["Camera target", "Blickpunkt"], "camera.fov": ["Field of view", "Blickwinkel"], "camera.orthoHeight": ["Visible height", "Sichtbare Höhe"],
  "preview.duration": ["Duration", "Dauer"], "preview.warmup": ["Warm-up", "Vorlauf"], "preview.fps": ["Frame rate", "Bildrate"],
  "grid.columns": ["Columns", "Spalten"], "grid.rows": ["Rows", "Zeilen"], "grid.count": ["Frames", "Einzelbilder"], "grid.order": ["Order", "Reihenfolge"],
  "sprites[].pivot": ["Pivot", "Angelpunkt"], "sprites[].scale": ["Pixels per unit", "Pixel je Einheit"], "sprites[].filter": ["Filter", "Filter"],
  "sprites[].region": ["Region", "Ausschnitt"], "sprites[].rotated": ["Rotated", "Gedreht"],
};

// Names of closed lists.
const names = {
  wait: ["Wait", "Warten"], skip: ["Skip", "Auslassen"], spread: ["Spread", "Verteilen"], recycle: ["Recycle", "Älteste ersetzen"],
  continuous: ["Continuous", "Stetig"], frame: ["Each frame", "Je Bild"], point: ["Point", "Punkt"], line: ["Line", "Linie"], rect: ["Rectangle", "Rechteck"],
  ellipse: ["Ellipse", "Ellipse"], polyline: ["Lines", "Linienzug"], points: ["Points", "Punkte"], box: ["Box", "Quader"], sphere: ["Sphere", "Kugel"],
  hemisphere: ["Hemisphere", "Halbkugel"], cone: ["Cone", "Kegel"], cylinder: ["Cylinder", "Zylinder"], capsule: ["Capsule", "Kapsel"], tube: ["Tube", "Rohr"],
  torus: ["Torus", "Torus"], mesh: ["Mesh", "Netz"], volume: ["Volume", "Fläche oder Körper"], surface: ["Surface", "Oberfläche"], edge: ["Edge", "Rand"], vertices: ["Vertices", "Ecken"],
  uniform: ["Uniform", "Gleichmäßig"], radialLinear: ["Radial", "Radial"], projected: ["Projected", "Projiziert"], normal: ["Normal", "Normale"],
  random: ["Random", "Zufällig"], loop: ["Loop", "Wiederholen"], pingpong: ["Back and forth", "Hin und her"], angle: ["Angle", "Winkel"], vector: ["Vector", "Vektor"], none: ["None", "Keine"],
  planar: ["Planar", "Eben"], polarUniform: ["Polar", "Polar"], solidUniform: ["Solid angle", "Raumwinkel"], azimuthElevation: ["Azimuth and elevation", "Azimut und Höhe"],
  sideElevation: ["Side and elevation", "Seite und Höhe"], ballistic: ["Ballistic", "Ballistisch"], orbit: ["Orbit", "Kreisbahn"], path: ["Path", "Pfad"], multiply: ["Multiply", "Multiplizieren"],
  replace: ["Replace", "Ersetzen"], emitter: ["Emitter", "Emitter"], birthEmitter: ["Emitter at birth", "Emitter bei Beginn"], gravity: ["Gravity", "Schwerkraft"], linear: ["Linear", "Linear"],
  radial: ["Radial", "Radial"], tangential: ["Tangential", "Tangential"], vortex: ["Vortex", "Wirbel"], drag: ["Drag", "Widerstand"], noise: ["Noise", "Rauschen"], field: ["Field", "Feld"],
  world: ["World", "Welt"], local: ["Local", "Lokal"], parent: ["Parent", "Eltern"], perFrame60: ["Per frame of 60", "Je Bild bei 60"], exponential: ["Exponential", "Exponentiell"],
  euler: ["Euler", "Euler"], constant: ["Constant", "Konstant"], limit: ["Limit", "Grenze"], position: ["Position", "Ort"], velocity: ["Velocity", "Geschwindigkeit"],
  birth: ["Birth", "Beginn"], units: ["Units", "Längen"], textureScale: ["Texture scale", "Bildmaßstab"], first: ["First", "Erstes"], sequence: ["Sequence", "Der Reihe nach"],
  life: ["Over life", "Über das Leben"], once: ["Once", "Einmal"], alpha: ["Alpha", "Alpha"], add: ["Add", "Addieren"], subtract: ["Subtract", "Subtrahieren"],
  multiplyAlpha: ["Multiply alpha", "Multiplizieren mit Alpha"], multiplyX2: ["Multiply ×2", "Multiplizieren ×2"], screen: ["Screen", "Bildschirm"],
  premultiplied: ["Premultiplied", "Vormultipliziert"], custom: ["Custom", "Eigene"], reverseSubtract: ["Reverse subtract", "Umgekehrt subtrahieren"], min: ["Minimum", "Minimum"],
  max: ["Maximum", "Maximum"], auto: ["Automatic", "Automatisch"], always: ["Always", "Immer"], never: ["Never", "Nie"], oldestFirst: ["Oldest first", "Älteste zuerst"],
  youngestFirst: ["Youngest first", "Jüngste zuerst"], depth: ["Depth", "Tiefe"], distance: ["Distance", "Entfernung"], lifetime: ["Age", "Alter"], view: ["View", "Kamera"],
  free: ["Free", "Frei"], axisY: ["Axis Y", "Achse Y"], horizontal: ["Horizontal", "Waagerecht"], vertical: ["Vertical", "Senkrecht"], death: ["Death", "Ende"],
  collision: ["Collision", "Kollision"], interval: ["Interval", "Abstand"], living: ["While living", "Solange es lebt"], color: ["Colour", "Farbe"], rotation: ["Rotation", "Drehung"],
  size: ["Size", "Größe"], "2d": ["2D", "2D"], "3d": ["3D", "3D"], nearest: ["Nearest", "Nächster"], row: ["Rows", "Zeilen"], column: ["Columns", "Spalten"], straight: ["Straight", "Direkt"],
  step: ["Step", "Stufe"], cubic: ["Cubic", "Kubisch"], clamp: ["Hold", "Halten"], mirror: ["Mirror", "Spiegeln"], srgb: ["sRGB", "sRGB"], oklab: ["Oklab", "Oklab"],
  particle: ["Each particle", "Je Partikel"], cycle: ["Each period", "Je Periode"], effect: ["Whole effect", "Ganzer Effekt"], age: ["Seconds", "Sekunden"], speed: ["Speed", "Tempo"],
  channels: ["Channels", "Kanäle"], hsb: ["Hue", "Farbton"], sprite: ["As the image", "Wie das Bild"],
};

const place = language === "de" ? 1 : 0;
const ends = Object.keys(properties).sort((a, b) => b.length - a.length);

/** Words of a camelCase name: "Max alive". */
function spelled(name) {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return words[0].toUpperCase() + words.slice(1);
}

/** The name of a property by its key, concrete or of the schema. */
export function label(key) {
  const pattern = key.replace(/\[\d+\]/g, "[]");
  const end = ends.find((each) => pattern === each || pattern.endsWith(`.${each}`));
  return end === undefined ? spelled(pattern.split(".").at(-1).replace("[]", "")) : properties[end][place];
}

/** A name with places where a long German word may be broken. Browsers have no rules for all languages. */
export const breakable = (name) => name.replace(/(Wahrschein|Geschwindig|Seiten|Vormulti|Drehbe)(?=[a-zäöü]{4})/g, "$1\u00AD");

/** The name of a value of a closed list. */
export const nameOf = (name) => names[name]?.[place] ?? spelled(String(name));

// What the program knows of a document, in the words of the page.

import { formatNumber, formatSize, has, text, typeName, visible } from "./texts.js";

const capital = (word) => word[0].toUpperCase() + word.slice(1);

/** Why a version was kept. */
export const versionName = (kind) => text(`version${capital(kind)}`);

/** The name of a template, and a line about it. User templates have their own. */
export function templateTexts({ name, summary }) {
  const key = capital(name);
  return has(`template${key}`) ? { name: text(`template${key}`), summary: text(`templateHint${key}`) } : { name, summary };
}

/** The facts about an effect in order: the key of the label, and the text, empty for unknown facts. */
const values = {
  factName: ({ name }) => name && visible(name),
  factAuthor: ({ author }) => author && visible(author),
  factComment: ({ comment }) => comment && visible(comment),
  factSpace({ dimension, unit, profile }) {
    // Documents may name units of their own.
    const key = `unit${capital(unit)}`;
    const space = text("factSpaceValue", visible(dimension.toUpperCase()), has(key) ? text(key) : visible(unit));
    return profile ? text("factSpaceProfile", space, profile) : space;
  },
  factEngine({ engine }) {
    if (!engine) return undefined;
    const others = engine.others.map(({ profile }) => profile).join(", ");
    return others ? text("factEngineOthers", engine.profile, others) : engine.profile;
  },
  factDuration({ duration, period }) {
    if (period !== undefined) return text("factPeriod", formatNumber(period));
    return duration === undefined ? text("factEndless") : text("factSeconds", formatNumber(duration));
  },
  factParticles: ({ alive }) => (alive === undefined ? text("factUnbounded") : text("factAlive", formatNumber(Math.ceil(alive)))),
  factTextures: ({ textures, textureMemory }) => (textures ? text("factTexturesValue", textures, formatSize(textureMemory)) : text("factNoTextures")),
  factOrigin({ origin, originPath, originIsIntact }) {
    if (!origin) return undefined;
    if (!originPath) return text("factOriginRemoved", typeName(origin));
    const kept = text("factOriginKept", typeName(origin));
    return originIsIntact ? kept : text("factOriginChanged", kept);
  },
  factOriginFile: ({ origin, originPath, originSize }) => origin && originPath && `${visible(originPath)}${originSize === undefined ? "" : `, ${formatSize(originSize)}`}`,
  factFiles: ({ files, contents }) => text("factFilesValue", formatNumber(files), formatSize(contents)),
  factDigest: ({ digest }) => digest,
};

/** Facts that few ask for. */
const technical = ["factOriginFile", "factFiles", "factDigest"];

/**
 * Labels and texts of the facts about an effect.
 * @param {object} facts - of the route `information`
 * @param {boolean} [areTechnical] - whether only facts are returned that few ask for
 * @returns {[string, string][]}
 */
export function factRows(facts, areTechnical = false) {
  if (facts?.digest === undefined) return [];
  return Object.entries(values).filter(([key]) => technical.includes(key) === areTechnical).map(([key, value]) => [text(key), value(facts)]).filter(([, value]) => value);
}

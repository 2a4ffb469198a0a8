// Puts the modules of the player into one script, and fills the page, as the tool does.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

export const player = join(dirname(fileURLToPath(import.meta.url)), "../../Sources/ParticlesWeb/Player");
const text = (name) => readFileSync(join(player, name), "utf8");

/**
 * One script: the lines of the files of bundle.txt and of the file that starts the page. Leading spaces are removed, and the word `export ` at the
 * beginning of a line. Left out are empty lines and lines that begin with `import `, `//`, `/**`, `* ` or `*` and a slash. The script is a block, and no
 * module.
 */
export function bundle(start = "page.js") {
  const lines = [...text("bundle.txt").trim().split("\n"), start].flatMap((name) => text(name).split("\n")).map((line) => line.replace(/^ +/, ""));
  const isNeeded = (line) => line !== "" && line !== "*" && !["import ", "//", "/**", "* ", "*/"].some((start) => line.startsWith(start));
  const script = lines.filter(isNeeded).map((line) => line.replace(/^export /, ""));
  return `"use strict";{\n${script.join("\n").replaceAll("import.meta", "globalThis")}\n}\n`;
}

/** The script of a page, which unpacks the bundle. */
const loader = () => text("loader.js").replace("{{packed}}", gzipSync(bundle(), { level: 9 }).toString("base64"));

/** Bytes in base 85: the printable characters of ASCII but nine that mean something in a page. */
function base85(bytes) {
  const letters = Array.from({ length: 94 }, (_, place) => String.fromCharCode(33 + place)).filter((letter) => !"\"&'<>\\`{}".includes(letter));
  let result = "";
  for (let from = 0; from < bytes.length; from += 4) {
    let value = 0;
    for (let place = from; place < from + 4; place++) value = value * 256 + (bytes[place] ?? 0);
    let group = "";
    for (let place = 0; place < 5; place++) {
      group = letters[value % 85] + group;
      value = Math.floor(value / 85);
    }
    result += group.slice(0, 1 + Math.min(4, bytes.length - from));
  }
  return result;
}

const sourceOf = (content) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
const escaped = (content) => content.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The page of an effect. */
export function page(title, module, effect, settings) {
  const [script, style] = [loader(), text("page.css")];
  const values = {
    title: escaped(title), style, script, "style-source": sourceOf(style), "script-source": `${sourceOf(script)} ${sourceOf(bundle())}`,
    module: base85(gzipSync(module, { level: 9 })), effect: Buffer.from(effect).toString("base64"),
    settings: JSON.stringify(settings).replaceAll("<", "\\u003c"),
  };
  return text("page.html").replace(/\{\{([\w-]+)\}\}/g, (_, name) => values[name]);
}

if (process.argv[2] === "page") {
  const [title, module, effect, settings] = process.argv.slice(3);
  process.stdout.write(page(title, readFileSync(module), readFileSync(effect), JSON.parse(settings ?? "{}")));
}

/** Summaries and hints of the rules that the player reports itself, as in Spec/rules.md. */
const rules = {
  "container/signature": ["not a .particles package"],
  "container/version": ["the package needs a newer reader", "update the player"],
  "container/truncated": ["the package is cut short", "fetch the file again, or restore it from a copy"],
  "container/checksum": ["a checksum does not match", "the file is damaged; fetch it again, or restore it from a copy"],
  "container/frame": ["a frame is malformed"],
  "container/payload": ["a compressed payload is not a zlib stream of the declared length"],
  "container/index": ["the index is malformed"],
  "container/coverage": ["the frames do not cover the file, or are out of order"],
  "container/torn": ["an unfinished save follows the last finished one; it is ignored"],
  "tree/name": ["not a valid name in a package", "rename it"],
  "tree/order": ["entries are not in ascending order"],
  "tree/twins": ["two names differ in case only", "rename one of them"],
  "tree/parent": ["the parent of an entry is not a directory"],
  "tree/link": ["a symbolic link leads out of the package", "make it relative, or replace it by its target"],
  "tree/extent": ["contents overlap or lie outside the stream"],
  "tree/no-entry": ["the package has no such entry"],
  "limit/exceeded": ["a limit of the reader is exceeded", "if you trust the file, open it with higher limits"],
  "document/missing": ["the package has no document.json"],
  "document/json": ["not valid JSON"],
  "document/range": ["a value is out of range"],
  "image/missing": ["the image is not in the package"],
  "image/undecodable": ["the image cannot be decoded"],
  "file/not-found": ["no such file or folder"],
  "file/unreadable": ["cannot be read"],
};

const placesAndValues = ["expected", "found", "file", "offset", "entry", "key", "line", "column"];

/**
 * A diagnostic: the fault, its place, and what to do. The members have the names of the diagnostics that the tool
 * writes with `--json`.
 */
export class ParticlesError extends Error {
  /**
   * @param {string} code of Spec/rules.md, such as `container/checksum`.
   * @param {object} [details] `detail`, `expected`, `found`, `hint`, `severity`, and the place: `file`,
   *   `offset`, `entry`, `key`, `line`, `column`.
   */
  constructor(code, details = {}) {
    const [summary, hint] = rules[code] ?? [code];
    const { detail, expected, found } = details;
    const parts = [
      expected !== undefined ? `expected ${expected}` : "", found !== undefined ? `found ${found}` : "",
    ].filter(Boolean);
    super(details.message ?? `${summary}${detail ? `: ${detail}` : ""}${parts.length ? ` (${parts.join(", ")})` : ""}`);
    this.name = "ParticlesError";
    this.code = code;
    this.severity = details.severity ?? "error";
    this.hint = details.hint ?? hint;
    for (const key of placesAndValues) {
      if (details[key] !== undefined) this[key] = details[key];
    }
  }

  /** A diagnostic of the module, with the members of the JSON of the tool. */
  static from(json, file) {
    return new ParticlesError(json.code ?? "particles/failure", { file, ...json });
  }

  /** The members, as the tool writes and a worker sends them. */
  toJSON() {
    const { code, message, severity, hint } = this;
    return { code, message, severity, hint, ...Object.fromEntries(placesAndValues.map((key) => [key, this[key]])) };
  }

  /** Where: the file, and the entry, property, line or byte in it. Empty if nothing is known. */
  get place() {
    const parts = [
      this.file, this.entry, this.key,
      this.line !== undefined ? `line ${this.line}${this.column !== undefined ? `, column ${this.column}` : ""}` : undefined,
      this.offset !== undefined ? `byte ${this.offset}` : undefined,
    ];
    return parts.filter((part) => part !== undefined && part !== "").join(": ");
  }

  /** This error, with its file if it had none. */
  inFile(file) {
    if (this.file === undefined && file) this.file = file;
    return this;
  }

  /** Place, severity, message and code in one line. */
  toString() {
    return `${this.place ? `${this.place}: ` : ""}${this.severity}: ${this.message} [${this.code}]`;
  }
}

/** Any error as one with a code. */
export function particlesError(error, code = "file/unreadable") {
  if (error instanceof ParticlesError) return error;
  const result = new ParticlesError(code, { detail: error?.message ?? String(error) });
  result.cause = error;
  return result;
}

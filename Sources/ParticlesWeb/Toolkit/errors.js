import { constants } from "./layout.js";

const severities = ["note", "warning", "error"];

/** What a check, a conversion or an error has found. The members are those of the JSON of the tool. */
export class Finding {
  /**
   * @param {object} members `code`, `severity`, `message`, the place (`file`, `entry`, `key`, `offset`, `line`, `column`),
   *   `expected`, `found`, `hint` and `loss`.
   * @param {string} text place, severity, message and code on one line.
   */
  constructor(members, text) {
    Object.assign(this, members);
    this.text = text;
    Object.freeze(this);
  }

  /** The level of a loss: `info`, `low`, `medium` or `high`. */
  get level() { return this.loss?.level; }

  /** The measured difference of a loss, 0 to 1. */
  get difference() { return this.loss?.difference; }

  /** File, entry, and line, key or byte, as far as they are known. */
  get place() {
    const where = this.line ? `${this.line}:${this.column}` : this.key ?? (this.offset === undefined ? undefined : `byte ${this.offset}`);
    return [this.file, this.entry, where].filter((part) => part).join(":");
  }

  toString() { return this.text; }

  /** Reads a struct of the module. */
  static read(struct) {
    const members = { code: struct.get("code"), message: struct.get("message"), severity: severities[struct.get("severity")] };
    Object.assign(members, JSON.parse(struct.get("json") ?? "{}"));
    return new Finding(members, struct.get("text"));
  }
}

/** The fault of a call. `kind` names its status in words, such as `notfound`. */
export class ParticlesError extends Error {
  /**
   * @param {Finding} finding
   * @param {number} status a status of particles.h.
   */
  constructor(finding, status) {
    super(finding.message);
    this.name = "ParticlesError";
    this.finding = finding;
    this.status = status;
    this.kind = Object.keys(constants).find((name) => constants[name] === status)?.toLowerCase() ?? "failure";
    for (const name of ["code", "severity", "expected", "found", "hint", "file", "entry", "key", "offset", "line", "column", "place"]) {
      if (finding[name] !== undefined) this[name] = finding[name];
    }
  }

  /** A fault that this package has found itself. */
  static of(code, message, status = constants.MISUSE, members = {}) {
    return new ParticlesError(new Finding({ code, message, severity: "error", ...members }, `error: ${message} [${code}]`), status);
  }

  toString() { return this.finding.text; }
}

/** A wrong argument or call. */
export function misuse(message, hint) {
  return ParticlesError.of("interface/misuse", message, constants.MISUSE, hint ? { hint } : {});
}

import { crc32, inflate } from "./bytes.js";
import { ParticlesError } from "./diagnostic.js";

const greatest = { TREE: 1 << 20, DATA: 1 << 20, BLKS: 16 << 20, ROOT: 16 << 20, DONE: 24 };
const followers = {
  DONE: ["TREE", "DATA", "ROOT"], TREE: ["TREE", "DATA", "ROOT"], DATA: ["DATA", "BLKS"], BLKS: ["ROOT"],
  ROOT: ["DONE"],
};
/** Bytes of the head of a frame. */
export const headSize = 24;
const footerSize = 48;
const packing = 1032;

export const hex = (value) => `0x${(value >>> 0).toString(16).padStart(8, "0")}`;

/** The frames of a file, as far as they can be followed from its front. */
export class FrameWalk {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.frames = [];
    this.footers = [];
  }

  number(at) {
    return this.view.getUint32(at, true) + this.view.getUint32(at + 4, true) * 0x100000000;
  }

  /** The head at a position that is inside the file. Throws if it is not valid anywhere. */
  head(at) {
    const tag = String.fromCharCode(...this.bytes.subarray(at, at + 4));
    const raw = this.view.getUint32(at + 4, true);
    const stored = this.view.getUint32(at + 8, true);
    const place = this.number(at + 12);
    const fault = (offset, detail, expected, found) =>
      new ParticlesError("container/frame", { offset, detail, expected, found });
    if (!Object.hasOwn(greatest, tag)) {
      throw fault(at, "tag", `one of ${Object.keys(greatest).join(", ")}`, hex(this.view.getUint32(at, true)));
    }
    if (raw < 1 || raw > greatest[tag]) {
      throw fault(at + 4, `unpacked length of a ${tag} frame`, `1 to ${greatest[tag]}`, raw);
    }
    const least = Math.max(1, Math.ceil((raw - 64) / packing));
    if (stored < least || stored > raw) {
      throw fault(at + 8, `stored length of a ${tag} frame`, `${least} to ${raw}`, stored);
    }
    return { at, tag, raw, stored, place, end: at + headSize + stored };
  }

  /** Throws unless a frame may follow another. */
  confirm(frame, before, streamEnd) {
    if (!followers[before].includes(frame.tag)) {
      throw new ParticlesError("container/coverage", {
        offset: frame.at, detail: "order of frames", expected: followers[before].join(" or "), found: frame.tag,
      });
    }
    const due = frame.tag === "DATA" ? streamEnd : frame.at;
    if (frame.place !== due) {
      throw new ParticlesError("container/frame", {
        offset: frame.at, detail: `place of a ${frame.tag} frame`, expected: due, found: frame.place,
      });
    }
  }

  /** Throws unless the checksum of a frame fits its bytes. */
  checkSum(frame) {
    const stated = this.view.getUint32(frame.at + 20, true);
    const actual = crc32(
      this.bytes, frame.at + headSize, frame.end, crc32(this.bytes, frame.at, frame.at + 20));
    if (actual !== stated) {
      throw new ParticlesError("container/checksum", {
        offset: frame.at, detail: `${frame.tag} frame`, expected: hex(stated), found: hex(actual),
      });
    }
  }

  /** The intact footer at a position, or undefined. */
  footer(at) {
    if (at < 16 || at + footerSize > this.bytes.length) return undefined;
    try {
      const frame = this.head(at);
      if (frame.tag !== "DONE" || frame.stored !== 24 || frame.raw !== 24 || frame.place !== at) return undefined;
      this.checkSum(frame);
    } catch {
      return undefined;
    }
    return {
      at, generation: this.number(at + 24), root: this.number(at + 32), previous: this.number(at + 40),
      end: at + footerSize,
    };
  }

  /** Follows the frames, and finds the last committed generation as Spec/container.md#footer defines it. */
  run() {
    const size = this.bytes.length;
    let at = 16;
    let before = "DONE";
    let streamEnd = 0;
    let root = 0;
    let fault;
    while (at + headSize <= size) {
      let frame;
      try {
        frame = this.head(at);
        this.confirm(frame, before, streamEnd);
        if (frame.end > size) break;
        if (frame.tag === "DONE" && !this.footer(at)) {
          throw new ParticlesError("container/checksum", { offset: at, detail: "DONE frame" });
        }
      } catch (error) {
        fault = error;
        break;
      }
      if (frame.tag === "DONE") {
        const footer = this.footer(at);
        this.confirmFooter(footer, root);
        this.footers.push(footer);
      }
      if (frame.tag === "ROOT") root = at;
      if (frame.tag === "DATA") streamEnd += frame.raw;
      this.frames.push(frame);
      before = frame.tag;
      at = frame.end;
    }
    if (fault && this.hasFooter(at)) throw fault;
    if (this.footers.length === 0) {
      throw new ParticlesError("container/truncated", {
        offset: size, expected: "the footer of a finished save", found: "the end of the file",
      });
    }
    const end = this.footers.at(-1).end;
    this.frames = this.frames.filter((frame) => frame.at < end);
    return this.footers.at(-1);
  }

  confirmFooter(footer, root) {
    const before = this.footers.at(-1);
    const due = { generation: (before?.generation ?? 0) + 1, root, previous: before?.at ?? 0 };
    if (Object.keys(due).some((key) => footer[key] !== due[key])) {
      const text = ({ generation, root, previous }) => `generation ${generation}, root ${root}, previous ${previous}`;
      throw new ParticlesError("container/frame", {
        offset: footer.at, detail: "the footer contradicts the frames before it", expected: text(due), found: text(footer),
      });
    }
  }

  /** Whether there is an intact footer at or after a position. */
  hasFooter(from) {
    for (let at = this.bytes.indexOf(0x44, from); at >= 0; at = this.bytes.indexOf(0x44, at + 1)) {
      if (this.footer(at)) return true;
    }
    return false;
  }

  /** The unpacked payload of a frame, after its checksum was checked. */
  async payload(frame) {
    this.checkSum(frame);
    const stored = this.bytes.subarray(frame.at + headSize, frame.end);
    if (frame.stored === frame.raw) return stored;
    let raw;
    try {
      raw = await inflate(stored, frame.raw);
    } catch {
      raw = undefined;
    }
    if (raw?.length !== frame.raw) {
      throw new ParticlesError("container/payload", {
        offset: frame.at + headSize, detail: `${frame.tag} frame`, expected: `a zlib stream of ${frame.raw} bytes`,
      });
    }
    return raw;
  }
}

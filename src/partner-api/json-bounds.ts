import { TextEnds } from './text-ends.ts';

/**
 * Limits of a JSON body. Parsing a body within these limits takes at most a quarter of a second. The limits allow 4,000 records with a
 * hundred fields each.
 */
export const JSON_BOUNDS = {
  /** The maximum number of nested brackets. Answers have a dozen levels. */
  levels: 100,
  values: 300_000,
  /**
   * The maximum size, in bytes, of one string, number or member name in the body. A long text area of Salesforce has up to 131,072
   * characters. Such a text fits even if each character is escaped with six bytes (`\u0000`).
   */
  length: 1024 * 1024,
  /**
   * The maximum number of object shapes. A shape is an object's list of names, in order; the JavaScript engine makes a hidden class for
   * each shape.
   */
  shapes: 50_000,
} as const;

/** Which limit in `JSON_BOUNDS` a body exceeds. */
export type Excess = 'levels' | 'values' | 'length' | 'shapes';

/** The bytes of JSON's punctuation. In UTF-8 no other character contains these bytes, so a body can be scanned byte by byte. */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const BLANK = 0x20;
const PRIME = 0x01000193;

/** Counts the contents of a JSON body as it arrives, so that a body that exceeds a limit is dropped before it is parsed. */
export class JsonCounter {
  readonly #bounds: Readonly<Record<Excess, number>>;
  /** A random seed of the hash, so that a sender cannot choose names with equal hashes. */
  readonly #seed = Math.floor(Math.random() * 0xffffffff);
  readonly #shapes = new Set<number>();
  /** For each nesting level: a hash of the names that the object has had so far, or null for a list. */
  readonly #shapeAt: (number | null)[] = [null];
  #values = 0;
  #run = 0;
  #name = 0;
  #inString = false;
  #isEscaped = false;
  /** Whether the next JSON string is the name of an object's member, and not a value. */
  #isNameNext = false;

  constructor(bounds: Readonly<Record<Excess, number>> = JSON_BOUNDS) {
    this.#bounds = bounds;
  }

  /** Counts the next bytes of the body. Returns the limit that the body exceeds, or null. */
  push(bytes: Uint8Array): Excess | null {
    const ends = new TextEnds(bytes);
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#inString && !this.#isNameNext && !this.#isEscaped) {
        const end = ends.from(at);
        this.#run += end - at;
        at = end;
        if (at === bytes.length) break;
      }
      const byte = bytes[at] ?? 0;
      if (this.#inString) this.#within(byte);
      else if (byte === QUOTE) this.#begin();
      else if (byte > BLANK && this.#isStructure(byte)) {
        const excess = this.#excess();
        if (excess !== null) return excess;
        this.#run = 0;
      } else this.#run += 1;
    }
    return this.#excess();
  }

  #begin(): void {
    this.#inString = true;
    this.#run = 0;
    this.#name = this.#seed;
  }

  #within(byte: number): void {
    if (byte === QUOTE && !this.#isEscaped) {
      this.#inString = false;
      if (this.#isNameNext) this.#addName();
      return;
    }
    this.#run += 1;
    this.#name = Math.imul(this.#name ^ byte, PRIME);
    this.#isEscaped = byte === BACKSLASH && !this.#isEscaped;
  }

  #addName(): void {
    const before = this.#shapeAt.at(-1) ?? 0;
    const shape = Math.imul(before ^ this.#name, PRIME) ^ (before >>> 15);
    this.#shapeAt[this.#shapeAt.length - 1] = shape;
    this.#shapes.add(shape);
    this.#isNameNext = false;
  }

  #isStructure(byte: number): boolean {
    if (byte === LIST || byte === OBJECT) {
      this.#values += 1;
      this.#shapeAt.push(byte === OBJECT ? this.#seed : null);
      this.#isNameNext = byte === OBJECT;
    } else if (byte === LIST_END || byte === OBJECT_END) {
      if (this.#shapeAt.length > 1) this.#shapeAt.pop();
      this.#isNameNext = false;
    } else if (byte === COMMA) {
      this.#values += 1;
      this.#isNameNext = this.#shapeAt.at(-1) !== null;
    } else return byte === COLON;
    return true;
  }

  #excess(): Excess | null {
    if (this.#shapeAt.length - 1 > this.#bounds.levels) return 'levels';
    if (this.#values > this.#bounds.values) return 'values';
    if (this.#run > this.#bounds.length) return 'length';
    return this.#shapes.size > this.#bounds.shapes ? 'shapes' : null;
  }
}

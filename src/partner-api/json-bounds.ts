/**
 * What a body of JSON may cost whoever parses it and walks what comes of it. Twice a page of two thousand records of a hundred
 * fields, and less than a quarter of a second.
 */
export const JSON_BOUNDS = {
  /** Brackets in each other. Answers nest a dozen levels deep. */
  levels: 100,
  values: 300_000,
  /** Bytes of one text, number or name. A long text area of Salesforce's holds 128 KB. */
  length: 1024 * 1024,
  /** Names in an order that no object before had: an engine makes a hidden class for each, which takes longer than to parse it. */
  shapes: 50_000,
} as const;

/** Which bound a body exceeds. */
export type Excess = 'levels' | 'values' | 'length' | 'shapes';

/** As bytes of UTF-8, in which no part of another character looks like one of these. */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const BLANK = 0x20;
const PRIME = 0x01000193;

/** Counts what stands in a body while it arrives, so that a large one keeps nobody waiting and a costly one is dropped early. */
export class JsonCounter {
  readonly #bounds: Readonly<Record<Excess, number>>;
  /** Nobody outside knows it, so that nobody can choose names that look alike here. */
  readonly #seed = Math.floor(Math.random() * 0xffffffff);
  readonly #shapes = new Set<number>();
  /** By level: what the object there looks like so far; null for a list. */
  readonly #shapeAt: (number | null)[] = [null];
  #values = 0;
  #run = 0;
  #name = 0;
  #inString = false;
  #isEscaped = false;
  /** Whether a text that begins now is a member's name. */
  #isNameNext = false;

  constructor(bounds: Readonly<Record<Excess, number>> = JSON_BOUNDS) {
    this.#bounds = bounds;
  }

  /** Takes the next bytes. The bound that the body exceeds by now, or null. */
  push(bytes: Uint8Array): Excess | null {
    for (let at = 0; at < bytes.length; at += 1) {
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

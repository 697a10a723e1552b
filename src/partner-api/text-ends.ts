const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/**
 * Finds the next quote or backslash in one chunk of a JSON body. If each search starts after the one before, all searches together read the
 * chunk only once.
 */
export class TextEnds {
  readonly #bytes: Uint8Array;
  #quote = -1;
  #backslash = -1;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The index of the first quote or backslash at or after the index `at`; the chunk's length if there is none. */
  from(at: number): number {
    if (this.#quote < at) this.#quote = this.#next(QUOTE, at);
    if (this.#backslash < at) this.#backslash = this.#next(BACKSLASH, at);
    return Math.min(this.#quote, this.#backslash);
  }

  #next(byte: number, at: number): number {
    const found = this.#bytes.indexOf(byte, at);
    return found < 0 ? this.#bytes.length : found;
  }
}

/** Only a number this long or with a three-digit exponent can lose digits as a double. */
const MAY_LOSE_DIGITS = /[\d.]{16}|\d[eE][+-]?\d{3}/;
/** A shorter one has no room for either. */
const SHORTEST = 5;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
/** A double prints some twenty characters; to count the digits of a text without end takes time without end. */
const LONGEST_EXACT = 400;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** What a number is written with. */
const IS_OF_NUMBER = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[-+.0-9eE]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

/**
 * A body of JSON in which each number that a double cannot hold exactly (from 16 significant digits) is the text it was sent
 * as, so that no digit is lost. Works on the body as it arrives.
 */
export class ExactNumbers {
  #inString = false;
  #isEscaped = false;
  /** The beginning of a number that the next bytes may continue. */
  #open: Uint8Array[] = [];

  /** The pieces of the body that are complete by now. */
  push(bytes: Uint8Array): readonly Uint8Array[] {
    const pieces: Uint8Array[] = [];
    let [done, start] = [0, this.#open.length > 0 ? 0 : -1];
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (this.#inString) this.#within(byte);
      else if (IS_OF_NUMBER[byte] === 1) start = start < 0 ? at : start;
      else {
        if (start >= 0) {
          const exact = this.#exact(bytes.subarray(start, at));
          if (exact !== null) pieces.push(bytes.subarray(done, start), ...exact);
          if (exact !== null) done = at;
          start = -1;
        }
        this.#inString = byte === QUOTE;
      }
    }
    if (start < 0) return [...pieces, bytes.subarray(done)];
    this.#open.push(bytes.subarray(start));
    return [...pieces, bytes.subarray(done, start)];
  }

  /** What is left at the end. */
  end(): readonly Uint8Array[] {
    return this.#exact(new Uint8Array()) ?? [];
  }

  #within(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  /** The number that ends with these bytes, where it has to be written otherwise or began before them; null where it stays. */
  #exact(rest: Uint8Array): readonly Uint8Array[] | null {
    const isOpen = this.#open.length > 0;
    if (!isOpen && rest.length < SHORTEST) return null;
    const source = Buffer.concat([...this.#open, rest]).toString('latin1');
    this.#open = [];
    if (isExact(source)) return isOpen ? [Buffer.from(source)] : null;
    return [Buffer.from(`"${source}"`)];
  }
}

/** Also what is no number: that is left for a parser to refuse. */
function isExact(source: string): boolean {
  if (source.length <= LONGEST_EXACT && !MAY_LOSE_DIGITS.test(source)) return true;
  if (!NUMBER.test(source)) return true;
  if (source.length > LONGEST_EXACT) return false;
  const value = Number(source);
  if (!Number.isFinite(value)) return false;
  const digits = significantDigits(source);
  // A double holds any decimal of 15 significant digits; beyond that it does if it prints the same digits again.
  return digits.length <= 15 || digits === significantDigits(String(value));
}

function significantDigits(decimal: string): string {
  const [mantissa = ''] = decimal.split(/[eE]/);
  return mantissa.replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
}

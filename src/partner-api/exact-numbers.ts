import { TextEnds } from './text-ends.ts';

/** Matches numbers that a double (JavaScript's number) may not represent exactly: at least 16 digits, or a three-digit exponent. */
const MAY_LOSE_DIGITS = /[\d.]{16}|\d[eE][+-]?\d{3}/;
/**
 * The length, in characters, of the shortest number that can lose digits in a double, such as `1e400`. A shorter number is left as it is.
 */
const SHORTEST = 5;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
/**
 * The maximum number of numbers in one body that may lose digits; a body with more is refused. Comparing one such number with its double
 * takes microseconds. Without this limit, a body with a quarter of a million of them would block the process for half a second.
 */
export const MOST_LONG_NUMBERS = 20_000;
/**
 * The length, in characters, up to which a number is compared with its double. A longer number always becomes a string, because the time of
 * the comparison grows with the length of the number.
 */
const LONGEST_EXACT = 400;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** For each byte value, 1 if the byte can be part of a number, else 0. */
const IS_OF_NUMBER = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[-+.0-9eE]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

/**
 * Rewrites a JSON body as it arrives: each number that a double cannot represent exactly (from 16 significant digits) becomes a JSON string
 * of the number as sent, so that no digit is lost.
 */
export class ExactNumbers {
  #inString = false;
  #isEscaped = false;
  /** How many numbers of the body so far may lose digits in a double. */
  long = 0;
  /** The bytes of a number at the end of a chunk, which the next chunk may continue. */
  #open: Uint8Array[] = [];

  /** Takes the next chunk of the body, and returns the rewritten bytes that are complete. */
  push(bytes: Uint8Array): readonly Uint8Array[] {
    const pieces: Uint8Array[] = [];
    let [done, start] = [0, this.#open.length > 0 ? 0 : -1];
    const ends = new TextEnds(bytes);
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#inString && !this.#isEscaped) at = ends.from(at);
      if (at === bytes.length) break;
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

  /**
   * Must be called at the end of the body. Returns the number with which the body ends, as `push` would; empty if it does not end with a
   * number.
   */
  end(): readonly Uint8Array[] {
    return this.#exact(new Uint8Array()) ?? [];
  }

  #within(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  /**
   * Handles the end of a number. `rest` contains its last bytes. If the number began in an earlier chunk, `#open` contains its earlier
   * bytes. Returns the bytes that replace the number: a JSON string if a double cannot represent the number exactly, otherwise the number
   * unchanged. Null if the whole number is in this chunk and stays as it is.
   */
  #exact(rest: Uint8Array): readonly Uint8Array[] | null {
    const isOpen = this.#open.length > 0;
    if (!isOpen && rest.length < SHORTEST) return null;
    const source = Buffer.concat([...this.#open, rest]).toString('latin1');
    this.#open = [];
    if (MAY_LOSE_DIGITS.test(source)) this.long += 1;
    if (isExact(source)) return isOpen ? [Buffer.from(source)] : null;
    return [Buffer.from(`"${source}"`)];
  }
}

/** Whether a double represents the number exactly. True for a text that is no number, because the JSON parser refuses it later. */
function isExact(source: string): boolean {
  if (source.length <= LONGEST_EXACT && !MAY_LOSE_DIGITS.test(source)) return true;
  if (!NUMBER.test(source)) return true;
  if (source.length > LONGEST_EXACT) return false;
  const value = Number(source);
  if (!Number.isFinite(value)) return false;
  const digits = significantDigits(source);
  // A double holds any decimal of 15 significant digits. It holds a longer one if it prints the same digits again.
  return digits.length <= 15 || digits === significantDigits(String(value));
}

function significantDigits(decimal: string): string {
  const [mantissa = ''] = decimal.split(/[eE]/);
  return mantissa.replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
}

/** Record ids as Salesforce makes them: 15 case-sensitive characters, and 3 more that make them safe without case. */

/** The characters of ids in the order in which ids grow, which is also the order of `ORDER BY Id`. */
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SUFFIX = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345';
const ID = /^[A-Za-z0-9]{15}([A-Za-z0-9]{3})?$/;

/** The 18-character form of a 15-character id: each suffix letter encodes which of five characters are upper case. */
export function withSuffix(id15: string): string {
  let suffix = '';
  for (let chunk = 0; chunk < 15; chunk += 5) {
    let bits = 0;
    for (let i = 0; i < 5; i += 1) {
      if (/[A-Z]/.test(id15.charAt(chunk + i))) bits |= 1 << i;
    }
    suffix += SUFFIX.charAt(bits);
  }
  return id15 + suffix;
}

/**
 * The 18-character form of an id given with 15 or 18 characters; null if the text is no id. In an 18-character id the suffix decides about
 * case, so the correct letter case is restored.
 */
export function normalizeId(id: string): string | null {
  if (!ID.test(id)) return null;
  if (id.length === 15) return withSuffix(id);
  const suffix = id.slice(15).toUpperCase();
  let restored = '';
  for (let i = 0; i < 15; i += 1) {
    const bits = SUFFIX.indexOf(suffix.charAt(Math.floor(i / 5)));
    if (bits < 0) return null;
    const char = id.charAt(i);
    restored += bits & (1 << (i % 5)) ? char.toUpperCase() : char.toLowerCase();
  }
  return withSuffix(restored) === restored + suffix ? restored + suffix : null;
}

/** The id number `count` of a kind of record in an org whose ids contain the two letters `pod`. */
export function makeId(keyPrefix: string, pod: string, count: number): string {
  let digits = '';
  let rest = count;
  for (let i = 0; i < 9; i += 1) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return withSuffix(`${keyPrefix}${pod}0${digits}`);
}

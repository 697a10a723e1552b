/** Texts that are to be found nowhere, and the search for them. */

const TOKEN = 'CanaryBird';

/** A text with a personal name and address. `place` is part of it, so that a find names its origin. */
export function canary(place: string): string {
  return `${TOKEN} ${place} <jane.roe@${TOKEN.toLowerCase()}.example>`;
}

/** A canary without blanks, for a key, a token or a header. */
export function canaryKey(place: string): string {
  return `${TOKEN}-${place}-0123456789abcdef0123456789abcdef`;
}

/** A copy of the JSON with a canary in place of each text, and as an additional member name in each object. */
export function sing(value: unknown, place: string): unknown {
  if (typeof value === 'string') return canary(place);
  if (Array.isArray(value)) return value.map((one) => sing(one, place));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, one]) => [name, sing(one, `${place}.${name}`)]);
  return { ...Object.fromEntries(members), [canary(`${place} name`)]: canary(`${place} value`) };
}

/** The token in its three Base64 spellings (by offset) and in hexadecimal. */
const SPELLINGS = [TOKEN, TOKEN.toLowerCase()].flatMap((text) => [
  ...[0, 1, 2].map((shift) => {
    const all = Buffer.from(`${' '.repeat(shift)}${text}`).toString('base64');
    return all.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + text.length) * 8) / 6));
  }),
  Buffer.from(text).toString('hex'),
]);

const AROUND = 80;

/** Where a canary or one of `others` appears in a text or in bytes, with its surroundings; case does not matter. */
export function canariesIn(found: string | Uint8Array, others: readonly string[] = []): readonly string[] {
  const text = typeof found === 'string' ? found : Buffer.from(found).toString('latin1');
  const wanted = [TOKEN, ...SPELLINGS, ...others].map((one) => one.replaceAll(/[^\w]/g, '\\$&'));
  return Array.from(text.matchAll(new RegExp(wanted.join('|'), 'gi')), ({ index }) =>
    text.slice(Math.max(0, index - AROUND), index + AROUND).replaceAll(/[^\x20-\x7e]+/g, '.'),
  );
}

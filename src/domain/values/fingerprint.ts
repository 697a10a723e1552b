/**
 * The 64-bit FNV-1a hash of a value, computed from its JSON with sorted keys. By this hash, Lockstep recognises content that a side has
 * refused before. The hash does not protect against deliberate collisions.
 */
export function fingerprint(value: unknown): string {
  let [high, low] = OFFSET;
  for (const char of stableText(value)) {
    low = (low ^ (char.codePointAt(0) ?? 0)) >>> 0;
    // Multiplies by the prime 2^40 + 0x1b3, modulo 2^64, in 32-bit halves. A BigInt takes ten times as long.
    const product = low * 0x1b3;
    high = (high * 0x1b3 + Math.floor(product / HALF) + low * 0x100) % HALF;
    low = product % HALF;
  }
  return hex(high) + hex(low);
}

const HALF = 2 ** 32;
const OFFSET: readonly [high: number, low: number] = [0xcbf29ce4, 0x84222325];

function hex(half: number): string {
  return half.toString(16).padStart(8, '0');
}

function stableText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableText).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${stableText(item)}`).join(',')}}`;
}

/**
 * A short, deterministic fingerprint of JSON data (64-bit FNV-1a over its text with sorted keys). It tells whether
 * the same content was refused before; it is no protection against somebody who wants two contents to agree.
 */
export function fingerprint(value: unknown): string {
  let hash = 0xcbf29ce484222325n;
  for (const char of stableText(value)) {
    hash ^= BigInt(char.codePointAt(0) ?? 0);
    hash = (hash * 0x100000001b3n) & 0xffffffffffffffffn;
  }
  return hash.toString(16).padStart(16, '0');
}

function stableText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableText).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${stableText(item)}`).join(',')}}`;
}

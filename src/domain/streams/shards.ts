/** Tenants are read by shards, each by one run at a time: as few as there have to be, so that an empty fleet costs next to nothing. */
const TENANTS_OF_A_SHARD = 64;
const MOST_SHARDS = 16;

/** A shard, counted from 0, of so many. */
export type Shard = { readonly shard: number; readonly of: number };

export function shardsFor(tenants: number): number {
  return Math.min(MOST_SHARDS, Math.max(1, Math.ceil(tenants / TENANTS_OF_A_SHARD)));
}

/** Which of so many shards a tenant is of. */
export function shardOf(tenant: string, of: number): number {
  return hashOf(tenant) % of;
}

/** A part from 0 to 1 that is a name's own. */
export function partOf(name: string): number {
  return hashOf(name) / 2 ** 32;
}

/** FNV-1a, mixed so that its low bits are as even as the others. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

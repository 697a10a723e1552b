/**
 * How many tenants a shard should have. A shard is a group of tenants whose changes one Temporal Schedule reads. The number is high, so
 * that a small installation has few shards.
 */
const TENANTS_OF_A_SHARD = 64;
const MOST_SHARDS = 16;

/** A shard (a group of tenants whose changes one Temporal Schedule reads): its number, counted from 0, and the total number of shards. */
export type Shard = { readonly shard: number; readonly of: number };

/** Identifies one attempt of one activity, by Temporal's ids. */
export type Attempt = {
  readonly workflowId: string;
  readonly runId: string;
  readonly activityId: string;
  readonly attempt: number;
};

/** The id of an attempt of an activity, unique among all attempts of all runs. */
export function attemptId({ workflowId, runId, activityId, attempt }: Attempt): string {
  return [workflowId, runId, activityId, attempt].join(' ');
}

/** Parses the id of an attempt of an activity, as `attemptId` makes it. */
export function attemptOf(id: string): Attempt {
  const [workflowId = '', runId = '', activityId = '', attempt] = id.split(' ');
  return { workflowId, runId, activityId, attempt: Number(attempt) };
}

export function shardsFor(tenants: number): number {
  return Math.min(MOST_SHARDS, Math.max(1, Math.ceil(tenants / TENANTS_OF_A_SHARD)));
}

export function shardOf(tenant: string, of: number): number {
  return hashOf(tenant) % of;
}

/**
 * Converts a name to a number that is at least 0 and less than 1. A name always gives the same number, and the numbers of many names spread
 * evenly.
 */
export function partOf(name: string): number {
  return hashOf(name) / 2 ** 32;
}

/** The FNV-1a hash of a text. A final step mixes its bits, so that the low bits are evenly spread too. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

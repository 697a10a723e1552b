import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { SealFailure } from '../../platform/seal-failures.ts';
import { createSealing, type Sealing, SealingError, sealedBy } from '../../platform/sealing.ts';
import type { Database } from './database.ts';
import { INSTALLATION, place, type Sealer } from './sealer.ts';

/**
 * Thrown if a call needs a tenant's data key (the key that encrypts the tenant's values) and the key is not in the cache. The caller then
 * reads the tenant's keys and repeats the call.
 */
export class DataKeyNeeded extends Error {
  override readonly name = 'DataKeyNeeded';
  readonly tenant: string;

  constructor(tenant: string) {
    super('The data key of a tenant is not at hand.');
    this.tenant = tenant;
  }
}

/**
 * Encrypts each tenant's values with a data key of that tenant, so that destroying the key makes the values unreadable. The data keys
 * themselves are stored encrypted with the sealing key (the encryption key that all processes share). Also decrypts values that were
 * encrypted before data keys existed.
 */
export interface DataKeys extends Sealer {
  /** Reads the data keys of these tenants into the cache with one statement. Skips tenants without a key. */
  load(tenants: readonly string[]): Promise<void>;
  /**
   * Reads the data keys of a tenant into the cache. If the tenant has none, creates one. But before an operator has called `useDataKeys`,
   * creates none, and the tenant's values are encrypted with the sealing key.
   */
  fetch(tenant: string): Promise<void>;
  /**
   * An encrypter with the tenant's keys that are in the cache now. The encrypter keeps these keys after they leave the cache, so that a
   * call that has begun does not fail for a missing key.
   */
  atHand(tenant: string): Sealer;
}

/**
 * The sealing keys (the encryption keys that all processes share). `now`: the keys that were loaded last. `renew`: reads the key file again
 * and returns its keys.
 */
export type SealingKeysNow = { readonly now: Sealing; readonly renew: () => Promise<Sealing> };

/** How long a data key stays in the cache, in milliseconds. Then it is read again, because an operator may have destroyed it. */
export const AT_HAND_MS = 60_000;
const KEY_BYTES = 32;

type Held = {
  readonly byId: ReadonlyMap<string, Sealing>;
  readonly live: Sealing | null;
  readonly untilMs: number;
};
type Row = { readonly tenant: string; readonly id: string; readonly sealed: Buffer };
type Db = Kysely<Database>;

export type DataKeyOptions = {
  /** Returns the time of a monotonic clock, in milliseconds. */
  readonly nowMs?: () => number;
  /** Called when a value or a data key cannot be decrypted. */
  readonly onFailure?: ((failure: SealFailure) => void) | undefined;
};

export function createDataKeys(
  db: Db,
  keys: SealingKeysNow,
  { nowMs = () => performance.now(), onFailure }: DataKeyOptions = {},
): DataKeys {
  const held = new Map<string, Held>();
  const master = withRenewal(keys);
  const isAtHand = (found: Held | undefined): found is Held => found !== undefined && found.untilMs > nowMs();
  function at(tenant: string): Held {
    const found = held.get(tenant);
    if (isAtHand(found)) return found;
    throw new DataKeyNeeded(tenant);
  }
  async function hold(tenant: string, rows: readonly Row[], other: Sealing | null): Promise<void> {
    const own: [string, Sealing][] = [];
    for (const { id, sealed } of rows) {
      const opened = await master.open(sealed, placeOf(tenant, id)).catch((error: unknown) => {
        throw reportFailure(tenant, error, onFailure);
      });
      own.push([id, sealingOf(id, opened)]);
    }
    const live = own.at(-1)?.[1] ?? other;
    held.set(tenant, { byId: new Map(own), live, untilMs: nowMs() + AT_HAND_MS });
  }
  return {
    ...sealerOf(at, master.now, onFailure),
    atHand: (tenant) => {
      const found = at(tenant);
      return sealerOf(() => found, master.now, onFailure);
    },
    load: async (tenants) => {
      const missing = tenants.filter((tenant) => !isAtHand(held.get(tenant)));
      if (missing.length === 0) return;
      const rows = Map.groupBy(await rowsOf(db, missing), ({ tenant }) => tenant);
      // If a tenant's data key cannot be decrypted, only this tenant is skipped.
      for (const tenant of missing) await hold(tenant, rows.get(tenant) ?? [], null).catch(() => undefined);
    },
    fetch: async (tenant) => {
      const found = await rowsOf(db, [tenant]);
      if (found.length > 0) return hold(tenant, found, null);
      const sealing = await master.renewed();
      // Releases from before data keys do not read the installation's own values, so these values always get a data key.
      if (tenant !== INSTALLATION && !(await areInUse(db))) return hold(tenant, [], sealing);
      await makeKey(db, sealing, tenant);
      return hold(tenant, await rowsOf(db, [tenant]), null);
    },
  };
}

/**
 * Makes an encrypter for a tenant. It encrypts with the tenant's data key (with the sealing key before data keys are in use), and decrypts
 * values that were encrypted with either kind of key.
 */
function sealerOf(
  heldOf: (tenant: string) => Held,
  master: () => Sealing,
  onFailure: DataKeyOptions['onFailure'],
): Sealer {
  return {
    seal: (value, { tenant, name }) => {
      const { live } = heldOf(tenant);
      if (live === null) throw new DataKeyNeeded(tenant);
      return live.seal(value, name);
    },
    open: (bytes, { tenant, name }) => {
      const id = sealedBy(bytes);
      const key = isDataKey(id) ? heldOf(tenant).byId.get(id) : master();
      if (key === undefined) throw new DataKeyNeeded(tenant);
      try {
        return key.open(bytes, name);
      } catch (error) {
        throw reportFailure(tenant, error, onFailure);
      }
    },
  };
}

/** Reports a decryption error to `onFailure`, by its code. Returns the error, so that the caller can throw it. */
function reportFailure(tenant: string, error: unknown, onFailure: DataKeyOptions['onFailure']): unknown {
  if (error instanceof SealingError) onFailure?.({ tenant, code: error.code });
  return error;
}

/**
 * Holds the sealing keys (the encryption keys that all processes share). `open` decrypts a value; if the value was encrypted with a key
 * that is not loaded, it first reads the key file again.
 */
function withRenewal({ now, renew }: SealingKeysNow) {
  let sealing = now;
  const renewed = async (): Promise<Sealing> => {
    sealing = await renew();
    return sealing;
  };
  return {
    now: () => sealing,
    renewed,
    open: async (sealed: Buffer, where: string): Promise<unknown> => {
      try {
        return sealing.open(sealed, where);
      } catch (error) {
        if (!(error instanceof SealingError) || error.code !== 'unknown-key') throw error;
        return (await renewed()).open(sealed, where);
      }
    },
  };
}

/**
 * Wraps a ledger. If a call needs a data key that is not in the cache, the key is read and the call is repeated once. Throws SealingError
 * if the tenant does not have the needed key.
 */
export function fetchingKeys<L extends object>(ledger: L, keys: DataKeys, onFailure?: DataKeyOptions['onFailure']): L {
  type Call = (...args: unknown[]) => Promise<unknown>;
  const again =
    (call: Call): Call =>
    async (...args) => {
      try {
        return await call(...args);
      } catch (error) {
        if (!(error instanceof DataKeyNeeded)) throw error;
        await keys.fetch(error.tenant);
      }
      try {
        return await call(...args);
      } catch (error) {
        if (!(error instanceof DataKeyNeeded)) throw error;
        onFailure?.({ tenant: error.tenant, code: 'unknown-data-key' });
        throw notItsOwn();
      }
    };
  const calls = Object.entries(ledger).map(([name, call]) => [name, again(call as Call)]);
  return Object.fromEntries(calls) as L;
}

function notItsOwn(): SealingError {
  return new SealingError('refused', 'A sealed value was sealed with a data key that its tenant does not have.');
}

/**
 * The prefix of the ids of data keys. Ids of sealing keys contain no colon, so an id always shows which of the two kinds of key it names.
 */
const PREFIX = 'd:';

export function isDataKey(id: string): boolean {
  return id.startsWith(PREFIX);
}

function sealingOf(id: string, text: unknown): Sealing {
  return createSealing({ id, bytes: Buffer.from(String(text), 'base64') });
}

/** The encryption context (table, column, row) of a stored data key; the key can be decrypted only there. */
export function placeOf(tenant: string, id: string): string {
  return place(tenant, 'data_keys', 'sealed', id).name;
}

async function rowsOf(db: Db, tenants: readonly string[]): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select tenant, id, sealed from data_keys
    where tenant = any(${tenants}::text[]) and sealed is not null`.execute(db);
  return rows;
}

/** Creates and stores a data key for a tenant. If several processes do so at once, all of them use the key that was inserted first. */
async function makeKey(db: Db, sealing: Sealing, tenant: string): Promise<void> {
  const id = `${PREFIX}${randomBytes(8).toString('hex')}`;
  const sealed = sealing.seal(randomBytes(KEY_BYTES).toString('base64'), placeOf(tenant, id));
  await sql`insert into data_keys (tenant, id, sealed) values (${tenant}, ${id}, ${sealed})
    on conflict do nothing`.execute(db);
}

/**
 * Whether processes already encrypt with data keys (one key for each tenant). Until an operator allows it (`useDataKeys`), they encrypt
 * with the sealing key, because processes of releases before data keys could not read the values.
 */
async function areInUse(db: Db): Promise<boolean> {
  const { rows } = await sql`select from data_keys_in_use limit 1`.execute(db);
  return rows.length > 0;
}

/** Makes all processes encrypt with data keys, within a minute. Returns false if they already do. */
export async function useDataKeys({ db }: { readonly db: Db }): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`insert into data_keys_in_use (since) select now()
    where not exists (select from data_keys_in_use)`.execute(db);
  return numAffectedRows > 0n;
}

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { hash as bcryptHash, compare } from 'bcryptjs';
import type { InitialKey, Scope } from './options.ts';

/** A key in the gateway, stored as a hash only: bcrypt for keys of the documented procedure, SHA-256 for the first. */
export type KnownKey = {
  readonly id: string;
  readonly partnerId: string;
  readonly scopes: readonly Scope[];
} & ({ readonly sha256: string } | { readonly bcrypt: string });

/** A generated key that waits for the operator's step: its hash, its partner, and the key that requested it. */
export type PendingKey = {
  readonly hashedKey: string;
  readonly partnerId: string;
  readonly scopes: readonly Scope[];
  readonly madeWith: string;
};

export type KeySnapshot = {
  readonly keys: readonly KnownKey[];
  readonly pending: readonly PendingKey[];
  /** Ids of keys that were revoked or replaced. They never become valid again. */
  readonly ended: readonly string[];
};

/** The keys that the vendor's gateway accepts, and the procedure of order spec 5 to replace them. */
export interface KeyRing {
  /** Makes a key valid at once, like a first key from the vendor's team. An ended key stays ended. */
  add(key: InitialKey): void;
  /** The key of a request; `undefined` when the gateway does not know it. */
  find(apiKey: string): Promise<KnownKey | undefined>;
  /** A new key of 64 characters and its bcrypt hash of 60; not valid before `register` (order spec 4.1). */
  generate(caller: KnownKey): Promise<{ readonly apiKey: string; readonly hashedKey: string }>;
  /**
   * The operator's step: makes the key behind a hash valid and, unless keys may overlap, ends the old one. `way` overrides the rotation
   * mode this once.
   */
  register(hashedKey: string, partnerId: string, way?: Rotation): KnownKey;
  remove(id: string): boolean;
  list(): readonly KnownKey[];
  snapshot(): KeySnapshot;
  load(snapshot: KeySnapshot): void;
}

const ALL_SCOPES: readonly Scope[] = ['sales', 'order'];
const BCRYPT_ROUNDS = 10;
const MAX_REMEMBERED = 1000;

/** The ways to treat the old key when a new key is registered. */
export const ROTATIONS = ['replace', 'overlap'] as const;
export type Rotation = (typeof ROTATIONS)[number];

export type KeyRingOptions = { readonly rotation: Rotation; readonly onChange: () => void };

/** Makes a ring without keys. */
export function createKeyRing({ rotation, onChange }: KeyRingOptions): KeyRing {
  let state: KeySnapshot = { keys: [], pending: [], ended: [] };
  // bcrypt is slow on purpose, so the result is cached until the keys change.
  const remembered = new Map<string, Promise<KnownKey | undefined>>();
  function change(next: KeySnapshot): void {
    state = next;
    remembered.clear();
    onChange();
  }
  return {
    add: (key) => change(withKey(state, toKnownKey(key))),
    find: (apiKey) => {
      const digest = sha256(apiKey).toString('hex');
      const known = remembered.get(digest) ?? findKey(state.keys, apiKey);
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(digest, known);
      return known;
    },
    generate: async ({ partnerId, scopes, id: madeWith }) => {
      const apiKey = newApiKey();
      const hashedKey = await bcryptHash(apiKey, BCRYPT_ROUNDS);
      change({ ...state, pending: [...state.pending, { hashedKey, partnerId, scopes, madeWith }] });
      return { apiKey, hashedKey };
    },
    register: (hashedKey, partnerId, way = rotation) => {
      const { next, fresh } = registered(state, hashedKey, partnerId, way);
      change(next);
      return fresh;
    },
    remove: (id) => {
      const isKnown = state.keys.some((key) => key.id === id);
      if (isKnown) change(withoutKey(state, id));
      return isKnown;
    },
    list: () => state.keys,
    snapshot: () => state,
    load: change,
  };
}

function registered(
  state: KeySnapshot,
  hashedKey: string,
  partnerId: string,
  rotation: Rotation,
): { readonly next: KeySnapshot; readonly fresh: KnownKey } {
  const origin = state.pending.find((waiting) => waiting.hashedKey === hashedKey);
  const fresh = fromHash(hashedKey, origin ?? { partnerId, scopes: ALL_SCOPES });
  const old = rotation === 'overlap' ? [] : replacedKeys(state, origin, partnerId);
  const pending = state.pending.filter((waiting) => waiting !== origin);
  return { next: withKey({ ...old.reduce(withoutKey, state), pending }, fresh), fresh };
}

/** The keys that a new key replaces: the one that requested it, or all of the partner's if that is unknown. */
function replacedKeys(state: KeySnapshot, origin: PendingKey | undefined, partnerId: string): readonly string[] {
  if (origin !== undefined) return [origin.madeWith];
  return state.keys.filter((key) => key.partnerId === partnerId).map(({ id }) => id);
}

function withoutKey(state: KeySnapshot, id: string): KeySnapshot {
  const keys = state.keys.filter((key) => key.id !== id);
  return { ...state, keys, ended: [...state.ended.filter((known) => known !== id), id] };
}

function withKey(state: KeySnapshot, key: KnownKey): KeySnapshot {
  if (state.ended.includes(key.id)) return state;
  return { ...state, keys: [...state.keys.filter(({ id }) => id !== key.id), key] };
}

function toKnownKey({ apiKey, partnerId, scopes = ALL_SCOPES }: InitialKey): KnownKey {
  const digest = sha256(apiKey).toString('hex');
  return { id: `key-${digest.slice(0, 12)}`, partnerId, scopes, sha256: digest };
}

function fromHash(
  hashedKey: string,
  { partnerId, scopes }: { readonly partnerId: string; readonly scopes: readonly Scope[] },
): KnownKey {
  return {
    id: `key-${sha256(hashedKey).toString('hex').slice(0, 12)}`,
    partnerId,
    scopes,
    bcrypt: hashedKey,
  };
}

/** Compares with every key, so that the duration does not reveal which one matched. */
async function findKey(keys: readonly KnownKey[], apiKey: string): Promise<KnownKey | undefined> {
  const digest = sha256(apiKey);
  const matches = await Promise.all(
    keys.map((key) =>
      'bcrypt' in key ? compare(apiKey, key.bcrypt) : timingSafeEqual(Buffer.from(key.sha256, 'hex'), digest),
    ),
  );
  return keys.find((_key, index) => matches[index]);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** A new random key of 64 characters (order spec 2.18). */
export function newApiKey(): string {
  return randomBytes(32).toString('hex');
}

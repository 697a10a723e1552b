import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Scope } from './options.ts';

/** A key as the gateway knows it: by hash only. */
export type KnownKey = {
  readonly id: string;
  readonly sha256: string;
  readonly partnerId: string;
  readonly scopes: readonly Scope[];
};

/** The gateway's keys. */
export interface KeyRing {
  add(key: {
    readonly apiKey: string;
    readonly partnerId: string;
    readonly scopes?: readonly Scope[];
  }): KnownKey;
  /** The key that a request shows; `undefined` when the gateway does not know it. */
  find(apiKey: string): KnownKey | undefined;
  remove(id: string): boolean;
  list(): readonly KnownKey[];
  load(keys: readonly KnownKey[]): void;
}

const ALL_SCOPES: readonly Scope[] = ['sales', 'order'];

/** Makes a ring without keys. */
export function createKeyRing(): KeyRing {
  let keys: readonly KnownKey[] = [];
  return {
    add: ({ apiKey, partnerId, scopes = ALL_SCOPES }) => {
      const sha256 = hash(apiKey).toString('hex');
      const known = { id: `key-${sha256.slice(0, 12)}`, sha256, partnerId, scopes };
      keys = [...keys.filter((key) => key.sha256 !== sha256), known];
      return known;
    },
    find: (apiKey) => {
      const wanted = hash(apiKey);
      // Every key is compared, so that the time tells nothing about which one matched.
      return keys.filter((key) => timingSafeEqual(Buffer.from(key.sha256, 'hex'), wanted))[0];
    },
    remove: (id) => {
      const left = keys.filter((key) => key.id !== id);
      const isRemoved = left.length < keys.length;
      keys = left;
      return isRemoved;
    },
    list: () => keys,
    load: (loaded) => {
      keys = loaded;
    },
  };
}

function hash(apiKey: string): Buffer {
  return createHash('sha256').update(apiKey, 'utf8').digest();
}

/** A new random key of 64 characters (order spec 2.18). */
export function newApiKey(): string {
  return randomBytes(32).toString('hex');
}

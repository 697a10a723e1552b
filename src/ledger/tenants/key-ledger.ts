/** A new key for the vendor's API, which is secret, and its hash, which may be shown (order spec 2.18). */
export type NewKey = { readonly apiKey: string; readonly hashedKey: string };

/** A tenant's stored keys for the vendor's API. Instants are ISO. */
export type VendorKeyRow = {
  /** The API key in use; null if the key in the tenant file is in use. */
  readonly inUse: string | null;
  /** The hash of the key in use; null if the key did not come from a rotation. */
  readonly inUseHash: string | null;
  /**
   * The API key that was in use before the present one. It is stored until the vendor has accepted the present key. Null if there was no
   * such key, or if it was the key in the tenant file.
   */
  readonly previous: string | null;
  /** A new key that is not in use yet, because the vendor may not have registered it; null if there is none. */
  readonly waiting: NewKey | null;
  /**
   * When a new key was last requested from the vendor; null if never. If no new key was stored since then, the vendor's answer was lost or
   * has not come yet.
   */
  readonly askedAt: string | null;
  readonly waitingSince: string | null;
  readonly switchedAt: string | null;
  /**
   * When both parts of the vendor's API (sales and orders) last accepted the key in use; null if they have not since the key was put in
   * use.
   */
  readonly provenAt: string | null;
};

/**
 * Stores tenants' keys for the vendor's API (order spec 5.3): the key in use, the one before it, and a new one. They are encrypted before
 * PostgreSQL gets them.
 */
export interface KeyLedger {
  vendorKeys(tenant: string): Promise<VendorKeyRow | null>;
  /** For each tenant with a new key that is not in use yet: since when, ISO. Reads no key. One statement. */
  waitingKeysOf(tenants: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Stores that a new API key is about to be requested from the vendor. If a new key is stored already, stores nothing and returns false.
   */
  askForKey(tenant: string, at: string): Promise<boolean>;
  /** Stores a new API key that is not in use yet. Returns false if another new key is stored already. */
  keepKey(tenant: string, key: NewKey, at: string): Promise<boolean>;
  /** Puts the new API key with this hash in use. False if no stored new key has this hash. */
  switchKey(tenant: string, hashedKey: string, at: string): Promise<boolean>;
  /** Stores that the vendor accepts the key in use, if that key has this hash, and deletes the previous key. */
  proveKey(tenant: string, hashedKey: string, at: string): Promise<void>;
  /** Deletes the new key with this hash. Returns false if no new key has this hash. */
  dropKey(tenant: string, hashedKey: string): Promise<boolean>;
  /** Puts an API key in use that an operator entered. Deletes the new key of a rotation, if there is one. */
  setKey(tenant: string, apiKey: string, at: string): Promise<void>;
}

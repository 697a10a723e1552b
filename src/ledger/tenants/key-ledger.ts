/** A new vendor key, which is secret, and its hash, which may be shown (order spec 2.18). */
export type NewKey = { readonly apiKey: string; readonly hashedKey: string };

/** A tenant's stored vendor keys; instants are ISO. */
export type VendorKeyRow = {
  /** The key in use; null if the key in the tenant file is used. */
  readonly inUse: string | null;
  /** The hash of the key in use; null if the key did not come from a rotation. */
  readonly inUseHash: string | null;
  /**
   * The key that was used before, kept until the vendor has accepted the new key. Null if there is none, or if it was the tenant file's.
   */
  readonly previous: string | null;
  /** A new key that the vendor may not have registered yet; null if no key is waiting. */
  readonly waiting: NewKey | null;
  /** When a key was last requested. If no key waits, the answer was lost or has not come yet. */
  readonly askedAt: string | null;
  readonly waitingSince: string | null;
  readonly switchedAt: string | null;
  /** When both parts of the vendor's API (sales and orders) last accepted the key in use; null if not since the last switch of keys. */
  readonly provenAt: string | null;
};

/** A tenant's vendor keys (order spec 5.3). They are encrypted before PostgreSQL gets them. */
export interface KeyLedger {
  vendorKeys(tenant: string): Promise<VendorKeyRow | null>;
  /**
   * Since when a new key of each tenant has been waiting for the vendor to register it, ISO. Tenants without such a key are left out. Reads
   * no key. One statement.
   */
  waitingKeysOf(tenants: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Notes that a key is being requested. If a key is waiting already, notes nothing and returns false. */
  askForKey(tenant: string, at: string): Promise<boolean>;
  /** Stores a new key that waits to be registered. False if another key is waiting. */
  keepKey(tenant: string, key: NewKey, at: string): Promise<boolean>;
  /** Puts the waiting key with this hash in use. False if no waiting key has the hash. */
  switchKey(tenant: string, hashedKey: string, at: string): Promise<boolean>;
  /** Notes that the vendor accepts the key in use, which has this hash, and deletes the previous key. */
  proveKey(tenant: string, hashedKey: string, at: string): Promise<void>;
  /** Deletes the waiting key with this hash. False if no waiting key has it. */
  dropKey(tenant: string, hashedKey: string): Promise<boolean>;
  /** Puts an operator's key in use, and deletes a waiting key. */
  setKey(tenant: string, apiKey: string, at: string): Promise<void>;
}

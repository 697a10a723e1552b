/** A new vendor key, which is secret, and its hash, which may be shown (order spec 2.18). */
export type NewKey = { readonly apiKey: string; readonly hashedKey: string };

/** A tenant's stored vendor keys; instants are ISO. */
export type VendorKeyRow = {
  /** Null: the key in the tenant file is in use. */
  readonly inUse: string | null;
  /** The hash of the key in use; null if no rotation created the key. */
  readonly inUseHash: string | null;
  /** The key used before, kept until the new one is proven. Null if there is none, or it was the tenant file's. */
  readonly previous: string | null;
  /** A new key that the vendor may not have registered yet; null if there is none. */
  readonly waiting: NewKey | null;
  /** When a key was last requested. If no key is waiting, the answer was lost or is still to come. */
  readonly askedAt: string | null;
  readonly waitingSince: string | null;
  readonly switchedAt: string | null;
  /** When the key in use was proven in both domains; null if it was not since the last switch. */
  readonly provenAt: string | null;
};

/** A tenant's vendor keys (order spec 5.3). They are sealed before they reach PostgreSQL. */
export interface KeyLedger {
  vendorKeys(tenant: string): Promise<VendorKeyRow | null>;
  /** Notes that a key is being requested. False, and nothing is noted, if a key is waiting. */
  askForKey(tenant: string, at: string): Promise<boolean>;
  /** Stores a new key that waits to be registered. False if another key is waiting. */
  keepKey(tenant: string, key: NewKey, at: string): Promise<boolean>;
  /** Puts the waiting key with this hash in use. False if no waiting key has the hash. */
  switchKey(tenant: string, hashedKey: string, at: string): Promise<boolean>;
  /** Notes that the key in use, with this hash, was proven, and deletes the previous key. */
  proveKey(tenant: string, hashedKey: string, at: string): Promise<void>;
  /** Deletes the waiting key with this hash. False if no waiting key has it. */
  dropKey(tenant: string, hashedKey: string): Promise<boolean>;
  /** Puts an operator's key in use, and deletes a waiting key. */
  setKey(tenant: string, apiKey: string, at: string): Promise<void>;
}

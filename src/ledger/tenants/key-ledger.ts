/** A new key of the vendor's, which is not to be shown, and its hash, which is (order spec 2.18). */
export type NewKey = { readonly apiKey: string; readonly hashedKey: string };

/** What the ledger has of a tenant's keys; instants are ISO. */
export type VendorKeyRow = {
  /** Null: that of the tenant file is in use. */
  readonly inUse: string | null;
  /** Its hash; null where it was not made by a rotation. */
  readonly inUseHash: string | null;
  /** The one that was in use before, until the new one is proven; null where there is none, or it was the tenant file's. */
  readonly previous: string | null;
  /** Generated, and not known to be registered. */
  readonly waiting: NewKey | null;
  /** When a key was last asked for; with nothing that waits, the answer was lost, or is under way. */
  readonly askedAt: string | null;
  readonly waitingSince: string | null;
  readonly switchedAt: string | null;
  /** When the key in use was proven in both domains; null where it was not since the last switch. */
  readonly provenAt: string | null;
};

/** A tenant's keys of the vendor (order spec 5.3). They are sealed before they reach PostgreSQL. */
export interface KeyLedger {
  vendorKeys(tenant: string): Promise<VendorKeyRow | null>;
  /** Notes that a key is asked for; false, and nothing is noted, where one waits. */
  askForKey(tenant: string, at: string): Promise<boolean>;
  /** Keeps a new key that waits to be registered; false where another waits. */
  keepKey(tenant: string, key: NewKey, at: string): Promise<boolean>;
  /** Has the key of this hash be the one in use; false where none of it waits (any more). */
  switchKey(tenant: string, hashedKey: string, at: string): Promise<boolean>;
  /** Notes that the key of this hash, which is in use, was proven, and forgets the one before it. */
  proveKey(tenant: string, hashedKey: string, at: string): Promise<void>;
  /** Forgets the key of this hash, which waits; false where it does not. */
  dropKey(tenant: string, hashedKey: string): Promise<boolean>;
  /** Has this key be the one in use, given by a person; one that waits is forgotten. */
  setKey(tenant: string, apiKey: string, at: string): Promise<void>;
}

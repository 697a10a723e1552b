/** What a published version of a tenant's mapping contains. Stored sealed. */
export type MappingPublication = {
  /** The text of the mapping file that applies; null if the tenant's own mapping file applies again. */
  readonly text: string | null;
  /** A digest of the mapping that the tenant's own files gave when this version was published. */
  readonly files: string;
  /** The earlier version that this version restores; 0 for the tenant's own files, null if it restores none. */
  readonly takenBackTo: number | null;
  /** Who published it, and why (null without a reason). */
  readonly by: string;
  readonly reason: string | null;
};

/** A published version of a tenant's mapping, from the ledger. */
export type MappingVersion = {
  readonly tenant: string;
  /** The number of the version: how many versions of this tenant were published so far, from 1. */
  readonly version: number;
  /** The position of this publication in the order of all tenants' publications. */
  readonly change: number;
  /** When it was published, ISO. */
  readonly publishedAt: string;
  /** The newest version whose content can be decrypted, if this version's cannot. It applies instead, and `content` is its content. */
  readonly openedInstead?: number;
  /** The content; null if this process's keys cannot decrypt it, or if it was changed in the database without the sealing key. */
  readonly content: MappingPublication | null;
};

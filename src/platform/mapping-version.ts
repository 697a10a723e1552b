/** What a published version of a tenant's mapping contains. Stored sealed. */
export type MappingPublication = {
  /** The text of the mapping file that applies; null if the tenant's own mapping file applies again. */
  readonly text: string | null;
  /** A digest of the mapping that the tenant's own files gave when this version was published. */
  readonly files: string;
  /** The earlier version that this version brings back; 0 for the tenant's own files, null if it brings back none. */
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
  /** The newest version that opens, if this one does not. The content is then that of the version that opens. */
  readonly openedInstead?: number;
  /** The content; null if this process's keys cannot decrypt it, or if a writer of the database made or changed it. */
  readonly content: MappingPublication | null;
};

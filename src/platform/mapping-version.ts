/** The content of a published version of a tenant's mapping. It is stored encrypted. */
export type MappingPublication = {
  /** The text of the mapping file that applies; null if the mapping file that the tenant file names applies again. */
  readonly text: string | null;
  /** A digest of the mapping in the tenant's files at the time of the publication. */
  readonly files: string;
  /** The number of the earlier version that is in force again; 0 for the mapping in the tenant's files, null if it is a new mapping. */
  readonly takenBackTo: number | null;
  /** The person who published the version, and the reason (null if none was given). */
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
  /**
   * Set if this version's content cannot be decrypted: the number of the newest version whose content can be. That version applies, and
   * `content` contains its content.
   */
  readonly openedInstead?: number;
  /** The content. Null if this process's keys cannot decrypt it, or if somebody without the sealing key changed it in the database. */
  readonly content: MappingPublication | null;
};

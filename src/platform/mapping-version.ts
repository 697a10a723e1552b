/** The content of a published version of a tenant's mapping. It is stored encrypted. */
export type MappingPublication = {
  /** The text of the mapping file that applies; null if the mapping file that the tenant file names applies again. */
  readonly text: string | null;
  /** A digest of the mapping in the tenant's files at the time of the publication. It shows whether the files have changed since then. */
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
  /** The number of the version. Each tenant's versions are numbered from 1, in the order of their publication. */
  readonly version: number;
  /**
   * The position of this publication among the publications of all tenants. A process uses it to read only the publications that it does
   * not know.
   */
  readonly change: number;
  /** When it was published, ISO. */
  readonly publishedAt: string;
  /**
   * Set if the content of this version cannot be decrypted: the number of the newest version that can be decrypted. That older version
   * applies, and `content` is the content of that older version.
   */
  readonly openedInstead?: number;
  /**
   * The content. Null if this process's keys cannot decrypt it, or if it was changed in the database without the sealing key (encryption
   * key).
   */
  readonly content: MappingPublication | null;
};

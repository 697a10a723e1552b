/** The content of a published version of a tenant's mapping. It is stored encrypted. */
export type MappingPublication = {
  /**
   * The text of the mapping file that applies. Null if the publication restores the mapping in the tenant's files, so that no published
   * text applies.
   */
  readonly text: string | null;
  /** A digest of the mapping in the tenant's files at the time of the publication. It shows whether the files have changed since then. */
  readonly files: string;
  /**
   * Set if this publication restores an earlier mapping: the number of the version that is restored, or 0 for the mapping in the tenant's
   * files. Null if the publication contains a new mapping.
   */
  readonly takenBackTo: number | null;
  /** The person who published the version. */
  readonly by: string;
  /** The reason that this person gave for the publication; null if none was given. */
  readonly reason: string | null;
};

/** A published version of a tenant's mapping, from the ledger (Lockstep's PostgreSQL database). */
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
   * Set if this version cannot be decrypted: the number of the newest version that can be decrypted. The older version then applies, and
   * `content` is its content. All other fields still describe this version.
   */
  readonly openedInstead?: number;
  /**
   * The content. Null if this process's keys cannot decrypt it, or if it was changed in the database without the sealing key (encryption
   * key).
   */
  readonly content: MappingPublication | null;
};

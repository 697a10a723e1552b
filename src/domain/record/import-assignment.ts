/** How the owner of an imported deal is chosen: the owner of its account, a named user, or a user of a queue. */
export type OwnerRule =
  | { readonly by: 'account' }
  | { readonly by: 'user'; readonly username: string }
  | { readonly by: 'queue'; readonly name: string };

/** How Lockstep sets those values of an imported deal that the vendor's record does not contain. */
export type ImportAssignment = {
  /** The rule for the owner. Null: the owner is the integration user, who creates the deal. */
  readonly owner: OwnerRule | null;
  /** Developer name of an opportunity record type; null: the integration user's default. */
  readonly recordType: string | null;
  /** Developer name of an account record type for new accounts; null or absent: the integration user's default. */
  readonly accountRecordType?: string | null;
};

export const NO_ASSIGNMENT: ImportAssignment = { owner: null, recordType: null };

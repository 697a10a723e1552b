/**
 * How Lockstep chooses the owner of an imported deal (one that the vendor's users created): the owner of the deal's account, a named user,
 * or a user of a queue.
 */
export type OwnerRule =
  | { readonly by: 'account' }
  | { readonly by: 'user'; readonly username: string }
  | { readonly by: 'queue'; readonly name: string };

/**
 * Settings for imported deals (created by the vendor's users): the owner and the record types, which the vendor's record does not contain.
 */
export type ImportAssignment = {
  /** The rule for the owner of imported deals. Null: the owner is the integration user, who creates the deal in the CRM. */
  readonly owner: OwnerRule | null;
  /** Developer name of an opportunity record type; null: the integration user's default. */
  readonly recordType: string | null;
  /** Developer name of an account record type for new accounts; null or absent: the integration user's default. */
  readonly accountRecordType?: string | null;
};

export const NO_ASSIGNMENT: ImportAssignment = { owner: null, recordType: null };

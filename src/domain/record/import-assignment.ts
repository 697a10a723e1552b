/** Whose a vendor-created deal is once it is made in the CRM: the owner of its account, one user, or a user of a queue. */
export type OwnerRule =
  | { readonly by: 'account' }
  | { readonly by: 'user'; readonly username: string }
  | { readonly by: 'queue'; readonly name: string };

/** What a vendor-created deal gets that the vendor cannot know. */
export type ImportAssignment = {
  /** Null: the integration user, who makes it. */
  readonly owner: OwnerRule | null;
  /** Developer name of a record type of opportunities; null: the integration user's default. */
  readonly recordType: string | null;
};

export const NO_ASSIGNMENT: ImportAssignment = { owner: null, recordType: null };

/** The address that is to be flooded while the remotes answer anything; null: they rest. */
export type ToHostile = { readonly flood: string | null };

/** Where the remotes are, and how much was done until now. */
export type FromHostile = {
  readonly vendorUrl: string;
  readonly orgUrl: string;
  readonly answers: number;
  /** Messages to the receiver. */
  readonly taken: number;
  readonly refused: number;
};

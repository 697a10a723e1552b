/** How Lockstep creates opportunities for renewals of orders. */
export type RenewalRules = {
  /** The number of days from the creation of a renewal opportunity to the start of the renewal. */
  readonly daysBefore: number;
  readonly stage: string;
  /** Whether a new renewal opportunity is shared with the vendor. */
  readonly share: boolean;
};

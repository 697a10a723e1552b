/** How renewal opportunities are created. */
export type RenewalRules = {
  /** How many days before the renewal begins its opportunity is created. */
  readonly daysBefore: number;
  readonly stage: string;
  /** Whether a new renewal opportunity is shared with the vendor. */
  readonly share: boolean;
};

import type { JournalEntry } from '../record/journal.ts';
import type { Link } from '../record/link.ts';
import type { VendorObservation } from '../record/observation.ts';

/** The change of a link after an outcome. Absent keys keep their values. */
export type LinkChange = Partial<
  Pick<
    Link,
    | 'state'
    | 'base'
    | 'vendorInDoubt'
    | 'adoptingSince'
    | 'issues'
    | 'refusedFingerprint'
    | 'crmRefusedFingerprint'
    | 'failingSince'
    | 'retryAt'
  >
> & {
  readonly vendorObservation?: VendorObservation;
  readonly reported?: string;
  /** Marks up to this `generation` are done. */
  readonly observedGeneration?: number;
  /** Marks of the vendor's side up to this `generation` are covered by a vendor reading. */
  readonly vendorReadGeneration?: number;
  /** The decision writes nothing, so earlier plans become invalid. */
  readonly plansNothing?: true;
  /** The outcome of the executed plan, for the ledger. */
  readonly outcome?: string;
  readonly journal?: readonly JournalEntry[];
};

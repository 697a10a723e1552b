import type { JournalEntry } from '../record/journal.ts';
import type { Link } from '../record/link.ts';
import type { VendorObservation } from '../record/observation.ts';

/** What an outcome does to a link. Absent keys stay as they are. */
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
  /** The marks up to this `generation` are done. */
  readonly observedGeneration?: number;
  /** The marks of the vendor up to this `generation` are covered by a reading. */
  readonly vendorReadGeneration?: number;
  /** A decision that writes nothing: no earlier plan may leave any more. */
  readonly plansNothing?: true;
  /** What became of the plan that was carried out. */
  readonly outcome?: string;
  readonly journal?: readonly JournalEntry[];
};

import type { DealNews } from '../record/deal-news.ts';
import type { JournalEntry } from '../record/journal.ts';
import type { Link } from '../record/link.ts';
import type { VendorObservation } from '../record/observation.ts';
import type { Reported } from '../record/reported.ts';

/** The change of a link after an outcome. Absent keys keep their values. */
export type LinkChange = Partial<
  Pick<
    Link,
    'state' | 'base' | 'vendorInDoubt' | 'adoptingSince' | 'refusedClaim' | 'issues' | 'failingSince' | 'retryAt'
  >
> & {
  readonly vendorObservation?: VendorObservation;
  readonly reported?: Reported;
  /** The link is no longer due because of marks up to this `generation`. */
  readonly observedGeneration?: number;
  /** A vendor reading covers the marks on the vendor's side up to this `generation`. */
  readonly vendorReadGeneration?: number;
  /** Whether the decision writes nothing, which makes earlier plans invalid. */
  readonly plansNothing?: true;
  /** The outcome of the executed plan, for the ledger. */
  readonly outcome?: string;
  readonly journal?: readonly JournalEntry[];
  /** What the vendor answered since the last read, for a notice to the opportunity's owner. */
  readonly news?: DealNews;
};

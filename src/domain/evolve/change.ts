import type { DealNews } from '../record/deal-news.ts';
import type { JournalEntry } from '../record/journal.ts';
import type { Link } from '../record/link.ts';
import type { VendorObservation } from '../record/observation.ts';
import type { Reported } from '../record/reported.ts';

/** What to store on a link after the outcome of a step, such as a read or a write. Properties that are absent here keep their values. */
export type LinkChange = Partial<
  Pick<
    Link,
    'state' | 'base' | 'vendorInDoubt' | 'adoptingSince' | 'refusedClaim' | 'issues' | 'failingSince' | 'retryAt'
  >
> & {
  readonly vendorObservation?: VendorObservation;
  readonly reported?: Reported;
  /** The highest `generation` (count of reported changes) that this work on the link has handled. */
  readonly observedGeneration?: number;
  /** The highest `generation` (count of reported changes) that this vendor reading includes. */
  readonly vendorReadGeneration?: number;
  /** Whether the decision writes nothing, which makes earlier plans invalid. */
  readonly plansNothing?: true;
  /** The outcome of the executed plan, for the ledger. */
  readonly outcome?: string;
  readonly journal?: readonly JournalEntry[];
  /** What the vendor answered since the last read, for a notice to the opportunity's owner. */
  readonly news?: DealNews;
};

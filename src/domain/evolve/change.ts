import type { DealNews } from '../record/deal-news.ts';
import type { JournalEntry } from '../record/journal.ts';
import type { Link } from '../record/link.ts';
import type { VendorObservation } from '../record/observation.ts';
import type { Reported } from '../record/reported.ts';

/** What an outcome of a step (such as a read or a write) changes on the link. Properties that are absent here keep their values. */
export type LinkChange = Partial<
  Pick<
    Link,
    'state' | 'base' | 'vendorInDoubt' | 'adoptingSince' | 'refusedClaim' | 'issues' | 'failingSince' | 'retryAt'
  >
> & {
  readonly vendorObservation?: VendorObservation;
  readonly reported?: Reported;
  /** The value of the link's `generation` (count of reported changes) up to which this work has handled all changes. */
  readonly observedGeneration?: number;
  /** The value of the link's `generation` (count of reported changes) up to which this vendor reading shows all changes. */
  readonly vendorReadGeneration?: number;
  /** Whether the decision was to write nothing, so that earlier plans must not be sent any more. */
  readonly plansNothing?: true;
  /** How the executed plan ended, as the ledger stores it. */
  readonly outcome?: string;
  readonly journal?: readonly JournalEntry[];
  /** What the vendor answered since the last read, for a notice to the opportunity's owner. */
  readonly news?: DealNews;
};

import type { DealNews } from '../record/deal-news.ts';
import type { JournalEntry } from '../record/journal.ts';
import type { Link } from '../record/link.ts';
import type { VendorObservation } from '../record/observation.ts';
import type { Reported } from '../record/reported.ts';

/**
 * The changes of a link (pair of CRM record and vendor record, with its state) after a step such as a read or a write. A property that is
 * absent here keeps its value.
 */
export type LinkChange = Partial<
  Pick<
    Link,
    'state' | 'base' | 'vendorInDoubt' | 'adoptingSince' | 'refusedClaim' | 'issues' | 'failingSince' | 'retryAt'
  >
> & {
  readonly vendorObservation?: VendorObservation;
  readonly reported?: Reported;
  /** The link's `generation` (count of reported changes) when this work began. All changes up to this count are now synced. */
  readonly observedGeneration?: number;
  /**
   * The link's `generation` (count of reported changes) when the vendor's record was read. The record as read shows all changes up to this
   * count.
   */
  readonly vendorReadGeneration?: number;
  /** True if the decision was to write nothing, so that no earlier plan may be sent any more. */
  readonly plansNothing?: true;
  /** How the executed plan ended, in a few words. The ledger (Lockstep's database) stores them with the plan. */
  readonly outcome?: string;
  readonly journal?: readonly JournalEntry[];
  /** News for the opportunity's owner: what the vendor has decided about the deal since the last read, such as an approval. */
  readonly news?: DealNews;
};

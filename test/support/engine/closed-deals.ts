import type { Deal, Entered } from './deal.ts';
import { CLOSED } from './fields.ts';

export type ClosedDeals = ReturnType<typeof createClosedDeals>;

/**
 * Deals that stand closed at the vendor and open in the CRM, as they were when all was settled, and what people have made of their
 * status since. `entered` is what people entered of each field.
 */
export function createClosedDeals(entered: Map<string, Entered>) {
  /** Whether a person was told, until the deal is closed in the CRM, moved at the vendor, or decided. */
  const result = new Map<number, boolean>();
  /** The statuses in the CRM beside which the vendor's was, or may have been, agreed on. */
  const agreed = new Map<number, Set<string>>();

  return {
    wasTold: ({ number }: Deal): boolean | undefined => result.get(number),

    /** All is settled: `status` is the CRM's where the vendor alone has closed the deal, null where it has not. */
    settled({ number }: Deal, status: string | null, isTold: boolean): void {
      result.delete(number);
      agreed.delete(number);
      if (status === null) return;
      result.set(number, isTold);
      if (!isTold) agreed.set(number, new Set([status]));
    },

    /**
     * A CRM user has moved the deal to a stage of this status. Where the vendor's closing was agreed on beside the very same, that is
     * no edit of the status: it says what it said, whichever stages the deal went through meanwhile. `isPicked`: a pick of the
     * vendor's status stands on the sync row, which may be read only now.
     */
    movedInCrm({ number }: Deal, status: string, isPicked: boolean): void {
      if (isPicked) agreed.set(number, new Set([...(agreed.get(number) ?? []), status]));
      if (agreed.get(number)?.has(status) === true) entered.delete(`${number} status`);
      if (CLOSED.has(status)) result.delete(number);
    },

    movedAtVendor({ number }: Deal): void {
      result.delete(number);
      agreed.delete(number);
    },

    /** A person has picked a side, which holds for the status that the CRM shows. */
    picked({ number }: Deal, side: 'crm' | 'vendor', status: string): void {
      result.delete(number);
      if (side === 'vendor') agreed.set(number, new Set([status]));
      else agreed.delete(number);
      entered.delete(`${number} status`);
    },
  };
}

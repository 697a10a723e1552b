import type { Deal, Entered } from './deal.ts';
import { CLOSED } from './fields.ts';

export type ClosedDeals = ReturnType<typeof createClosedDeals>;

/**
 * Deals that were closed at the vendor and open in the CRM when all work was done, and later edits of their status. `entered`: the values
 * that users entered, by field.
 */
export function createClosedDeals(entered: Map<string, Entered>) {
  /** Whether users were notified, until the deal is closed in the CRM, moved at the vendor, or decided. */
  const result = new Map<number, boolean>();
  /** CRM statuses with which the vendor's status was, or may have been, agreed. */
  const agreed = new Map<number, Set<string>>();

  return {
    wasTold: ({ number }: Deal): boolean | undefined => result.get(number),

    /** Notes the settled state: `status` is the CRM's if only the vendor closed the deal, otherwise null. */
    settled({ number }: Deal, status: string | null, isTold: boolean): void {
      result.delete(number);
      agreed.delete(number);
      if (status === null) return;
      result.set(number, isTold);
      if (!isTold) agreed.set(number, new Set([status]));
    },

    /**
     * Notes that a CRM user moved the deal to a stage of this status. If the vendor's closing was agreed with this status, the move is no
     * edit of the status, even if the deal passed other stages meanwhile. `isPicked`: the sync row has a pick of the vendor's status, which
     * Lockstep may read later.
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

    /** Notes that a user picked a side; the pick applies to the status that the CRM shows. */
    picked({ number }: Deal, side: 'crm' | 'vendor', status: string): void {
      result.delete(number);
      if (side === 'vendor') agreed.set(number, new Set([status]));
      else agreed.delete(number);
      entered.delete(`${number} status`);
    },
  };
}

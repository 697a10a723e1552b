import type { Deal, Entered } from './deal.ts';
import { type CrmLine, linesKey, vendorLines } from './fields.ts';
import type { Raw } from './http.ts';
import type { World } from './world.ts';

type Records = {
  opportunityOf(deal: Deal): Promise<Raw | null>;
  leadOf(deal: Deal): Promise<Raw | null>;
  linesOf(opportunityId: string): Promise<readonly CrmLine[]>;
  /** Of two edits of one line either may stay. */
  noteLines(deal: Deal, side: keyof Entered, lines: string): void;
};

/** A revenue type of the vendor's, and one that the tenant has no code for. */
const [CODE, UNKNOWN] = ['UPFRONT', 'Barter'] as const;

/** What people on each side say of the first line of a deal. */
export function createRevenueTypes(
  { crm, vendor }: World,
  { opportunityOf, leadOf, linesOf, noteLines }: Records,
) {
  /** Deals that stood settled with the vendor's type, until somebody changes their lines. */
  const typed = new Set<number>();
  /** Deals with a line of a type that the tenant has no code for. */
  const untold = new Set<number>();

  return {
    typed,
    untold,

    async typeAtVendor(deal: Deal): Promise<void> {
      const lead = await leadOf(deal);
      const [first, ...others] = (lead?.['offerLines'] ?? []) as readonly Raw[];
      if (lead === null || first === undefined || (await opportunityOf(deal)) === null) return;
      await vendor.edit(String(lead['id']), { offerLines: [{ ...first, revenueType: CODE }, ...others] });
      noteLines(deal, 'vendor', linesKey(vendorLines(lead)));
    },

    async typeInCrm(deal: Deal): Promise<void> {
      const opportunity = await opportunityOf(deal);
      const lines = opportunity === null ? [] : await linesOf(String(opportunity['Id']));
      const [line] = lines;
      if (line === undefined) return;
      noteLines(deal, 'crm', linesKey(lines));
      await crm.edit(line.id, { Vendor_Revenue_Type__c: UNKNOWN });
      untold.add(deal.number);
    },
  };
}

/** Whether the vendor's people see their type. */
export function showsType(lead: Raw): boolean {
  return ((lead['offerLines'] ?? []) as readonly Raw[]).some((line) => line['revenueType'] === CODE);
}

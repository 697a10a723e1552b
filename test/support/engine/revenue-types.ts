import type { Deal, Entered } from './deal.ts';
import { type CrmLine, linesKey, vendorLines } from './fields.ts';
import type { Raw } from './http.ts';
import type { World } from './world.ts';

type Records = {
  opportunityOf(deal: Deal): Promise<Raw | null>;
  leadOf(deal: Deal): Promise<Raw | null>;
  linesOf(opportunityId: string): Promise<readonly CrmLine[]>;
  /** Values that users entered since the sides were settled. */
  readonly entered: ReadonlyMap<string, Entered>;
  /** Notes an edit of a line's type; of two edits, either may stay. */
  noteType(deal: Deal, side: keyof Entered, lines: string): void;
};

/** A revenue type of the vendor, and a type for which the tenant has no code. */
const [CODE, UNKNOWN] = ['UPFRONT', 'Barter'] as const;

/** The revenue types that users of each side enter for the first line of a deal. */
export function createRevenueTypes(
  { crm, vendor }: World,
  { opportunityOf, leadOf, linesOf, noteType, entered }: Records,
) {
  /** Deals that were settled with the vendor's type, until somebody removes a line. */
  const typed = new Set<number>();
  /** Deals for which CRM users entered a type, until somebody removes a line or vendor users enter another. */
  const typedInCrm = new Set<number>();
  /** Deals with a line of a type for which the tenant has no code. */
  const untold = new Set<number>();

  return {
    untold,

    forget({ number }: Deal): void {
      typed.delete(number);
      typedInCrm.delete(number);
    },

    /**
     * NLU: a type that users entered and that nobody changed since. The vendor's type counts as known once the sides were settled with it.
     */
    async lost({ number }: Deal, opportunityId: string, lead: Raw): Promise<readonly string[]> {
      const lines = await linesOf(opportunityId);
      const isInCrm = lines.some(({ revenueType }) => revenueType === UNKNOWN);
      const isGone = {
        vendor: typed.has(number) && !showsType(lead),
        CRM: typedInCrm.has(number) && !isInCrm,
      };
      if (showsType(lead)) typed.add(number);
      return Object.entries(isGone)
        .filter(([, gone]) => gone)
        .map(([side]) => `NLU: the ${side}'s revenue type of deal ${number} is gone`);
    },

    async typeAtVendor(deal: Deal): Promise<void> {
      const lead = await leadOf(deal);
      const [first, ...others] = (lead?.['offerLines'] ?? []) as readonly Raw[];
      if (lead === null || first === undefined || (await opportunityOf(deal)) === null) return;
      await vendor.edit(String(lead['id']), { offerLines: [{ ...first, revenueType: CODE }, ...others] });
      noteType(deal, 'vendor', linesKey(vendorLines(lead)));
      typedInCrm.delete(deal.number);
    },

    async typeInCrm(deal: Deal): Promise<void> {
      const opportunity = await opportunityOf(deal);
      const lines = opportunity === null ? [] : await linesOf(String(opportunity['Id']));
      const [line] = lines;
      if (line === undefined) return;
      noteType(deal, 'crm', linesKey(lines));
      await crm.edit(line.id, { Vendor_Revenue_Type__c: UNKNOWN });
      untold.add(deal.number);
      // Of two types of one line either may stay. If a vendor user removed the line, the line may stay or go.
      const isContested = entered.get(`${deal.number} revenueType`)?.vendor !== undefined;
      if (!isContested && !isRemovedAtVendor(line, lines, await leadOf(deal))) typedInCrm.add(deal.number);
    },
  };
}

/** Whether the vendor has fewer lines of this line's offer than the CRM. */
function isRemovedAtVendor({ offer }: CrmLine, lines: readonly CrmLine[], lead: Raw | null): boolean {
  if (lead === null) return false;
  const [here, there] = [lines, vendorLines(lead)].map((all) => all.filter((one) => one.offer === offer));
  return Number(there?.length) < Number(here?.length);
}

/** Whether the vendor shows the type that its users entered. */
function showsType(lead: Raw): boolean {
  return ((lead['offerLines'] ?? []) as readonly Raw[]).some((line) => line['revenueType'] === CODE);
}

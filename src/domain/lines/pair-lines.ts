import type { LinePair } from '../record/base.ts';
import type { OfferLine } from '../record/canonical.ts';

type Rule = (crm: OfferLine, vendor: OfferLine, wasPaired: boolean) => boolean;

const sameOffer: Rule = (crm, vendor) => crm.offerNameId === vendor.offerNameId;
const sameAmount: Rule = (crm, vendor) => crm.amount !== null && crm.amount === vendor.amount;
const sameContent: Rule = (crm, vendor, was) => sameOffer(crm, vendor, was) && crm.amount === vendor.amount;

/**
 * Surest first. Equal content comes before the remembered position, because positions shift when the vendor
 * removes a line; a remembered pair of one offer comes before a stranger of that offer.
 */
const RULES: readonly Rule[] = [
  (crm, vendor, was) => was && sameContent(crm, vendor, was),
  sameContent,
  (crm, vendor, was) => was && sameOffer(crm, vendor, was),
  sameOffer,
  (crm, vendor, was) => was && sameAmount(crm, vendor, was),
  sameAmount,
];

/**
 * Which CRM line is which of the vendor's lines: by content, by the pairs of the last agreement, by offer, by amount.
 * One to one; lines without a partner are new or deleted. CRM lines without an id are left out. Pairs come in the
 * order of the vendor's array.
 */
export function pairLines(
  crmLines: readonly OfferLine[],
  vendorLines: readonly OfferLine[],
  knownPairs: readonly LinePair[],
): readonly LinePair[] {
  const known = new Set(knownPairs.map((pair) => pairKey(pair.crmLineId, pair.position)));
  const paired = new Map<number, string>();
  const taken = new Set<string>();
  for (const rule of RULES) {
    for (const crm of crmLines) {
      const id = crm.crmLineId;
      if (id === undefined || taken.has(id)) continue;
      const position = vendorLines.findIndex(
        (vendor, index) => !paired.has(index) && rule(crm, vendor, known.has(pairKey(id, index))),
      );
      if (position < 0) continue;
      paired.set(position, id);
      taken.add(id);
    }
  }
  const pairs = [...paired].map(([position, crmLineId]) => ({ crmLineId, position }));
  return pairs.sort((a, b) => a.position - b.position);
}

function pairKey(crmLineId: string, position: number): string {
  return `${crmLineId} ${position}`;
}

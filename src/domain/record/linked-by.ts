import type { JournalEntry } from './journal.ts';

/** The ways in which an opportunity and a vendor record were linked as one deal, each with a text for users. */
export const LINK_WAYS = {
  'created-at-vendor': 'Lockstep created the vendor record',
  'created-in-crm': 'Lockstep created the opportunity',
  'own-create':
    'found at the vendor by our reference, after a create was refused as a duplicate (ERR801) or its answer was lost',
  reference: 'the vendor record carries the opportunity’s id',
  'vendor-id': 'the opportunity carries the vendor’s id',
  keys: 'matched by the tenant’s keys',
  shared: 'the vendor record waited for this opportunity to be shared',
  operator: 'linked by an operator',
  relink: 'moved by an operator from another org’s opportunity',
} as const satisfies Readonly<Record<string, string>>;

export type LinkWay = keyof typeof LINK_WAYS;

/**
 * How an opportunity and a vendor record came to be linked. The link stores this, because lines of the journal (log of decisions) are
 * deleted after some years. Contains no value of a field.
 */
export type LinkedBy = {
  readonly way: LinkWay;
  /**
   * Names of the tenant's match keys (such as `customer, name`), if Lockstep linked the pair because the values of these keys matched;
   * otherwise absent.
   */
  readonly matchedOn?: string;
  /** When the opportunity and the vendor record were linked, ISO. */
  readonly at: string;
};

const OF_ADOPTIONS: Readonly<Record<string, LinkWay>> = {
  operator: 'operator',
  relink: 'relink',
  shared: 'shared',
  Vendor_Id__c: 'vendor-id',
};

/**
 * How an opportunity and a vendor record came to be linked, according to the entry in the journal (log of decisions) of the search that
 * found one for the other. Pure.
 */
export function linkedByAdoption({ at, summary }: JournalEntry): LinkedBy {
  const matchedOn = String(summary['matchedOn']);
  if (matchedOn === 'partnerLeadOpportunityId')
    return {
      way: summary['afterCreate'] === true || summary['uncertain'] === 'create' ? 'own-create' : 'reference',
      at,
    };
  const way = OF_ADOPTIONS[matchedOn];
  return way === undefined ? { way: 'keys', matchedOn, at } : { way, at };
}

/**
 * How an opportunity and a vendor record came to be linked, according to the newest line of the journal (log of decisions) that records
 * this; null if none of the lines does. Pure.
 */
export function linkedByLines(lines: readonly JournalEntry[]): LinkedBy | null {
  for (const line of lines.toReversed()) {
    const { at, kind, summary } = line;
    const { next, answer, outcome } = summary;
    if (kind === 'adoption' && outcome === undefined) return linkedByAdoption(line);
    if (kind !== 'remote-write') continue;
    if (next === 'create-at-vendor' && answer === 'created') return { way: 'created-at-vendor', at };
    if (next === 'create-in-crm' && (answer === 'created' || answer === 'found in the CRM'))
      return { way: 'created-in-crm', at };
  }
  return null;
}

/** How an opportunity and a vendor record came to be linked, as a sentence without its full stop. */
export function linkedByWords({ way, matchedOn }: LinkedBy): string {
  return matchedOn === undefined ? LINK_WAYS[way] : `${LINK_WAYS[way]} (${matchedOn})`;
}

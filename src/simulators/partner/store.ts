import type { LeadOpportunity } from './lead-opportunity.ts';
import type { PortfolioItem } from './portfolio.ts';

/** All data of the simulated vendor, as JSON. */
export type StoreSnapshot = {
  readonly lastNumber: number;
  readonly leadOpportunities: readonly LeadOpportunity[];
  readonly portfolioItems: readonly PortfolioItem[];
};

/** The simulated vendor's data, in memory. */
export interface Store {
  /** A vendor id that no record had before. */
  newId(): string;
  get(id: string): LeadOpportunity | undefined;
  /** The record of a partner with this partner reference. */
  byReference(partnerId: string, reference: string): LeadOpportunity | undefined;
  put(record: LeadOpportunity): void;
  remove(id: string): boolean;
  leadOpportunities(): readonly LeadOpportunity[];
  portfolioItems(): readonly PortfolioItem[];
  putPortfolioItem(item: PortfolioItem): void;
  removePortfolioItem(id: string): boolean;
  snapshot(): StoreSnapshot;
  load(snapshot: StoreSnapshot): void;
}

/** Makes an empty store; `onChange` is called after each change. */
export function createStore(onChange: () => void): Store {
  let lastNumber = 0;
  let records = new Map<string, LeadOpportunity>();
  let references = new Map<string, string>();
  let items = new Map<string, PortfolioItem>();

  function forget(id: string): boolean {
    const known = records.get(id);
    if (known === undefined) return false;
    const key = referenceKey(known.partnerId, known.core.partnerLeadOpportunityId);
    if (references.get(key) === id) references.delete(key);
    return records.delete(id);
  }

  function remember(record: LeadOpportunity): void {
    records.set(record.dsLeadOpportunityId, record);
    const reference = record.core.partnerLeadOpportunityId;
    if (reference) references.set(referenceKey(record.partnerId, reference), record.dsLeadOpportunityId);
  }

  function changed<T>(result: T): T {
    onChange();
    return result;
  }

  return {
    newId: () => {
      lastNumber += 1;
      return `LO-${String(lastNumber).padStart(8, '0')}`;
    },
    get: (id) => records.get(id),
    byReference: (partnerId, reference) =>
      records.get(references.get(referenceKey(partnerId, reference)) ?? ''),
    put: (record) => {
      forget(record.dsLeadOpportunityId);
      changed(remember(record));
    },
    remove: (id) => changed(forget(id)),
    leadOpportunities: () => [...records.values()],
    portfolioItems: () => [...items.values()],
    putPortfolioItem: (item) => {
      changed(items.set(item.salesPortfolioId, item));
    },
    removePortfolioItem: (id) => changed(items.delete(id)),
    snapshot: () => ({
      lastNumber,
      leadOpportunities: [...records.values()],
      portfolioItems: [...items.values()],
    }),
    load: (snapshot) => {
      lastNumber = snapshot.lastNumber;
      records = new Map();
      references = new Map();
      items = new Map(snapshot.portfolioItems.map((item) => [item.salesPortfolioId, item]));
      changed(snapshot.leadOpportunities.forEach(remember));
    },
  };
}

function referenceKey(partnerId: string, reference: string | null): string {
  return JSON.stringify([partnerId, reference]);
}

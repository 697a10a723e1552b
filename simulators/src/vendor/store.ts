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
  const leads = createLeadIndex();
  const items = new Map<string, PortfolioItem>();

  function changed<T>(result: T): T {
    onChange();
    return result;
  }

  return {
    newId: () => {
      lastNumber += 1;
      return `LO-${String(lastNumber).padStart(8, '0')}`;
    },
    get: leads.get,
    byReference: leads.byReference,
    put: (record) => changed(leads.put(record)),
    remove: (id) => changed(leads.remove(id)),
    leadOpportunities: leads.all,
    portfolioItems: () => [...items.values()],
    putPortfolioItem: (item) => {
      changed(items.set(item.salesPortfolioId, item));
    },
    removePortfolioItem: (id) => changed(items.delete(id)),
    snapshot: () => ({ lastNumber, leadOpportunities: leads.all(), portfolioItems: [...items.values()] }),
    load: (snapshot) => {
      lastNumber = snapshot.lastNumber;
      leads.clear();
      items.clear();
      snapshot.leadOpportunities.forEach(leads.put);
      for (const item of snapshot.portfolioItems) items.set(item.salesPortfolioId, item);
      onChange();
    },
  };
}

/** Lead-opportunities by vendor id and by partner reference. */
function createLeadIndex() {
  const records = new Map<string, LeadOpportunity>();
  const references = new Map<string, string>();

  function remove(id: string): boolean {
    const known = records.get(id);
    if (known === undefined) return false;
    const key = referenceKey(known.partnerId, known.core.partnerLeadOpportunityId);
    if (references.get(key) === id) references.delete(key);
    return records.delete(id);
  }

  return {
    get: (id: string) => records.get(id),
    byReference: (partnerId: string, reference: string) =>
      records.get(references.get(referenceKey(partnerId, reference)) ?? ''),
    put: (record: LeadOpportunity): void => {
      remove(record.dsLeadOpportunityId);
      records.set(record.dsLeadOpportunityId, record);
      const reference = record.core.partnerLeadOpportunityId;
      if (reference) references.set(referenceKey(record.partnerId, reference), record.dsLeadOpportunityId);
    },
    remove,
    all: (): readonly LeadOpportunity[] => [...records.values()],
    clear: () => {
      records.clear();
      references.clear();
    },
  };
}

function referenceKey(partnerId: string, reference: string | null): string {
  return JSON.stringify([partnerId, reference]);
}

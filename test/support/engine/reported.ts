import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { LinkIds } from '../../../src/ledger/links/link-ledger.ts';
import type { Raw } from './http.ts';

const VENDOR_WRITES: readonly string[] = ['createLeadOpportunity', 'updateLeadOpportunity'];

/** Which record a call is about: its id, or our reference of one that is made. */
function recordOf(input: unknown): string {
  const { id, leadOpportunity } = (input ?? {}) as { readonly id?: string; readonly leadOpportunity?: Raw };
  return id ?? String(leadOpportunity?.['partnerLeadOpportunityId']);
}

/** When people edited, when the engine was told of a record, and what came between: all it takes to say what it can know. */
export interface Told {
  /** The ledger, listened to where work is led in. */
  listening(ledger: Ledger): Ledger;
  /** When a record was last led in, by either of its ids; null when it never was. */
  lastMs(id: string): number | null;
  /** A person changed a side of the record with this id. */
  noteEdit(id: string): void;
  editedMs(id: string): number | null;
  noteCall(side: 'crm' | 'vendor', name: string, args: readonly unknown[], hand?: string): void;
  /** A call was answered, and somebody who can note it has heard that. */
  noteAnswer(name: string, args: readonly unknown[]): void;
  /** Whether a write to a vendor record left that nobody of ours has seen applied. */
  isOpen(lead: Raw): boolean;
  /** Whose request left at an instant, ISO; undefined where none of ours did. */
  writerAt(time: string): string | undefined;
  /** The vendor carries out now what left then. */
  noteLate(leftMs: number): void;
  /** When what arrived at an instant, ISO, had left; undefined where it was not late. */
  leftMs(time: string): number | undefined;
  noteCrmError(): void;
  crmErrorMs(): number;
  /** Counts whatever may have changed one of the two systems. */
  changes(): number;
}

export function createTold(readMs: () => number): Told {
  const told = new Map<string, number>();
  const edited = new Map<string, number>();
  const hands = new Map<number, string | undefined>();
  const open = new Set<string>();
  const late = new Map<number, number>();
  let crmErrorMs = Number.NEGATIVE_INFINITY;
  let changes = 0;
  const note = (ids: readonly (string | undefined)[]): void => {
    for (const id of ids) if (id !== undefined) told.set(id, readMs());
  };
  const idsOf = (all: readonly LinkIds[]) => all.flatMap(({ crmId, vendorId }) => [crmId, vendorId]);
  return {
    listening: (ledger) => ({
      ...ledger,
      markDue: async (tenant, ids, at, cursor) => {
        const keys = await ledger.markDue(tenant, ids, at, cursor);
        note(idsOf(ids));
        return keys;
      },
      recordDeliveries: async (tenant, deliveries, at) => {
        const recorded = await ledger.recordDeliveries(tenant, deliveries, at);
        note(deliveries.flatMap(({ crmIds }) => crmIds));
        return recorded;
      },
    }),
    lastMs: (id) => told.get(id) ?? null,
    noteEdit: (id) => {
      changes += 1;
      edited.set(id, readMs());
    },
    editedMs: (id) => edited.get(id) ?? null,
    noteCall: (_, name, [input], hand) => {
      changes += 1;
      hands.set(readMs(), hand);
      if (name === 'updateLeadOpportunity') edited.set(`sent ${(input as { readonly id: string }).id}`, readMs());
      if (VENDOR_WRITES.includes(name)) open.add(recordOf(input));
    },
    noteAnswer: (_name, [input]) => {
      open.delete(recordOf(input));
    },
    isOpen: (lead) => open.has(String(lead['id'])) || open.has(String(lead['partnerLeadOpportunityId'])),
    writerAt: (time) => hands.get(Date.parse(time)),
    noteLate: (leftMs) => {
      changes += 1;
      late.set(readMs(), leftMs);
    },
    leftMs: (time) => late.get(Date.parse(time)),
    noteCrmError: () => {
      crmErrorMs = readMs();
    },
    crmErrorMs: () => crmErrorMs,
    changes: () => changes,
  };
}

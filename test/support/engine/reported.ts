import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { LinkIds } from '../../../src/ledger/links/link-ledger.ts';
import type { Raw } from './http.ts';

const VENDOR_WRITES: readonly string[] = ['createLeadOpportunity', 'updateLeadOpportunity'];

/** The record of a call: its id, or Lockstep's reference if the call creates it. */
function recordOf(input: unknown): string {
  const { id, leadOpportunity } = (input ?? {}) as { readonly id?: string; readonly leadOpportunity?: Raw };
  return id ?? String(leadOpportunity?.['partnerLeadOpportunityId']);
}

/** When users edited, when the engine was notified of a record, and what happened in between: enough to tell what the engine can know. */
export interface Told {
  /** Wraps the ledger to record when work on a record is signalled. */
  listening(ledger: Ledger): Ledger;
  /** When work on a record was last signalled, by either of its ids; null if never. */
  lastMs(id: string): number | null;
  /** A user changed a side of the record with this id. */
  noteEdit(id: string): void;
  editedMs(id: string): number | null;
  noteCall(side: 'crm' | 'vendor', name: string, args: readonly unknown[], hand?: string): void;
  /** A call was answered, and a process that can note the answer got it. */
  noteAnswer(name: string, args: readonly unknown[]): void;
  /** Whether a write to a vendor record left whose result no process has seen. */
  isOpen(lead: Raw): boolean;
  /** The writer whose request left at an instant, ISO; undefined if none did. */
  writerAt(time: string): string | undefined;
  /** The vendor now executes the update that left then. */
  noteLate(leftMs: number): void;
  /** When the request that arrived at an instant, ISO, had left; undefined if it was not late. */
  leftMs(time: string): number | undefined;
  noteCrmError(): void;
  crmErrorMs(): number;
  /** Counts events that may have changed one of the two systems. */
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

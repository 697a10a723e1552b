import type { Ledger, LinkIds } from '../../../src/ledger/ledger.ts';

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
  /** Whose request left at an instant, ISO; undefined where none of ours did. */
  handAt(time: string): string | undefined;
  noteCrmError(): void;
  crmErrorMs(): number;
  /** Counts whatever may have changed one of the two systems. */
  changes(): number;
}

export function createTold(readMs: () => number): Told {
  const told = new Map<string, number>();
  const edited = new Map<string, number>();
  const hands = new Map<number, string | undefined>();
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
      if (name === 'updateLeadOpportunity')
        edited.set(`sent ${(input as { readonly id: string }).id}`, readMs());
    },
    handAt: (time) => hands.get(Date.parse(time)),
    noteCrmError: () => {
      crmErrorMs = readMs();
    },
    crmErrorMs: () => crmErrorMs,
    changes: () => changes,
  };
}

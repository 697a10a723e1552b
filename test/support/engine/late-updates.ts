import { type PartnerApi, PartnerApiError } from '../../../src/partner-api/index.ts';

export type LateUpdates = {
  readonly api: PartnerApi;
  /** The next update gets no answer and reaches the vendor after this delay, whatever was sent since; `arrive` then executes it. */
  plan(lateMs: number, arrive: Arrive): void;
  /** How many updates have left and not reached the vendor yet. */
  onTheWay(): number;
};

/** `executeCommand`: executes the update and returns whether the vendor accepted it. */
export type Arrive = (vendorId: string, executeCommand: () => Promise<boolean>) => Promise<void>;

type Parts = {
  readonly readMs: () => number;
  /** Schedules an event. */
  readonly at: (dueMs: number, perform: () => Promise<void>) => void;
  /** Notified when a late update is executed, with the time at which it left. */
  readonly onLate: (leftMs: number) => void;
};

/** A vendor that executes updates for which nobody waits any more, like a vendor behind a slow gateway. */
export function withLateUpdates(api: PartnerApi, { readMs, at, onLate }: Parts): LateUpdates {
  const planned: { readonly lateMs: number; readonly arrive: Arrive }[] = [];
  let onTheWay = 0;
  const updateLeadOpportunity: PartnerApi['updateLeadOpportunity'] = async (input, options) => {
    const late = planned.shift();
    if (late === undefined) return api.updateLeadOpportunity(input, options);
    const leftMs = readMs();
    onTheWay += 1;
    at(leftMs + late.lateMs, async () => {
      onTheWay -= 1;
      onLate(leftMs);
      await late.arrive(input.id, () =>
        api.updateLeadOpportunity(input).then(
          () => true,
          () => false,
        ),
      );
    });
    throw new PartnerApiError({
      kind: 'network',
      code: 'ECONNRESET',
      sent: 'unknown',
      operation: 'updateLeadOpportunity',
      domain: 'sales',
      method: 'PATCH',
      template: '/sales/api4partners/v0/leads-opportunities/{id}',
    });
  };
  return {
    api: { ...api, updateLeadOpportunity },
    plan: (lateMs, arrive) => {
      planned.push({ lateMs, arrive });
    },
    onTheWay: () => onTheWay,
  };
}

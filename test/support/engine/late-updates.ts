import { type PartnerApi, PartnerApiError } from '../../../src/partner-api/index.ts';

export type LateUpdates = {
  readonly api: PartnerApi;
  /** The next update gets no answer, and comes to the vendor so much later, whatever has been sent since; `arrive` has it carried out then. */
  plan(lateMs: number, arrive: Arrive): void;
};

/** `executeCommand`: whether the vendor took it. */
export type Arrive = (vendorId: string, executeCommand: () => Promise<boolean>) => Promise<void>;

type Parts = {
  readonly readMs: () => number;
  /** Something that happens at a time. */
  readonly at: (dueMs: number, perform: () => Promise<void>) => void;
  /** Told when one is carried out that left then. */
  readonly onLate: (leftMs: number) => void;
};

/** A vendor that carries out updates which nobody waits for any more, as one behind a slow gateway does. */
export function withLateUpdates(api: PartnerApi, { readMs, at, onLate }: Parts): LateUpdates {
  const planned: { readonly lateMs: number; readonly arrive: Arrive }[] = [];
  const updateLeadOpportunity: PartnerApi['updateLeadOpportunity'] = async (input, options) => {
    const late = planned.shift();
    if (late === undefined) return api.updateLeadOpportunity(input, options);
    const leftMs = readMs();
    at(leftMs + late.lateMs, async () => {
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
  };
}

import type { Notice } from './deal.ts';
import type { World } from './world.ts';

type Message = { readonly id: string; readonly recordId: string };

/**
 * Hands the org's outbound messages to the engine with network faults. The org decides which saves send a message; the engine's sweep finds
 * all others. Nothing is sent if the tenant takes only change events.
 */
export function createMessages({ crm, ledger, tenant, clock, scheduler, wake, runtime }: World) {
  const known = new Set<string>();

  async function deliver({ id, recordId }: Message, times: number, signals: boolean): Promise<void> {
    const delivery = { id, source: 'outbound-message', crmIds: [recordId] };
    for (let time = 0; time < times; time += 1) {
      const [taken] = await ledger.recordDeliveries(tenant, [delivery], clock.now());
      if (taken?.fresh !== true || !signals) continue;
      await wake(taken.keys, 'crm');
      await ledger.markSignalled(tenant, [id], clock.now());
    }
  }

  async function pass(message: Message, notice: Notice): Promise<void> {
    if (notice === 'lost' || runtime.tenant.salesforce.changes === 'pubsub') return;
    if (notice === 'late') scheduler.at(clock.readMs() + 45_000, () => deliver(message, 1, true));
    else await deliver(message, notice === 'twice' ? 2 : 1, notice !== 'unsignalled');
  }

  return {
    /** Delivers the messages that the org has queued since the last call. */
    async passOn(notice: Notice): Promise<void> {
      const fresh = (await crm.messages()).filter(({ id }) => !known.has(id));
      for (const message of fresh) {
        known.add(message.id);
        await pass(message, notice);
      }
    },
  };
}

import type { Ledger } from '../ledger/ledger.ts';
import { deliverDue } from '../notices/deliver.ts';
import type { NoticesSetup } from '../notices/read-notices-file.ts';
import { sendMessage } from '../notices/send.ts';
import { makeDigests, type Watch, watchStates } from '../operator/notices/watch-states.ts';
import type { LiveRoster } from '../platform/live-roster.ts';
import type { Logger } from '../platform/logger.ts';
import type { WorkerOptions } from '../worker/run-worker.ts';

export type NotifierParts = {
  readonly ledger: Ledger;
  readonly roster: LiveRoster;
  readonly log: Logger;
};

/**
 * The worker's function that notifies operators when a tenant's state begins or ends (such as a pause). Empty if there is no notices file.
 */
export function notifier(setup: NoticesSetup | null, parts: NotifierParts): Pick<WorkerOptions, 'notify'> {
  if (setup === null) return {};
  const { ledger, roster, log } = parts;
  const now = (): string => new Date().toISOString();
  const { rules, digests, console, giveUpMs, channels } = setup;
  const watch: Watch = { ledger, rules, digests, console, giveUpMs };
  const made = new Map<string, string>();
  const onFailure = ({ id, channel, code }: { readonly id: string; readonly channel: string; readonly code: string }) =>
    log.warn('a notice could not be sent; Lockstep tries again', { deliveryId: id, name: channel, code });
  const delivery = { ledger, channels, send: sendMessage, now, onFailure };
  return {
    notify: async (names, signal) => {
      try {
        const { served } = roster.roster();
        await watchStates(
          watch,
          names.map((tenant) => ({ tenant, served: served.get(tenant)?.tenant ?? null })),
          now(),
        );
        await makeDigests(watch, made, now());
        await deliverDue(delivery, signal);
      } catch (err) {
        log.warn('operators could not be notified; Lockstep tries again', { err });
      }
    },
  };
}

import { patched } from '@temporalio/workflow';
import type { SyncSummary } from '../activities/opportunity/summary.ts';
import { isWaiting, type LinkState } from '../src/domain/record/link-state.ts';
import { statusWords } from './descriptions.ts';
import type { SyncOpportunityInput } from './messages.ts';
import { upkeep } from './proxies.ts';

type Known = Pick<SyncSummary, 'crmId' | 'vendorId' | 'issues'> & { readonly state: LinkState | null };

export type WaitingList = ReturnType<typeof createWaitingList>;

/** A record's place on the list of what waits for a person: `recordWaits` runs for each. */
export function createWaitingList(input: SyncOpportunityInput) {
  const { tenant, key, syncState, isShownWaiting } = input;
  const wasWaiting = isShownWaiting === true || (syncState !== null && isWaiting(syncState));
  // What is shown: null where it is not on the list, empty where its words are not known any more.
  let shown = wasWaiting ? '' : null;
  return {
    /** Puts the record on the list or takes it off; where that is so already, nothing. */
    show: async ({ crmId, vendorId, state, issues }: Known): Promise<void> => {
      if (state === null) return;
      const words = statusWords({ state, issues });
      const now = isWaiting(state) ? words : null;
      if (now === shown || !patched('waiting-list')) return;
      const record = { tenant, key, crmId, vendorId, state, issues };
      await upkeep.publishStatus.executeWithOptions({ summary: `show: ${words}` }, [record]);
      shown = now;
    },
    /** What the next run has to know of it. */
    carried: (): Pick<SyncOpportunityInput, 'isShownWaiting'> =>
      shown === null ? {} : { isShownWaiting: true },
  };
}

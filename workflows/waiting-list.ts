import { patched } from '@temporalio/workflow';
import type { SyncSummary } from '../activities/opportunity/summary.ts';
import { isWaiting, type LinkState } from '../src/domain/record/link-state.ts';
import { statusWords } from './descriptions.ts';
import type { SyncOpportunityInput } from './messages.ts';
import { upkeep } from './proxies.ts';

type Known = Pick<SyncSummary, 'crmId' | 'vendorId' | 'issues'> & { readonly state: LinkState | null };

export type WaitingList = ReturnType<typeof createWaitingList>;

/** Makes the functions that keep a record's entry in the list of records that wait for a person. The entry is a `recordWaits` workflow. */
export function createWaitingList(input: SyncOpportunityInput) {
  const { tenant, key, syncState, isShownWaiting } = input;
  const wasWaiting = isShownWaiting === true || (syncState !== null && isWaiting(syncState));
  // The words of the entry. Null: not on the list. Empty: on the list, with unknown words.
  let shown = wasWaiting ? '' : null;
  return {
    /** Adds the record to the list of waiting records, updates its entry, or removes it. Does nothing if the entry is current. */
    show: async ({ crmId, vendorId, state, issues }: Known): Promise<void> => {
      if (state === null) return;
      const words = statusWords({ state, issues });
      const now = isWaiting(state) ? words : null;
      if (now === shown || !patched('waiting-list')) return;
      const record = { tenant, key, crmId, vendorId, state, issues };
      await upkeep.publishStatus.executeWithOptions({ summary: `show: ${words}` }, [record]);
      shown = now;
    },
    /** The part of the next workflow run's input that says whether the record is in the list of records that wait for a person. */
    carried: (): Pick<SyncOpportunityInput, 'isShownWaiting'> => (shown === null ? {} : { isShownWaiting: true }),
  };
}

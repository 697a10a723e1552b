import { condition, continueAsNew, setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import { isWaiting } from '../src/domain/record/link-state.ts';
import { SEARCH_ATTRIBUTES } from '../temporal.config.ts';
import { nameOf, statusWords } from './descriptions.ts';
import { isLong } from './history.ts';
import { type RecordStatus, type RecordWaitsInput, statusSignal } from './messages.ts';

/**
 * Runs as long as a record waits for a person, and does nothing else. Temporal's list of running `recordWaits` workflows thus shows the
 * waiting records. The runs of `syncOpportunity` cannot serve as this list, because completed runs keep outdated search attributes.
 */
export async function recordWaits(input: RecordWaitsInput): Promise<Pick<RecordStatus, 'state' | 'issues'>> {
  const { tenant, key } = input;
  let { crmId, vendorId, state, issues }: RecordStatus = input;
  const show = (): void => setCurrentDetails(`${nameOf(key, { crmId, vendorId })}: ${statusWords({ state, issues })}`);
  show();
  setHandler(statusSignal, (now) => {
    if (now.state !== state && isWaiting(now.state))
      upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.syncState, value: now.state }]);
    ({ crmId, vendorId, state, issues } = now);
    show();
  });
  await condition(() => !isWaiting(state) || isLong());
  if (isWaiting(state)) return continueAsNew<typeof recordWaits>({ tenant, key, crmId, vendorId, state, issues });
  return { state, issues };
}

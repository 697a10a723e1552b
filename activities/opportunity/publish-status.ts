import type { ActivityDeps, RecordStatusArgs } from '../support/deps.ts';

/** Shows a record in Temporal's list of waiting records if it waits for a person; otherwise removes it from that list. Idempotent. */
export function createPublishStatus(deps: ActivityDeps) {
  return async function publishStatus(status: RecordStatusArgs): Promise<void> {
    await deps.publishStatus(status);
  };
}

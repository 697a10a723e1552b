import type { ActivityDeps, RecordStatusArgs } from '../support/deps.ts';

/** Shows a record in Temporal's list of waiting records, or removes it. Idempotent. */
export function createPublishStatus(deps: ActivityDeps) {
  return async function publishStatus(status: RecordStatusArgs): Promise<void> {
    await deps.publishStatus(status);
  };
}

import type { ActivityDeps, RecordStatusArgs } from '../support/deps.ts';

/** Puts a record on the list of what waits for a person in Temporal, or takes it off. Repeatable. */
export function createPublishStatus(deps: ActivityDeps) {
  return async function publishStatus(status: RecordStatusArgs): Promise<void> {
    await deps.publishStatus(status);
  };
}

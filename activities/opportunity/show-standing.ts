import type { ActivityDeps, Standing } from '../support/deps.ts';

/** Puts a record on the list of what waits for a person in Temporal, or takes it off. Repeatable. */
export function createShowStanding(deps: ActivityDeps) {
  return async function showStanding(standing: Standing): Promise<void> {
    await deps.showStanding(standing);
  };
}

import { upkeep } from './proxies.ts';
import { readFailure } from './read-failure.ts';

/**
 * Runs `run`, a part of a workflow, and returns its result. If a whole operation group (requests that fail together) fails, pauses the
 * group for the tenant, starts `guardTenant` (the workflow that tests the group until it works again), and returns null.
 */
export async function outageReported<T>(tenant: string, run: () => Promise<T>): Promise<T | null> {
  try {
    return await run();
  } catch (error) {
    const failure = readFailure(error);
    if (failure.kind !== 'systemic') throw error;
    const { kind: _, isKnown: __, ...out } = failure;
    await upkeep.reportOutage({ tenant, ...out });
    return null;
  }
}

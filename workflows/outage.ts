import { upkeep } from './proxies.ts';
import { readFailure } from './read-failure.ts';

/**
 * For what a tenant's schedule runs: a systemic failure (a dead key, a revoked session) pauses the group and puts its
 * guard to work, and the run ends well; every other failure fails the run. Null stands for the run that was cut short.
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

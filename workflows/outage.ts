import { upkeep } from './proxies.ts';
import { readFailure } from './read-failure.ts';

/** Runs a schedule's work. After a systemic failure, pauses the operation group, starts the workflow that probes it, and returns null. */
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

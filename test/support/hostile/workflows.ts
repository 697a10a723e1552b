/** A workflow that runs one activity, as a normal and as a local one, and returns their results. */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../../../activities/index.ts';

/** Retries at once; gives up soon even if a failure asks for a longer wait. */
const RETRIES = {
  startToCloseTimeout: '5 seconds',
  scheduleToCloseTimeout: '8 seconds',
  retry: { maximumAttempts: 2, initialInterval: '10 milliseconds' },
} as const;

const remote = proxyActivities<Activities>(RETRIES);
const local = proxyLocalActivities<Activities>(RETRIES);

export async function observeDeal(key: string, tenant = 'acme'): Promise<readonly string[]> {
  const args = { tenant, key, vendor: 'unread' } as const;
  const result = [];
  for (const { planSync } of [remote, local]) {
    result.push(
      await planSync(args).then(
        () => 'done',
        (error: unknown) => (error as Error).name,
      ),
    );
  }
  return result;
}

/** A workflow that asks for one activity, in both ways in which workflows do, and tells what it was told. */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../../../activities/index.ts';

/** Tried again at once, and given up soon where a failure asks for a longer wait. */
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

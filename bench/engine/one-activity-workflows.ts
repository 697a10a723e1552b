/** The bundle of a workflow that does one thing: what the server and its client cost without anything of ours. */
import { proxyActivities } from '@temporalio/workflow';

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '1 minute' });

export async function oneActivity(): Promise<void> {
  await nothing();
}

/** The bundle of a workflow with one empty activity, to measure the server and its client without Lockstep's code. */
import { proxyActivities } from '@temporalio/workflow';

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '1 minute' });

export async function oneActivity(): Promise<void> {
  await nothing();
}

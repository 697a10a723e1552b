/** The workflow bundle of the heap measurement: the real workflows and an empty one. */
import { condition } from '@temporalio/workflow';

export * from '../../workflows/index.ts';

/** Waits forever. */
export async function empty(): Promise<void> {
  await condition(() => false);
}

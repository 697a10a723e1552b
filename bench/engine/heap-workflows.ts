/** The bundle of the heap measurement: the real workflows, and an empty one beside them. */
import { condition } from '@temporalio/workflow';

export * from '../../workflows/index.ts';

/** Waits for ever. */
export async function empty(): Promise<void> {
  await condition(() => false);
}

/**
 * A plain Temporal workflow for each change: reads the record on one side and writes it on the other. It has no ledger, merge or condition.
 */
import { proxyActivities } from '@temporalio/workflow';

/** A change of a vendor record that the CRM gets, or of an opportunity that the vendor gets. */
export type Change = { readonly direction: 'pull' | 'push'; readonly id: string };

export type Activities = {
  read(change: Change): Promise<Readonly<Record<string, unknown>>>;
  write(change: Change & { readonly row: Readonly<Record<string, unknown>> }): Promise<void>;
};

const { read, write } = proxyActivities<Activities>({ startToCloseTimeout: '1 minute' });

export async function carry(change: Change): Promise<void> {
  await write({ ...change, row: await read(change) });
}

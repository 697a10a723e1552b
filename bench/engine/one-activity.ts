import { join } from 'node:path';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { Stack } from '../../test/support/stack/stack.ts';

const RUNS = 600;
const AT_ONCE = 50;
const QUEUE = 'bench-one-activity';

/** How many workflows with one empty activity a worker completes per second on this server. */
export async function oneActivityWorkflows({ client, temporal }: Pick<Stack, 'client' | 'temporal'>): Promise<number> {
  const connection = await NativeConnection.connect({ address: temporal.address });
  const worker = await Worker.create({
    connection,
    taskQueue: QUEUE,
    workflowsPath: join(import.meta.dirname, 'one-activity-workflows.ts'),
    activities: { nothing: async () => undefined },
  });
  const perSecond = await worker.runUntil(async () => {
    const run = (n: number) =>
      client.workflow.execute('oneActivity', { taskQueue: QUEUE, workflowId: `bench/one/${n}` });
    await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => run(-1 - n)));
    const left = Array.from({ length: RUNS }, (_, n) => n);
    const beganMs = performance.now();
    const work = async (): Promise<void> => {
      for (let n = left.pop(); n !== undefined; n = left.pop()) await run(n);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return (RUNS * 1_000) / (performance.now() - beganMs);
  });
  await connection.close();
  return perSecond;
}

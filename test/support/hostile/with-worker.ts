import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { afterAll, beforeAll } from 'vitest';
import { createActivities } from '../../../activities/index.ts';
import type { ActivityDeps } from '../../../activities/support/deps.ts';
import { startTemporal } from '../stack/servers.ts';

export const TASK_QUEUE = 'hostile';

export type HostileWorker = {
  readonly client: Client;
  readonly worker: Worker;
  /** Rejects with the error that ends the worker. */
  readonly running: Promise<void>;
};

/**
 * A real worker on its own server for one test file; `deps` defines the dependencies of its activities. It ends after the file's last test,
 * when `release` has freed hanging requests. Call it once, at the top.
 */
export function withHostileWorker(
  deps: object,
  options: Partial<WorkerOptions>,
  release: () => Promise<unknown> = async () => {},
): () => HostileWorker {
  let open: HostileWorker | undefined;
  const endings: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    Runtime.install({ logger: new DefaultLogger('ERROR', () => {}), shutdownSignals: [] });
    const home = await mkdtemp(join(tmpdir(), 'lockstep-worker-'));
    endings.unshift(() => rm(home, { recursive: true, force: true }));
    const temporal = await startTemporal(home);
    endings.unshift(() => temporal.kill());
    const connection = await Connection.connect({ address: temporal.address });
    endings.unshift(() => connection.close());
    const native = await NativeConnection.connect({ address: temporal.address });
    endings.unshift(() => native.close().catch(() => {}));
    const worker = await Worker.create({
      connection: native,
      taskQueue: TASK_QUEUE,
      workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
      activities: createActivities(deps as ActivityDeps),
      ...options,
    });
    const running = worker.run();
    running.catch(() => {});
    endings.unshift(async () => {
      await release();
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running.catch(() => {});
    });
    open = { client: new Client({ connection }), worker, running };
  }, 180_000);
  afterAll(async () => {
    for (const end of endings) await end();
  });
  return () => {
    if (open === undefined) throw new TypeError('the worker is open only while tests run');
    return open;
  };
}

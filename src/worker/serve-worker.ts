import { createServer } from 'node:net';
import { startHealthServer } from '../platform/health-server.ts';
import { runWorker, type WorkerOptions } from './run-worker.ts';
import { installRuntime } from './telemetry.ts';

/**
 * A worker as a process of its own: the workers, and beside them /healthz, /readyz and /metrics. Once a process,
 * because the SDK's runtime is.
 */
export async function serveWorker(
  options: Omit<WorkerOptions, 'onReady'> & { readonly host: string; readonly port: number },
): Promise<void> {
  const { ledger, log } = options;
  const metrics = installRuntime(log, await freePort());
  let polling = false;
  const health = await startHealthServer({
    host: options.host,
    port: options.port,
    metrics,
    checks: {
      ledger: () => ledger.ping(),
      worker: async () => {
        if (!polling) throw new Error('not polling');
      },
    },
  });
  try {
    await runWorker({
      ...options,
      onReady: () => {
        polling = true;
      },
    });
  } finally {
    polling = false;
    await health.close();
  }
}

/** A port for the SDK's own metrics endpoint, which cannot choose one by itself. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return address !== null && typeof address === 'object' ? address.port : 0;
}

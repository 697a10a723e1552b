import type { Command } from 'commander';
import { watchShutdown } from '../../platform/shutdown.ts';
import type { CliContext } from '../context.ts';
import { DEFAULT_PORTS } from '../ports.ts';
import { openOwnLedger, ownTemporal, ownTenants } from '../runtime.ts';

const EXAMPLE = `
Example:
  LOCKSTEP_TENANTS=tenants/acme.yaml TEMPORAL_ADDRESS=temporal.example.com:7233 lockstep worker

Answers /healthz, /readyz and /metrics on LOCKSTEP_WORKER_PORT. Ends on SIGINT or SIGTERM after its running work.`;

/** `lockstep worker`: runs the workflows and activities of all tenants. */
export function addWorker(program: Command, context: CliContext): void {
  program
    .command('worker')
    .description("run the worker: all tenants' workflows and activities")
    .addHelpText('after', EXAMPLE)
    .action(async () => {
      const { serveWorker } = await import('../../worker/serve-worker.ts');
      const settings = context.settings();
      const tenants = ownTenants(context);
      const ledger = await openOwnLedger(settings);
      const shutdown = watchShutdown();
      try {
        await serveWorker({
          temporal: ownTemporal(context),
          tenants,
          ledger,
          log: context.log('worker'),
          signal: shutdown.signal,
          host: settings.host,
          port: settings.workerPort ?? DEFAULT_PORTS.worker,
        });
      } finally {
        shutdown.dispose();
        await ledger.close();
      }
    });
}

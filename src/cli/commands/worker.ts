import type { Command } from 'commander';
import type { Ledger } from '../../ledger/ledger.ts';
import { readNoticesFile } from '../../notices/read-notices-file.ts';
import { streamMetrics } from '../../operator/metrics/stream-metrics.ts';
import { tenantMetrics } from '../../operator/metrics/tenant-metrics.ts';
import { createEventLoopLag } from '../../platform/event-loop-lag.ts';
import { startHealthServer } from '../../platform/health-server.ts';
import type { ListeningServer } from '../../platform/http-listen.ts';
import type { LiveRoster } from '../../platform/live-roster.ts';
import { logCrash } from '../../platform/log-crash.ts';
import { logNodeWarnings } from '../../platform/log-node-warnings.ts';
import type { Logger } from '../../platform/logger.ts';
import { freePort, OWN_PORTS } from '../../platform/ports.ts';
import { processMetrics } from '../../platform/process-metrics.ts';
import { createSealFailures, type SealFailures } from '../../platform/seal-failures.ts';
import { watchShutdown } from '../../platform/shutdown.ts';
import type { WorkerOptions } from '../../worker/run-worker.ts';
import { LEDGER_CONNECTIONS } from '../../worker/slots.ts';
import type { CliContext } from '../context.ts';
import { notifier } from '../notifier.ts';
import { followRoster, openOwnLedger, ownTemporal, usableFiles } from '../runtime.ts';
import { openOwnTracing } from '../temporal.ts';

const EXAMPLE = `
Example:
  LOCKSTEP_TENANTS=tenants/acme.yaml TEMPORAL_ADDRESS=temporal.example.com:7233 lockstep worker

Serves /healthz, /readyz and /metrics at LOCKSTEP_OPS_HOST and LOCKSTEP_WORKER_PORT. On SIGINT or SIGTERM ends after its running work.`;

/** `lockstep worker`: runs the workflows and activities of all tenants. */
export function addWorker(program: Command, context: CliContext): void {
  program
    .command('worker')
    .addHelpText('after', EXAMPLE)
    .action(async () => {
      logCrash(context.log('worker'));
      const files = usableFiles(context);
      const notices = readNoticesFile(context.settings().noticesFile);
      const sealFailures = createSealFailures();
      const ledger = await openOwnLedger(context.settings(), {
        connections: LEDGER_CONNECTIONS,
        onSealFailure: sealFailures.count,
      });
      const shutdown = watchShutdown();
      try {
        const roster = await followRoster(context, 'worker', { files, registry: ledger });
        const { notify } = notifier(notices, { ledger, roster, log: context.log('worker') });
        await work(context, { roster, ledger, sealFailures, notify, signal: shutdown.signal });
      } finally {
        shutdown.dispose();
        await ledger.close();
      }
    });
}

type Work = {
  readonly roster: LiveRoster;
  readonly ledger: Ledger;
  readonly sealFailures: SealFailures;
  readonly notify: WorkerOptions['notify'];
  readonly signal: AbortSignal;
};

async function work(context: CliContext, { roster, ledger, sealFailures, notify, signal }: Work): Promise<void> {
  const { LANE } = await import('../../intake/lane.ts');
  const { installRuntime } = await import('../../worker/telemetry.ts');
  const { runWorker } = await import('../../worker/run-worker.ts');
  const { createWorkCounters } = await import('../../worker/work-counters.ts');
  const { createWorkerLoad } = await import('../../worker/worker-load.ts');
  const { traceRequest } = await import('../../tracing/worker-tracing.ts');
  const log = context.log('worker');
  logNodeWarnings(log);
  const metrics = installRuntime(log, await freePort());
  let askTemporal: (() => Promise<unknown>) | null = null;
  const now = (): string => new Date().toISOString();
  const tracing = await openOwnTracing(context, 'worker');
  const counters = createWorkCounters(tracing === null ? undefined : (request) => traceRequest(tracing, request));
  const ofLedger = [streamMetrics(ledger, roster.tenants, now), tenantMetrics(ledger, now)];
  const lag = createEventLoopLag();
  const ofProcess = [metrics, counters.text, processMetrics(lag), sealFailures.text];
  const parts = [...ofProcess, ...ofLedger, ...(tracing === null ? [] : [() => tracing.text()])];
  const text = async () => (await Promise.all(parts.map((part) => part()))).join('');
  const health = await serveHealth(context, log, text, {
    ledger: () => ledger.ping(),
    worker: async () => {
      if (askTemporal === null) throw new Error('the worker does not poll yet');
    },
    temporal: async () => askTemporal?.(),
  });
  try {
    const onReady = (ask: () => Promise<unknown>) => {
      askTemporal = ask;
    };
    const { workerVersion: version, usesLane } = context.settings();
    const own = { temporal: ownTemporal(context), lane: usesLane ? LANE : null, notify, load: createWorkerLoad(lag) };
    await runWorker({ ...own, roster, ledger, log, counters, version, tracing, signal, onReady });
  } finally {
    await tracing?.close();
    await health.close();
  }
}

function serveHealth(
  context: CliContext,
  log: Logger,
  metrics: () => Promise<string>,
  checks: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<ListeningServer> {
  const { opsHost: host, workerPort } = context.settings();
  return startHealthServer({ host, port: workerPort ?? OWN_PORTS.worker, metrics, checks, log });
}

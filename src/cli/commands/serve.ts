import type { Command } from 'commander';
import { createEventLoopLag } from '../../platform/event-loop-lag.ts';
import { logCrash } from '../../platform/log-crash.ts';
import { logNodeWarnings } from '../../platform/log-node-warnings.ts';
import { OWN_PORTS } from '../../platform/ports.ts';
import { processMetrics } from '../../platform/process-metrics.ts';
import { createSealFailures } from '../../platform/seal-failures.ts';
import { watchShutdown } from '../../platform/shutdown.ts';
import { untilAborted } from '../../platform/until-aborted.ts';
import type { CliContext } from '../context.ts';
import { followRoster, openOwnLedger, usableFiles } from '../runtime.ts';
import { connectTemporal, openOwnTracing } from '../temporal.ts';

const EXAMPLE = `
Example:
  LOCKSTEP_TENANTS=tenants LOCKSTEP_WEBHOOK_PORT=4030 lockstep serve

Outbound Messages go to /hooks/salesforce/{secret}, signed events to /hooks/events/{tenant}. /healthz, /readyz and /metrics
are at LOCKSTEP_OPS_HOST and LOCKSTEP_WEBHOOK_OPS_PORT, which senders need not reach.`;

/** `lockstep serve`: runs the webhook receiver. */
export function addServe(program: Command, context: CliContext): void {
  program
    .command('serve')
    .addHelpText('after', EXAMPLE)
    .action(() => serve(context));
}

async function serve(context: CliContext): Promise<void> {
  const { startWebhookServer } = await import('../../webhooks/server.ts');
  const { LANE } = await import('../../intake/lane.ts');
  const { DELIVERY_LIMITS } = await import('../../intake/delivery.ts');
  const { createIntake } = await import('../../intake/intake.ts');
  const settings = context.settings();
  const log = context.log('webhooks');
  logCrash(log);
  logNodeWarnings(log);
  const files = usableFiles(context);
  const sealFailures = createSealFailures();
  const ledger = await openOwnLedger(settings, { onSealFailure: sealFailures.count });
  const roster = await followRoster(context, 'webhooks', { files, registry: ledger });
  const tracing = await openOwnTracing(context, 'webhooks');
  const { client, connection } = await connectTemporal(context, tracing);
  const shutdown = watchShutdown();
  const server = await startWebhookServer({
    tenants: roster.tenants,
    log,
    now: () => new Date(),
    host: settings.host,
    port: settings.webhookPort ?? OWN_PORTS.webhooks,
    ops: { host: settings.opsHost, port: settings.webhookOpsPort ?? OWN_PORTS.webhookOps },
    intake: createIntake(client, ledger, { lane: settings.usesLane ? LANE : null }),
    limits: { ...DELIVERY_LIMITS, laneFrom: settings.usesLane ? LANE.from : null },
    tracing,
    metrics: [
      sealFailures.text,
      processMetrics(createEventLoopLag()),
      ...(tracing === null ? [] : [() => tracing.text()]),
    ],
  });
  log.info('the webhook receiver is ready', { address: server.url });
  const watching = roster.watch(shutdown.signal);
  await untilAborted(shutdown.signal);
  await watching;
  await server.close();
  await tracing?.close();
  await connection.close();
  await ledger.close();
  shutdown.dispose();
}

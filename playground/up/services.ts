import { appendFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { readSecret, type SecretFiles } from '../../src/cli/running/secrets.ts';
import { DEMO_PARTNER_ID } from '../../src/cli/running/simulator-defaults.ts';
import { SERVICE_ENVIRONMENT, SERVICE_FLAGS } from '../../src/platform/node-flags.ts';
import { writePrivately } from '../../src/platform/private-file.ts';
import type { Environment } from '../../src/platform/settings.ts';
import type { ChangesBy } from '../../src/platform/tenant.ts';
import type { Home } from '../home/home.ts';
import { clearLeftover } from '../postgres/leftover.ts';
import { startEmbeddedPostgres } from '../postgres/start.ts';
import { simulatorEnvironment } from '../processes/environments.ts';
import { startNodeChild } from '../processes/node-child.ts';
import type { Service } from '../processes/supervise.ts';
import { endLeftoverTemporal } from '../temporal/temporal-server.ts';
import type { Ports } from './ports.ts';

/** Settings that all services of one `up` share. */
export type Site = {
  readonly home: Home;
  /** The script of the command line, which starts every child process. */
  readonly program: string;
  readonly ports: Ports;
  /** How changes of the simulated org arrive. */
  readonly changes: ChangesBy;
  readonly env: Environment;
  readonly secrets: SecretFiles;
  readonly signal: AbortSignal;
};

const PROBE_LIMIT_MS = 2000;

/** The embedded PostgreSQL, started by this process; `started` gets its address at every start. */
export function postgresService(site: Site, started: (url: string) => void): Service {
  const logFile = join(site.home.logs, 'postgres.log');
  return {
    name: 'PostgreSQL',
    start: async () => {
      const server = await startEmbeddedPostgres({
        dataDir: postgresDir(site.home.dir),
        port: site.ports.postgres,
        log: (line) => appendFileSync(logFile, `${line}\n`, { mode: 0o600 }),
      });
      started(server.url);
      return { exited: server.exited.then(() => 'it stopped'), stop: () => server.stop() };
    },
  };
}

/** One of the two simulators; `started` gets its ready report at every start. */
export function simulatorService<T>(site: Site, which: 'vendor' | 'salesforce', started: (info: T) => void): Service {
  const name = which === 'vendor' ? 'vendor simulator' : 'Salesforce simulator';
  return {
    name,
    start: async () => {
      const child = await startNodeChild<T>({
        name,
        entry: site.program,
        args: ['simulators', which, ...simulatorArgs(site, which)],
        env: simulatorEnvironment(site.env),
        logFile: join(site.home.logs, `${which}-simulator.log`),
        signal: site.signal,
      });
      started(child.info);
      return child;
    },
  };
}

function simulatorArgs(site: Site, which: 'vendor' | 'salesforce'): readonly string[] {
  const { home, ports, secrets } = site;
  const state = ['--state', join(home.dir, `${which}-simulator.json`)];
  if (which === 'vendor') {
    const key = ['--api-key', `file:${secrets.vendorApiKey}`, '--partner-id', DEMO_PARTNER_ID];
    // A one-time run has no other users, so the simulator is strict and refuses violations.
    const strict = home.throwAway ? ['--strict'] : [];
    return ['--port', String(ports.vendor), ...state, ...key, ...strict];
  }
  const webhook = join(home.dir, 'secrets', 'webhook-url');
  writePrivately(webhook, `${webhookUrl(site)}/hooks/salesforce/${readSecret(secrets.webhookPath)}\n`);
  const signIns = ['--sign-ins', join(home.dir, 'secrets', 'salesforce-sign-ins.json')];
  const messages = site.changes === 'pubsub' ? [] : ['--webhook-url', `file:${webhook}`];
  return ['--port', String(ports.salesforce), ...state, ...signIns, ...messages, ...packageArgs(site)];
}

/**
 * The flags of an org with the CRM package and its parts for leads. Where change events are read, the org also has the package's channel,
 * with order searches beside the five objects of an org without the add-on.
 */
function packageArgs(site: Site): readonly string[] {
  const isStreamed = site.changes !== 'outbound';
  const parts = ['main', 'leads', 'leads-mapping', ...(isStreamed ? ['changes', 'order-changes'] : [])];
  const packages = parts.map((part) => join(import.meta.dirname, '..', '..', 'crm-package', part));
  const events = isStreamed ? ['--event-add-on', '--pub-sub-port', '0', '--certificate', certificateFile(site)] : [];
  return ['--package', ...packages, ...events];
}

/** The certificate of the simulated Pub/Sub API, which the connector's processes trust. */
function certificateFile({ home }: Site): string {
  return join(home.dir, 'salesforce-simulator.pem');
}

const OWN = {
  worker: { name: 'worker', log: 'worker.log', base: workerUrl },
  serve: { name: 'webhook receiver', log: 'webhooks.log', base: webhookOpsUrl },
  console: { name: 'console', log: 'console.log', base: consoleUrl },
} as const;

/** A process of the connector; ready when its `/readyz` answers 200. */
export function ownService(site: Site, which: keyof typeof OWN): Service {
  const { name, log, base } = OWN[which];
  return {
    name,
    start: () =>
      startNodeChild({
        name,
        entry: site.program,
        args: [which],
        flags: SERVICE_FLAGS,
        env: {
          ...SERVICE_ENVIRONMENT,
          ...site.env,
          ...(site.changes === 'outbound' ? {} : { NODE_EXTRA_CA_CERTS: certificateFile(site) }),
        },
        logFile: join(site.home.logs, log),
        signal: site.signal,
        isReady: () => answersOk(`${base(site)}/readyz`),
      }),
  };
}

export function webhookUrl(site: Pick<Site, 'ports'>): string {
  return `http://127.0.0.1:${site.ports.webhooks}`;
}

/** The address of the webhook receiver's health routes. */
export function webhookOpsUrl(site: Pick<Site, 'ports'>): string {
  return `http://127.0.0.1:${site.ports.webhookOps}`;
}

export function workerUrl(site: Pick<Site, 'ports'>): string {
  return `http://127.0.0.1:${site.ports.worker}`;
}

export function consoleUrl(site: Pick<Site, 'ports'>): string {
  return `http://127.0.0.1:${site.ports.console}`;
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PROBE_LIMIT_MS) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

/** Stops the servers of a killed run in this home. */
export async function endLeftovers(home: string): Promise<void> {
  await endLeftoverTemporal(temporalDbFile(home));
  await clearLeftover(await realpath(postgresDir(home)).catch(() => postgresDir(home)));
}

export function temporalDbFile(home: string): string {
  return join(home, 'temporal.db');
}

function postgresDir(home: string): string {
  return join(home, 'postgres');
}

import { join } from 'node:path';
import { consoleLink } from '../../src/cli/console-link.ts';
import { type Endpoints, removeEndpoints, writeEndpoints } from '../../src/cli/running/endpoints.ts';
import { readSecret } from '../../src/cli/running/secrets.ts';
import { migrate } from '../../src/ledger/migrations/migrate.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { osUser } from '../../src/platform/os-user.ts';
import { writePrivately } from '../../src/platform/private-file.ts';
import { createSealing, type Sealing } from '../../src/platform/sealing.ts';
import { loadSealingKeys } from '../../src/platform/sealing-key.ts';
import { readSettings } from '../../src/platform/settings.ts';
import { StartError } from '../../src/platform/start-error.ts';
import { demoTenantFile } from '../home/demo-tenant.ts';
import { programEnvironment } from '../processes/environments.ts';
import type { Service } from '../processes/supervise.ts';
import { type Supervised, supervise } from '../processes/supervise.ts';
import { temporalServer } from '../temporal/temporal-server.ts';
import type { UpPlan } from './plan-up.ts';
import {
  consoleUrl,
  ownService,
  postgresService,
  type Site,
  simulatorService,
  temporalDbFile,
  webhookOpsUrl,
  webhookUrl,
  workerUrl,
} from './services.ts';

export type Launched = {
  readonly endpoints: Endpoints;
  /** A one-time link to sign in to the console as an administrator. */
  readonly signInLink: string;
  /** Stops all services, the last started first. */
  stop(): Promise<void>;
};

type Found = { -readonly [K in 'vendor' | 'salesforce']: Endpoints[K] } & { postgresUrl: string | null };

/**
 * Starts all services of a plan: first Temporal, the database and the simulators, then worker and receiver. After a failure nothing is left
 * running. Throws an error, one sentence for a person.
 */
export async function launch(
  plan: UpPlan,
  site: Site,
  options: { readonly databaseUrl: string | null; readonly tell: (line: string) => void },
): Promise<Launched> {
  const started: Supervised[] = [];
  const stop = async () => {
    for (const one of started.splice(0).reverse()) await one.stop();
    removeEndpoints(site.home.dir);
  };
  const startAll = async (services: readonly Service[]) => {
    const results = await Promise.allSettled(services.map((service) => timed(service, options.tell)));
    for (const result of results) if (result.status === 'fulfilled') started.push(result.value);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    if (site.signal.aborted) throw new StartError('Stopped before everything was started.');
  };
  const found: Found = { vendor: null, salesforce: null, postgresUrl: options.databaseUrl };
  try {
    await startAll(foundations(plan, site, found));
    const endpoints = endpointsOf(plan, site, found);
    if (plan.tenantFiles === null) writeDemoTenant(plan.tenants, site, endpoints);
    writeEndpoints(site.home.dir, endpoints);
    await migrate(endpoints.postgres.url);
    const { sealingKeyFile } = readSettings(site.env, { cwd: process.cwd(), terminal: false });
    const [sealingKey] = await loadSealingKeys(sealingKeyFile, { create: true });
    await startAll([ownService(site, 'worker'), ownService(site, 'serve'), ownService(site, 'console')]);
    return { endpoints, signInLink: await signInLink(endpoints, createSealing(sealingKey)), stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

/** A link for the person who started everything: an administrator, who may see values. */
async function signInLink({ console, postgres }: Endpoints, sealing: Sealing): Promise<string> {
  const ledger = await openLedger({ url: postgres.url, sealing, poolSize: 1 });
  try {
    const grants = [{ tenant: '*', role: 'administrator', values: true }] as const;
    const at = new Date().toISOString();
    return (await consoleLink(ledger, { base: console.baseUrl, user: osUser().user, grants, at })).url;
  } finally {
    await ledger.close();
  }
}

function writeDemoTenant([tenant = '']: readonly string[], site: Site, endpoints: Endpoints): void {
  // A tenant file reaches what is in its tenant's own folder.
  const folder = join(site.home.dir, 'secrets', tenant);
  const put = (name: string, value: string): string => {
    writePrivately(join(folder, name), `${value}\n`);
    return join(folder, name);
  };
  const secrets = {
    vendorApiKey: put('vendor-api-key', readSecret(site.secrets.vendorApiKey)),
    webhookPath: put('webhook-path', readSecret(site.secrets.webhookPath)),
    webhookKey: put('webhook-key', readSecret(site.secrets.webhookKey)),
    clientSecret: put('salesforce-client-secret', endpoints.salesforce?.integration.clientSecret ?? ''),
  };
  for (const file of endpoints.tenants) writePrivately(file, demoTenantFile(tenant, endpoints, secrets, site.changes));
}

async function timed(service: Service, tell: (line: string) => void): Promise<Supervised> {
  const began = performance.now();
  const supervised = await supervise(service, tell);
  tell(`${service.name} ready after ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return supervised;
}

function foundations(plan: UpPlan, site: Site, found: Found): readonly Service[] {
  const services: Service[] = [
    temporalServer({
      program: plan.temporalProgram,
      port: site.ports.temporal,
      uiPort: site.ports.ui,
      dbFile: temporalDbFile(site.home.dir),
      logFile: join(site.home.logs, 'temporal.log'),
      env: programEnvironment(site.env),
      signal: site.signal,
    }),
  ];
  if (plan.embeddedPostgres)
    services.push(
      postgresService(site, (url) => {
        found.postgresUrl = url;
      }),
    );
  if (plan.simulateVendor) {
    services.push(
      simulatorService<NonNullable<Endpoints['vendor']>>(site, 'vendor', (info) => {
        found.vendor = info;
      }),
    );
  }
  if (plan.simulateSalesforce) {
    services.push(
      simulatorService<NonNullable<Endpoints['salesforce']>>(site, 'salesforce', (info) => {
        found.salesforce = info;
      }),
    );
  }
  return services;
}

function endpointsOf(plan: UpPlan, site: Site, found: Found): Endpoints {
  if (found.postgresUrl === null) throw new StartError('PostgreSQL did not report its address; start again.');
  return {
    temporal: {
      address: `127.0.0.1:${site.ports.temporal}`,
      ui: `http://127.0.0.1:${site.ports.ui}`,
    },
    vendor: found.vendor,
    salesforce: found.salesforce,
    webhooks: { baseUrl: webhookUrl(site), ops: webhookOpsUrl(site) },
    worker: { baseUrl: workerUrl(site) },
    console: { baseUrl: consoleUrl(site) },
    postgres: { url: found.postgresUrl },
    tenants: plan.tenantFiles ?? [join(site.home.dir, 'tenants', `${plan.tenants[0]}.yaml`)],
  };
}

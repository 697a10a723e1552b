import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { VendorSimulatorOptions } from 'lockstep-simulators';
import {
  type RunningVendorSimulator,
  type SalesforceSimulator,
  startSalesforceSimulator,
  startVendorSimulator,
} from 'lockstep-simulators';
import {
  CHANGES_DIR,
  LEADS_CHANGES_DIR,
  LEADS_DIR,
  LEADS_MAPPING_DIR,
  PACKAGE_DIR,
  violationsAt,
} from 'lockstep-simulators/testing';
import { stringify } from 'yaml';
import { DEMO_VALUES } from '../../../src/cli/running/simulator-defaults.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { migrate } from '../../../src/ledger/migrations/migrate.ts';
import { openLedger } from '../../../src/ledger/open.ts';
import { SERVICE_ENVIRONMENT, SERVICE_FLAGS } from '../../../src/platform/node-flags.ts';
import { freePort } from '../../../src/platform/ports.ts';
import { createSealing } from '../../../src/platform/sealing.ts';
import { loadSealingKeys } from '../../../src/platform/sealing-key.ts';
import { processEnvironment } from '../../../src/platform/settings.ts';
import { migratedDatabase, queryOnce } from '../ledger/postgres.ts';
import { until } from '../until.ts';
import { startTemporal, type TemporalServer } from './servers.ts';

export { until } from '../until.ts';

/** The complete system for end-to-end tests: servers and simulators of this test, worker and receiver as processes. */
export type Stack = {
  readonly tenant: string;
  readonly vendor: RunningVendorSimulator;
  readonly salesforce: SalesforceSimulator;
  readonly client: Client;
  readonly ledger: Ledger;
  readonly hooks: string;
  /** Health addresses of worker and receiver. */
  readonly ops: { readonly worker: string; readonly receiver: string };
  readonly databaseUrl: string;
  readonly temporal: TemporalServer;
  /**
   * Data folder of the servers, worker and receiver; with `traced` it also has `output.log`, the complete output of worker and receiver.
   */
  readonly home: string;
  /** Runs a statement without the ledger. */
  ledgerQuery(text: string): Promise<readonly Record<string, unknown>[]>;
  startWorker(): Promise<Child>;
  /** Starts one more worker with additional environment variables. */
  startAnotherWorker(env: Readonly<Record<string, string>>): Promise<Child>;
  startReceiver(): Promise<Child>;
  /** Starts one more receiver at this port. */
  startAnotherReceiver(port: number): Promise<Child>;
  /** The webhook path of the org's messages. */
  readonly hookPath: string;
  /** Runs a command to its end. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Stops everything. Throws if the vendor got a request that its documents forbid. */
  stop(): Promise<void>;
};

/** Exit code and complete output. */
export type Ended = { readonly code: number; readonly output: string };

export type Child = {
  readonly pid: number;
  /** The inspector's address, with `StackOptions.inspected`. */
  readonly inspector: string | null;
  /** Whether it runs; false also after it ended without a call. */
  isUp(): boolean;
  /** SIGKILL: no time to clean up. */
  kill(): Promise<void>;
  /** Sends SIGTERM and waits for the end. */
  end(): Promise<void>;
};

const MAIN = join(import.meta.dirname, '../../../playground/main.ts');
const TENANT = 'acme';
const TENANTS = 'tenants';
/** The output limit of a command; the default of a megabyte is too small for a command that prints many thousand records. */
const MOST_OUTPUT = 1_073_741_824;
const HOOK_SECRET = 'e2e-hook-path-0123456789abcdef0123456789abcdef';

export type StackOptions = {
  readonly pollEvery?: string;
  readonly sweepEvery?: string;
  /** The content of the tenant's mapping file; absent: the default mapping. */
  readonly mapping?: object;
  /** How changes of the CRM arrive; absent: by messages. */
  readonly changes?: 'pubsub' | 'both' | undefined;
  /** The test's own PostgreSQL; absent: a new database of the shared one. */
  readonly databaseUrl?: string;
  /** The org has the package's part for leads; the tenant file says itself that leads are synced. */
  readonly leads?: true;
  /** Changes the tenant file before it is written. */
  readonly adapt?: (file: TenantFile) => object;
  /** Options of the vendor simulator that differ from the default. */
  readonly vendor?: VendorSimulatorOptions;
  /** Makes a second tenant of the same worker and receiver from the file of the first. */
  readonly neighbour?: (file: TenantFile) => TenantFile;
  /** Environment of all processes, in addition to their settings. */
  readonly env?: Readonly<Record<string, string>>;
  /** Makes worker and receiver log everything into a file. */
  readonly traced?: boolean;
  /** Enables the inspector of worker and receiver. */
  readonly inspected?: boolean;
  /** The program of worker and receiver; absent: that of the checkout. */
  readonly program?: string;
};

/** Starts Temporal, PostgreSQL and both simulators; the test starts worker and receiver. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const home = await mkdtemp(join(tmpdir(), 'lockstep-e2e-'));
  const databaseUrl = options.databaseUrl ?? (await migratedDatabase());
  if (options.databaseUrl !== undefined) await migrate(databaseUrl);
  const temporal = await startTemporal(home);
  const vendor = await startVendorSimulator({
    ...{ apiKey: 'e2e-vendor-key', seed: 'demo', strict: true },
    ...options.vendor,
  });
  const { hooks, ops, portsOfEnvironment } = await chooseAddresses();
  const hookPath = `/hooks/salesforce/${HOOK_SECRET}`;
  const { salesforce, trust } = await startOrg(home, hooks + hookPath, options);
  const privateKey = salesforce.integration.privateKey ?? '';
  await writeTenants(join(home, TENANTS), tenantFile(vendor, salesforce, options), privateKey, options);
  const env = {
    ...environmentOf(home, databaseUrl, temporal.address, options),
    ...portsOfEnvironment,
    ...{ ...trust, E2E_VENDOR_KEY: vendor.apiKey, E2E_HOOK_PATH: HOOK_SECRET },
    E2E_NEIGHBOUR_PATH: `neighbour-of-${HOOK_SECRET}`,
  };
  const connection = await Connection.connect({ address: temporal.address });
  const [key] = await loadSealingKeys(join(home, 'sealing.key'), { create: true });
  const ledger = await openLedger({ url: databaseUrl, sealing: createSealing(key) });
  const { children, start } = startsOf(home, env, options);
  return {
    tenant: TENANT,
    client: new Client({ connection }),
    ...{ vendor, salesforce, ledger, hooks, ops, databaseUrl, temporal, home },
    run: (args, more) => runOnce(args, { ...env, ...more }),
    ledgerQuery: (text) => queryOnce(databaseUrl, text),
    startWorker: () => start('worker', ops.worker),
    startAnotherWorker: async (more) => {
      const port = String(await freePort());
      return start('worker', `http://127.0.0.1:${port}`, { ...more, LOCKSTEP_WORKER_PORT: port });
    },
    startReceiver: () => start('serve', ops.receiver),
    startAnotherReceiver: async (hookPort) => {
      const port = String(await freePort());
      const ports = { LOCKSTEP_WEBHOOK_PORT: String(hookPort), LOCKSTEP_WEBHOOK_OPS_PORT: port };
      return start('serve', `http://127.0.0.1:${port}`, ports);
    },
    hookPath,
    stop: () => endAll(children, vendor, [ledger, connection, vendor, salesforce], temporal, home),
  };
}

/** The org, and what makes a process trust the certificate of its Pub/Sub API. */
async function startOrg(home: string, webhookUrl: string, { changes, leads }: StackOptions) {
  const ofLeads = leads === undefined ? [] : [LEADS_DIR, LEADS_MAPPING_DIR];
  const ofChanges = changes === undefined ? [] : [CHANGES_DIR, ...(leads === undefined ? [] : [LEADS_CHANGES_DIR])];
  const packageDirs = [PACKAGE_DIR, ...ofLeads, ...ofChanges];
  // Leads are the sixth object of the channel.
  const eventAddOn = changes !== undefined && leads !== undefined;
  const salesforce = await startSalesforceSimulator({ seed: 'demo', webhookUrl, packageDirs, eventAddOn });
  if (salesforce.certificate === null) return { salesforce, trust: {} };
  const certificates = join(home, 'salesforce.pem');
  await writeFile(certificates, salesforce.certificate);
  return { salesforce, trust: { NODE_EXTRA_CA_CERTS: certificates } };
}

/** Functions that start worker and receiver with a given health address, and the started processes. */
function startsOf(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
  { traced, inspected, program = MAIN }: StackOptions,
) {
  const children = new Set<Child>();
  const start = async (verb: string, at: string, more: Readonly<Record<string, string>> = {}) => {
    const output = traced === true ? join(home, 'output.log') : null;
    const inspectorPort = inspected === true ? await freePort() : null;
    const result = { program, readyUrl: `${at}/readyz`, output, inspectorPort };
    const child = await startChild(verb, { ...env, ...more }, result);
    children.add(child);
    return child;
  };
  return { children, start };
}

/** Chooses the addresses of worker and receiver, and the variables that set them. */
async function chooseAddresses() {
  const [hookPort, hookOpsPort, workerPort] = [await freePort(), await freePort(), await freePort()];
  const at = (port: number): string => `http://127.0.0.1:${port}`;
  return {
    hooks: at(hookPort),
    ops: { worker: at(workerPort), receiver: at(hookOpsPort) },
    portsOfEnvironment: {
      LOCKSTEP_WEBHOOK_PORT: String(hookPort),
      LOCKSTEP_WEBHOOK_OPS_PORT: String(hookOpsPort),
      LOCKSTEP_WORKER_PORT: String(workerPort),
    },
  };
}

function environmentOf(
  home: string,
  databaseUrl: string,
  temporalAddress: string,
  { traced = false, env }: StackOptions,
) {
  return {
    ...processEnvironment(),
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    LOCKSTEP_HOME: home,
    LOCKSTEP_TENANTS: join(home, TENANTS),
    LOCKSTEP_TENANT_ENV: 'E2E_*',
    LOCKSTEP_LOG_LEVEL: traced ? 'trace' : 'warn',
    ...env,
  };
}

async function writeTenants(
  folder: string,
  file: TenantFile,
  privateKey: string,
  { adapt, neighbour, mapping }: StackOptions,
): Promise<void> {
  const write = async ({ tenant }: { readonly tenant: string }, content: object): Promise<void> => {
    await mkdir(join(folder, tenant), { recursive: true });
    await writeFile(join(folder, tenant, 'key.pem'), privateKey, { mode: 0o600 });
    const text = stringify(content).replace(`file:${TENANT}/`, `file:${tenant}/`);
    await writeFile(join(folder, `${tenant}.yaml`), text);
  };
  const adapted = adapt?.(file) ?? file;
  await write(file, mapping === undefined ? adapted : { ...adapted, mapping: `${TENANT}/mapping.json` });
  if (mapping !== undefined) await writeFile(join(folder, TENANT, 'mapping.json'), JSON.stringify(mapping));
  const second = neighbour?.({ ...file, webhooks: { path: 'env:E2E_NEIGHBOUR_PATH', keys: [] } });
  if (second !== undefined) await write(second, second);
}

/** Stops everything in an order in which nothing waits for a stopped process. */
async function endAll(
  children: Iterable<Child>,
  vendor: RunningVendorSimulator,
  remotes: readonly { close(): Promise<void> }[],
  temporal: TemporalServer,
  home: string,
): Promise<void> {
  await Promise.all([...children].map((child) => child.end()));
  const violations = await violationsAt(vendor.adminUrl);
  for (const remote of remotes) await remote.close();
  await temporal.kill();
  await rm(home, { recursive: true, force: true });
  if (violations.length > 0) throw new Error(violations.join('\n'));
}

export type TenantFile = ReturnType<typeof tenantFile>;

function tenantFile(
  vendor: RunningVendorSimulator,
  salesforce: SalesforceSimulator,
  { pollEvery = '2s', sweepEvery = '30s', changes }: StackOptions,
) {
  return {
    tenant: TENANT,
    vendor: {
      baseUrl: vendor.url,
      apiKey: 'env:E2E_VENDOR_KEY',
      partnerId: vendor.partnerId,
      poll: { every: pollEvery, overlap: '5m' },
      ratePerSecond: 50,
      values: DEMO_VALUES,
    },
    salesforce: {
      loginUrl: salesforce.loginUrl,
      apiVersion: '67.0',
      organizationId: salesforce.organizationId,
      auth: {
        flow: 'jwt',
        clientId: salesforce.integration.clientId,
        username: salesforce.integration.username,
        privateKey: `file:${TENANT}/key.pem`,
      },
      sweep: { every: sweepEvery, overlap: '15m' },
      ...(changes !== undefined && { changes, pubSub: { endpoint: salesforce.pubSubEndpoint ?? '' } }),
    },
    webhooks: { path: 'env:E2E_HOOK_PATH', keys: [] },
    currency: 'EUR',
  };
}

type ChildOptions = {
  readonly program: string;
  readonly readyUrl: string;
  /** The file of its output; null: this process's output. */
  readonly output: string | null;
  readonly inspectorPort: number | null;
};

async function startChild(
  verb: string,
  env: Readonly<Record<string, string | undefined>>,
  { program, readyUrl, output: file, inspectorPort }: ChildOptions,
): Promise<Child> {
  const output = file === null ? 'inherit' : openSync(file, 'a');
  const inspector = inspectorPort === null ? null : `127.0.0.1:${inspectorPort}`;
  const inspect = inspector === null ? [] : [`--inspect=${inspector}`];
  const args = [...SERVICE_FLAGS, ...inspect, program, verb];
  const child = spawn(process.execPath, args, {
    env: { ...SERVICE_ENVIRONMENT, ...env },
    stdio: ['ignore', output, output, 'ipc'],
  });
  if (output !== 'inherit') closeSync(output);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const isUp = (): boolean => child.exitCode === null && child.signalCode === null;
  const send = async (signal: NodeJS.Signals): Promise<void> => {
    if (isUp()) child.kill(signal);
    await ended;
  };
  await until(
    `${verb} is ready`,
    async () =>
      (await fetch(readyUrl).then(
        (answer) => answer.ok,
        () => false,
      )) || child.exitCode !== null,
    60_000,
  );
  if (child.exitCode !== null) throw new Error(`${verb} ended with ${child.exitCode} before it was ready`);
  return {
    pid: child.pid ?? 0,
    inspector: inspector === null ? null : `http://${inspector}`,
    ...{ isUp, kill: () => send('SIGKILL'), end: () => send('SIGTERM') },
  };
}

function runOnce(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { env, maxBuffer: MOST_OUTPUT };
    const child = execFile(process.execPath, [MAIN, ...args], options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

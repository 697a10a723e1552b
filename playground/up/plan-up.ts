import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { generatedSecret } from '../../src/platform/secret.ts';
import type { Environment, Settings } from '../../src/platform/settings.ts';
import { StartError } from '../../src/platform/start-error.ts';
import type { ChangesBy } from '../../src/platform/tenant.ts';
import type { SimulatorDefaults } from '../../src/platform/tenant-file.ts';
import { loadTenants, tenantFiles } from '../../src/platform/tenant-file.ts';
import type { PortName } from './ports.ts';

/** The services that `up` has to start, decided before any of them starts. */
export type UpPlan = {
  readonly tenants: readonly string[];
  /** The user's files; null for the demo tenant, whose file is generated. */
  readonly tenantFiles: readonly string[] | null;
  readonly simulateVendor: boolean;
  readonly simulateSalesforce: boolean;
  readonly embeddedPostgres: boolean;
  readonly temporalProgram: string;
};

const DEMO_TENANT = 'demo';

/** Reads and checks the given tenant files. Throws with every problem. */
export function planUp(
  settings: Settings,
  env: Environment,
  options: {
    readonly cwd: string;
    readonly tenantPaths: readonly string[];
    readonly once: boolean;
    readonly changes?: ChangesBy;
  },
): UpPlan {
  if (settings.temporalCli === null) {
    throw new StartError('The Temporal CLI is not there: run "npm start", which gets it, or set TEMPORAL_CLI.');
  }
  const common = {
    embeddedPostgres: settings.databaseUrl === null,
    temporalProgram: settings.temporalCli,
  };
  if (options.tenantPaths.length === 0) {
    // An external database may have records of an earlier run, so a one-time run gets a tenant name of its own.
    const tenant = options.once && settings.databaseUrl !== null ? `${DEMO_TENANT}-${process.pid}` : DEMO_TENANT;
    return {
      ...common,
      tenants: [tenant],
      tenantFiles: null,
      simulateVendor: true,
      simulateSalesforce: true,
    };
  }
  if ((options.changes ?? 'outbound') !== 'outbound')
    throw new StartError('--changes is for the demo tenant; a tenant file says it by salesforce.changes.');
  const files = tenantFiles(options.tenantPaths.map((path) => resolve(options.cwd, path)));
  const tenants = loadTenants(files, { env, simulators: PLACEHOLDERS, secrets: settings.tenantSecrets });
  const leavesOut = (section: string) => files.some((file) => !topLevelKeys(file).has(section));
  return {
    ...common,
    tenants: tenants.map(({ tenant }) => tenant),
    tenantFiles: files,
    simulateVendor: leavesOut('vendor'),
    simulateSalesforce: leavesOut('salesforce'),
  };
}

/** The ports that a plan opens. */
export function portsOf(plan: UpPlan): readonly PortName[] {
  return [
    'temporal',
    'ui',
    'webhooks',
    'webhookOps',
    'worker',
    'console',
    ...(plan.simulateVendor ? (['vendor'] as const) : []),
    ...(plan.simulateSalesforce ? (['salesforce'] as const) : []),
    ...(plan.embeddedPostgres ? (['postgres'] as const) : []),
  ];
}

function topLevelKeys(file: string): ReadonlySet<string> {
  const content: unknown = parseDocument(readFileSync(file, 'utf8')).toJS();
  return new Set(typeof content === 'object' && content !== null ? Object.keys(content) : []);
}

/** Placeholders for the simulators, to check a file before they run. */
const PLACEHOLDERS: SimulatorDefaults = {
  vendor: { baseUrl: 'http://127.0.0.1:1', apiKey: generatedSecret('unused'), partnerId: 'unused' },
  salesforce: {
    loginUrl: 'http://127.0.0.1:1',
    organizationId: null,
    auth: { flow: 'client-credentials', clientId: 'unused', clientSecret: generatedSecret('unused') },
    currency: 'EUR',
  },
};

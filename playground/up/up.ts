import { readFileSync } from 'node:fs';
import { ensureSecrets } from '../../src/cli/running/secrets.ts';
import type { Environment, Settings } from '../../src/platform/settings.ts';
import { watchShutdown } from '../../src/platform/shutdown.ts';
import { StartError } from '../../src/platform/start-error.ts';
import type { ChangesBy } from '../../src/platform/tenant.ts';
import { untilAborted } from '../../src/platform/until-aborted.ts';
import type { Outcome } from '../demo/outcome.ts';
import { runDemo } from '../demo/run-demo.ts';
import { closeHome, openHome, openThrowAwayHome } from '../home/home.ts';
import { serviceEnvironment } from '../processes/environments.ts';
import { triggerStream } from '../temporal/trigger-stream.ts';
import { addressTable } from './address-table.ts';
import { type Launched, launch } from './launch.ts';
import { planUp, portsOf, type UpPlan } from './plan-up.ts';
import { freePorts, type Ports, requireFree } from './ports.ts';
import { endLeftovers, type Site } from './services.ts';
import { stopRequests } from './stop-requests.ts';

export type UpOptions = {
  /** Run the demo on free ports in a temporary home, and stop. */
  readonly once: boolean;
  /** Delete all state first. */
  readonly fresh: boolean;
  /** Tenant files, and folders of them, that name real systems in place of the simulators. */
  readonly tenantPaths: readonly string[];
  /** How changes of the simulated org arrive. */
  readonly changes: ChangesBy;
  /** The ports of a permanent run. */
  readonly ports: Ports;
  /** The script of the command line, which starts every child process. */
  readonly program: string;
  readonly settings: Settings;
  readonly env: Environment;
  readonly cwd: string;
  /** Prints one line for the user. */
  readonly print: (line: string) => void;
  /** Logs one line of progress. */
  readonly tell: (line: string) => void;
};

/**
 * Starts all services on this machine, runs the demo, and stays until a stop request. Returns the outcome of the demo if `once`, otherwise
 * null. Throws an error, one sentence for a person.
 */
export async function up(options: UpOptions): Promise<Outcome | null> {
  const { once, fresh, settings, tell } = options;
  const plan = planUp(settings, options.env, options);
  const home = once ? openThrowAwayHome(settings.home) : openHome(settings.home, fresh);
  const shutdown = watchShutdown(stopRequests(process, () => performance.now()));
  let succeeded = false;
  try {
    const ports = once ? await freePorts() : options.ports;
    const site: Site = {
      home,
      program: options.program,
      ports,
      changes: options.changes,
      env: childEnvironment(options.env, plan, home.dir, ports),
      secrets: ensureSecrets(home.dir),
      signal: shutdown.signal,
    };
    // Servers left by a killed run occupy the ports that are needed next.
    await endLeftovers(home.dir);
    if (!once) await requireFree(ports, portsOf(plan));
    const databaseUrl = settings.databaseUrl?.reveal() ?? null;
    const launched = await launch(plan, site, { databaseUrl, tell });
    const outcome = await demonstrate(options, { plan, site, launched });
    succeeded = !once || outcome?.converged === true;
    return outcome;
  } finally {
    shutdown.dispose();
    closeHome(home, succeeded);
  }
}

type Run = { readonly plan: UpPlan; readonly site: Site; readonly launched: Launched };

/** Prints the addresses, runs the demo, stays unless `once`, and stops everything. */
async function demonstrate({ once, print, tell }: UpOptions, { plan, site, launched }: Run): Promise<Outcome | null> {
  const { signal } = site;
  try {
    print('\nLockstep is running.\n');
    for (const line of addressTable(launched.endpoints, plan.tenants, site.home)) print(line);
    print(`  ${'Sign in once'.padEnd(22)}${launched.signInLink}`);
    print('');
    const { endpoints } = launched;
    const [tenant = ''] = plan.tenants;
    const refreshCatalog = () => triggerStream(endpoints.temporal.address, tenant, 'refreshCatalog');
    const outcome = await runDemo(endpoints, { print, signal, today: new Date(), refreshCatalog });
    if (!once && !signal.aborted) {
      print('\nPlay with it; Ctrl-C stops everything.');
      await untilAborted(signal);
    }
    tell('stopping');
    await launched.stop();
    tell('stopped');
    if (!once) return null;
    if (outcome === null) throw new StartError('There was nothing to show: --once needs both simulators.');
    return outcome;
  } finally {
    await launched.stop();
  }
}

/** The environment of worker and receiver. Generated secrets are passed through files in the home. */
function childEnvironment(env: Environment, plan: UpPlan, home: string, ports: Ports): Environment {
  return {
    ...serviceEnvironment(env, (plan.tenantFiles ?? []).map((file) => readFileSync(file, 'utf8')).join('\n')),
    LOCKSTEP_HOME: home,
    LOCKSTEP_TENANTS: (plan.tenantFiles ?? []).join(','),
    LOCKSTEP_HOST: '127.0.0.1',
    LOCKSTEP_OPS_HOST: '127.0.0.1',
    LOCKSTEP_WEBHOOK_PORT: String(ports.webhooks),
    LOCKSTEP_WEBHOOK_OPS_PORT: String(ports.webhookOps),
    LOCKSTEP_WORKER_PORT: String(ports.worker),
    LOCKSTEP_CONSOLE_PORT: String(ports.console),
    LOCKSTEP_CONSOLE: '',
    TEMPORAL_ADDRESS: `127.0.0.1:${ports.temporal}`,
    TEMPORAL_NAMESPACE: 'default',
  };
}

import { readFileSync } from 'node:fs';
import { freePorts, type Ports, requireFree } from '../../platform/ports.ts';
import type { Environment, Settings } from '../../platform/settings.ts';
import { watchShutdown } from '../../platform/shutdown.ts';
import { StartError } from '../../platform/start-error.ts';
import { untilAborted } from '../../platform/until-aborted.ts';
import type { Outcome } from '../demo/outcome.ts';
import { runDemo } from '../demo/run-demo.ts';
import { closeHome, openHome, openThrowAwayHome } from '../home/home.ts';
import { ensureSecrets } from '../home/secrets.ts';
import { serviceEnvironment } from '../processes/environments.ts';
import { triggerStream } from '../temporal/trigger-stream.ts';
import { addressTable } from './address-table.ts';
import { type Launched, launch } from './launch.ts';
import { planUp, portsOf, type UpPlan } from './plan-up.ts';
import { endLeftovers, type Site } from './services.ts';
import { stopRequests } from './stop-requests.ts';

export type UpOptions = {
  /** Run the demonstration on free ports, in a home of its own, and stop. */
  readonly once: boolean;
  /** Forget all state first. */
  readonly fresh: boolean;
  /** Use the systems named in these tenant files, and folders of them, in place of the simulators. */
  readonly tenantPaths: readonly string[];
  /** The ports of a run that is not `once`. */
  readonly ports: Ports;
  /** The file of the command line, which every process of ours is started with. */
  readonly program: string;
  readonly settings: Settings;
  readonly env: Environment;
  readonly cwd: string;
  /** One line for whoever watches. */
  readonly print: (line: string) => void;
  /** One line about what goes on. */
  readonly tell: (line: string) => void;
};

/**
 * Starts everything on this machine, shows the main job being done, and stays until it is told to stop. The outcome of the
 * demonstration in a run that is `once`; else null. Throws one sentence.
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
      env: childEnvironment(options.env, plan, home.dir, ports),
      secrets: ensureSecrets(home.dir),
      signal: shutdown.signal,
    };
    // What a killed run left behind holds the ports that are asked for next.
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

/** Shows the addresses and the demonstration, stays unless the run is `once`, and stops everything. */
async function demonstrate(
  { once, print, tell }: UpOptions,
  { plan, site, launched }: Run,
): Promise<Outcome | null> {
  const { signal } = site;
  try {
    print('\nLockstep is running.\n');
    for (const line of addressTable(launched.endpoints, plan.tenants, site.home)) print(line);
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

/** What worker and receiver are told; secrets of our own making go through files in the home. */
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
    TEMPORAL_ADDRESS: `127.0.0.1:${ports.temporal}`,
    TEMPORAL_NAMESPACE: 'default',
  };
}

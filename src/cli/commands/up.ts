import type { Command } from 'commander';
import { runDemo } from '../../dev/demo/run-demo.ts';
import { closeHome, openHome, openThrowAwayHome } from '../../dev/up/home.ts';
import { type Launched, launch } from '../../dev/up/launch.ts';
import { planUp, portsOf, type UpPlan } from '../../dev/up/plan-up.ts';
import { ensureSecrets } from '../../dev/up/secrets.ts';
import { endLeftovers, type Site } from '../../dev/up/services.ts';
import { stopRequests } from '../../dev/up/stop-requests.ts';
import { addressTable } from '../../dev/up/table.ts';
import type { Settings } from '../../platform/settings.ts';
import { watchShutdown } from '../../platform/shutdown.ts';
import type { CliContext } from '../context.ts';
import { CliError, EXIT } from '../exit.ts';
import { DEFAULT_PORTS, freePorts, PORT_NAMES, PORT_TEXTS, type Ports, requireFree } from '../ports.ts';
import { untilAborted } from '../until-aborted.ts';
import { parsePort } from './simulators.ts';

const EXAMPLE = `
Examples:
  npm start                                  everything, on fixed ports, until Ctrl-C
  npm start -- --once                        the same on free ports, then stop; exit 0 when both sides agree
  npm start -- --fresh                       forget all state first
  npm start -- --tenant tenants/acme.yaml    real systems in place of the simulators`;

type Options = { readonly once?: true; readonly fresh?: true; readonly tenant?: string } & Readonly<
  Record<string, unknown>
>;

/** `lockstep up`: starts everything on this machine and shows the main job being done. */
export function addUp(program: Command, context: CliContext): void {
  const command = program
    .command('up')
    .description('start everything on this machine and show the main job being done (npm start)')
    .option('--once', 'run the demonstration on free ports and stop; the last line of stdout is JSON')
    .option('--fresh', 'begin anew: forget all state (programs that were downloaded stay)')
    .option('--tenant <file>', 'use the systems named in this tenant file in place of the simulators');
  for (const name of PORT_NAMES) {
    const { what, flag } = PORT_TEXTS[name];
    command.option(`${flag} <port>`, `port of the ${what} (default ${DEFAULT_PORTS[name]})`, parsePort);
  }
  command.addHelpText('after', EXAMPLE).action((options: Options) => up(context, options));
}

async function up(context: CliContext, options: Options): Promise<void> {
  const settings = context.settings();
  const once = options.once === true;
  const plan = planUp(settings, context.env, { cwd: context.cwd, tenantFile: options.tenant ?? null, once });
  const home = once ? openThrowAwayHome(settings.home) : openHome(settings.home, options.fresh === true);
  const shutdown = watchShutdown(stopRequests(process, () => performance.now()));
  let succeeded = false;
  try {
    const ports = once ? await freePorts() : chosenPorts(settings, options);
    const site: Site = {
      home,
      ports,
      env: childEnvironment(context, plan, home.dir, ports),
      secrets: ensureSecrets(home.dir),
      signal: shutdown.signal,
    };
    // What a killed run left behind holds the ports that are asked for next.
    await endLeftovers(home.dir);
    if (!once) await requireFree(ports, portsOf(plan));
    const databaseUrl = settings.databaseUrl?.reveal() ?? null;
    const launched = await launch(plan, site, { databaseUrl, tell: context.tell });
    succeeded = await run(context, { plan, site, launched, once });
  } finally {
    shutdown.dispose();
    closeHome(home, succeeded);
  }
}

type Run = {
  readonly plan: UpPlan;
  readonly site: Site;
  readonly launched: Launched;
  readonly once: boolean;
};

/** Shows the addresses and the story, then stays until it is told to stop. True when the run did what it should. */
async function run(context: CliContext, { plan, site, launched, once }: Run): Promise<boolean> {
  const { signal } = site;
  try {
    context.print('\nLockstep is running.\n');
    for (const line of addressTable(launched.endpoints, plan.tenant, site.home)) context.print(line);
    context.print('');
    const outcome = await runDemo(launched.endpoints, { print: context.print, signal, today: new Date() });
    const isStopped = signal.aborted;
    if (!once && !isStopped) {
      context.print('\nPlay with it; Ctrl-C stops everything.');
      await untilAborted(signal);
    }
    context.tell('stopping');
    await launched.stop();
    context.tell('stopped');
    if (!once) return true;
    if (outcome === null) throw new CliError('There was nothing to show: --once needs both simulators.');
    context.print(JSON.stringify(outcome));
    if (!outcome.converged) context.exitCode = EXIT.failed;
    return outcome.converged;
  } finally {
    await launched.stop();
  }
}

/** Flags first, then the environment, then the defaults. */
function chosenPorts(settings: Settings, options: Options): Ports {
  const fromEnvironment: Partial<Ports> = {
    ...(settings.webhookPort !== null && { webhooks: settings.webhookPort }),
    ...(settings.workerPort !== null && { worker: settings.workerPort }),
  };
  const fromFlags = PORT_NAMES.flatMap((name) => {
    const value = options[flagKey(PORT_TEXTS[name].flag)];
    return typeof value === 'number' ? [[name, value] as const] : [];
  });
  return { ...DEFAULT_PORTS, ...fromEnvironment, ...Object.fromEntries(fromFlags) };
}

/** `--webhook-port` is the option `webhookPort`. */
function flagKey(flag: string): string {
  return flag.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** What our child processes are told; secrets go through files in the home. */
function childEnvironment(context: CliContext, plan: UpPlan, home: string, ports: Ports): Site['env'] {
  return {
    ...context.env,
    LOCKSTEP_HOME: home,
    LOCKSTEP_TENANTS: plan.tenantFile ?? '',
    LOCKSTEP_HOST: '127.0.0.1',
    LOCKSTEP_WEBHOOK_PORT: String(ports.webhooks),
    LOCKSTEP_WORKER_PORT: String(ports.worker),
    TEMPORAL_ADDRESS: `127.0.0.1:${ports.temporal}`,
    TEMPORAL_NAMESPACE: 'default',
  };
}

import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { CliContext } from '../../src/cli/context.ts';
import { EXIT } from '../../src/cli/exit.ts';
import type { Settings } from '../../src/platform/settings.ts';
import type { ChangesBy } from '../../src/platform/tenant.ts';
import { parsePort } from '../simulators/flags.ts';
import { choosePorts } from '../up/choose-ports.ts';
import { DEFAULT_PORTS, PORT_NAMES, PORT_TEXTS, type Ports } from '../up/ports.ts';
import { up } from '../up/up.ts';

const MAIN = join(import.meta.dirname, '..', 'main.ts');

const EXAMPLE = `
Examples:
  npm start                                  everything, on fixed ports, until Ctrl-C
  npm start -- --once                        the same on free ports, then stop; exit 0 when both sides agree
  npm start -- --free-ports                  on free ports, beside whatever else runs here
  npm start -- --fresh                       forget all state first
  npm start -- --changes pubsub              change events in place of Outbound Messages
  npm start -- --tenant tenants/acme.yaml    real systems in place of the simulators
  npm start -- --tenant tenants              all tenants of a folder; --tenant may be repeated`;

type Options = {
  readonly once?: true;
  readonly fresh?: true;
  readonly freePorts?: true;
  readonly tenant?: string[];
  readonly changes: ChangesBy;
} & Readonly<Record<string, unknown>>;

/** `lockstep up`: starts all services on this machine and runs the demo. */
export function addUp(program: Command, context: CliContext): void {
  const command = program
    .command('up')
    .option('--once', 'run the demonstration on free ports and stop; the last line of stdout is JSON')
    .option('--free-ports', 'use free ports, except those that a flag names')
    .option('--fresh', 'start afresh: delete all state (downloaded programs stay)')
    .addOption(
      new Option('--changes <way>', 'how changes of the simulated org arrive, as salesforce.changes of a tenant file')
        .choices(['outbound', 'pubsub', 'both'])
        .default('outbound'),
    )
    .option(
      '--tenant <path...>',
      'use the systems named in these tenant files, or folders of them, in place of the simulators',
    );
  for (const name of PORT_NAMES) {
    const { what, flag } = PORT_TEXTS[name];
    command.option(`${flag} <port>`, `port of the ${what} (default ${DEFAULT_PORTS[name]})`, parsePort);
  }
  command.addHelpText('after', EXAMPLE).action(async (options: Options) => {
    const { env, cwd, print, tell } = context;
    const settings = context.settings();
    const outcome = await up({
      once: options.once === true,
      fresh: options.fresh === true,
      tenantPaths: options.tenant ?? [],
      changes: options.changes,
      ports: await choosePorts({
        free: options.freePorts === true,
        fromFlags: portsOfFlags(options),
        fromEnvironment: portsOfSettings(settings),
      }),
      program: MAIN,
      settings,
      env,
      cwd,
      print,
      tell,
    });
    if (outcome === null) return;
    print(JSON.stringify(outcome));
    if (!outcome.converged) context.exitCode = EXIT.failed;
  });
}

function portsOfSettings(settings: Settings): Partial<Ports> {
  return {
    ...(settings.webhookPort !== null && { webhooks: settings.webhookPort }),
    ...(settings.webhookOpsPort !== null && { webhookOps: settings.webhookOpsPort }),
    ...(settings.workerPort !== null && { worker: settings.workerPort }),
    ...(settings.consolePort !== null && { console: settings.consolePort }),
  };
}

function portsOfFlags(options: Options): Partial<Ports> {
  const given = PORT_NAMES.flatMap((name) => {
    const value = options[flagKey(PORT_TEXTS[name].flag)];
    return typeof value === 'number' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(given);
}

/** The option name of a flag: `webhookPort` for `--webhook-port`. */
function flagKey(flag: string): string {
  return flag.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

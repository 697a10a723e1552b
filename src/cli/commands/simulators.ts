import { readFileSync } from 'node:fs';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { reportReady } from '../../dev/processes/child-report.ts';
import { DEFAULT_PORTS } from '../../platform/ports.ts';
import { writePrivately } from '../../platform/private-file.ts';
import { isSecretReference, resolveSecret } from '../../platform/secret.ts';
import { watchShutdown } from '../../platform/shutdown.ts';
import { untilAborted } from '../../platform/until-aborted.ts';
import type { SalesforceSimulatorOptions } from '../../simulators/salesforce/start.ts';
import type { CliContext } from '../context.ts';

const EXAMPLE = `
Example:
  lockstep simulators vendor --port 4010 --patch-arrays merge

  lockstep simulators vendor --orders 100000 --rotation overlap --pace 2

The vendor simulator shows its API at /reference and describes it at /openapi.json; both answer /healthz, /readyz and
/metrics. A state file that has data stands in for --seed and --orders.
Without a name both run, on ports ${DEFAULT_PORTS.vendor} and ${DEFAULT_PORTS.salesforce}. A secret may be given as env:NAME or file:PATH.`;

type Which = 'vendor' | 'salesforce';

type Options = {
  readonly port?: number;
  readonly state?: string;
  readonly seed?: string;
  readonly apiKey?: string;
  readonly partnerId?: string;
  readonly patchArrays?: 'replace' | 'merge';
  readonly rotation?: 'replace' | 'overlap';
  readonly orders?: number;
  readonly pace?: number;
  readonly signIns?: string;
  readonly webhookUrl?: string;
};

type Simulator = { readonly url: string; readonly info: object; close(): Promise<void> };

/** `lockstep simulators`: runs the vendor's and Salesforce's stand-ins over real HTTP. */
export function addSimulators(program: Command, context: CliContext): void {
  program
    .command('simulators')
    .description('run the vendor simulator, the Salesforce simulator, or both')
    .addArgument(new Argument('[which]', 'only this one').choices(['vendor', 'salesforce']))
    .option('--port <port>', 'port on 127.0.0.1; 0 takes a free one (with a name only)', parsePort)
    .option('--state <file>', 'keep the state in this file (with a name only)')
    .option('--seed <seed>', '"empty", or what the generated data begin with')
    .option('--api-key <key>', "vendor: the partner's API key")
    .option('--partner-id <id>', 'vendor: the partner that the key stands for')
    .addOption(
      new Option('--patch-arrays <how>', 'vendor: what PATCH does with arrays').choices(['replace', 'merge']),
    )
    .addOption(
      new Option(
        '--rotation <how>',
        'vendor: whether registering a new key ends the old one at that moment',
      ).choices(['replace', 'overlap']),
    )
    .option('--orders <number>', 'vendor: how many orders the generated world has', parseOrders)
    .option(
      '--pace <seconds>',
      'vendor: let time pass: orders move, renewals appear, vendor users edit, one event each so many seconds',
      parsePace,
    )
    .option('--sign-ins <file>', 'salesforce: keep the sign-ins in this file, so that they stay the same')
    .option('--webhook-url <url>', 'salesforce: where Outbound Messages go')
    .addHelpText('after', EXAMPLE)
    .action((which: Which | undefined, options: Options) => runSimulators(context, which, options));
}

/** Both, or the one that was named, until the process is told to end. */
async function runSimulators(context: CliContext, which: Which | undefined, options: Options): Promise<void> {
  const shutdown = watchShutdown();
  const running: Simulator[] = [];
  try {
    if (which !== 'salesforce') running.push(await startVendor(context, options));
    if (which !== 'vendor') running.push(await startSalesforce(context, options));
    for (const { url } of running) context.print(`Listening on ${url} (admin: ${url}/__admin)`);
    reportReady(running[0]?.info);
    await untilAborted(shutdown.signal);
  } finally {
    await Promise.all(running.map((simulator) => simulator.close()));
    shutdown.dispose();
  }
}

async function startVendor(context: CliContext, options: Options): Promise<Simulator> {
  const { startVendorSimulator } = await import('../../simulators/vendor/start.ts');
  const {
    port = DEFAULT_PORTS.vendor,
    state,
    seed,
    partnerId,
    patchArrays,
    rotation,
    orders,
    pace,
  } = options;
  const apiKey = secretValue(context, options.apiKey);
  const simulator = await startVendorSimulator({
    port,
    notify: context.tell,
    ...(state !== undefined && { state }),
    ...(seed !== undefined && { seed }),
    ...(partnerId !== undefined && { partnerId }),
    ...(patchArrays !== undefined && { patchArrays }),
    ...(rotation !== undefined && { rotation }),
    ...(orders !== undefined && { orders }),
    ...(pace !== undefined && { paceSeconds: pace }),
    ...(apiKey !== undefined && { apiKey }),
  });
  const info = { baseUrl: simulator.url, apiKey: simulator.apiKey, admin: simulator.adminUrl };
  return { url: simulator.url, info, close: () => simulator.close() };
}

async function startSalesforce(context: CliContext, options: Options): Promise<Simulator> {
  const { startSalesforceSimulator } = await import('../../simulators/salesforce/start.ts');
  const { port = DEFAULT_PORTS.salesforce, state, seed } = options;
  const webhookUrl = secretValue(context, options.webhookUrl);
  const simulator = await startSalesforceSimulator({
    port,
    notify: context.tell,
    ...(options.signIns !== undefined && readSignIns(options.signIns)),
    ...(state !== undefined && { state }),
    ...(seed !== undefined && { seed: seed === 'empty' ? 'empty' : 'demo' }),
    ...(webhookUrl !== undefined && { webhookUrl }),
  });
  const { user, integration, loginUrl, organizationId, adminUrl } = simulator;
  if (options.signIns !== undefined) {
    writePrivately(options.signIns, `${JSON.stringify({ user, integration }, null, 2)}\n`);
  }
  const info = { loginUrl, admin: adminUrl, organizationId, user, integration };
  return { url: simulator.url, info, close: () => simulator.close() };
}

/** What an earlier start wrote; nothing where there was none, or where it cannot be read any more. */
function readSignIns(file: string): Pick<SalesforceSimulatorOptions, 'user' | 'integration'> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Pick<SalesforceSimulatorOptions, 'user' | 'integration'>;
  } catch {
    return {};
  }
}

function secretValue(context: CliContext, given: string | undefined): string | undefined {
  if (given === undefined || !isSecretReference(given)) return given;
  return resolveSecret(given, { env: context.env, baseDir: context.cwd }).reveal();
}

/** A port number from a flag. */
export function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('It must be a port from 0 to 65535.');
}

const MAX_ORDERS = 1_000_000;

/** How many orders, from a flag. */
function parseOrders(text: string): number {
  if (/^\d{1,7}$/.test(text) && Number(text) <= MAX_ORDERS) return Number(text);
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${MAX_ORDERS}.`);
}

/** Seconds between two events, from a flag. */
function parsePace(text: string): number {
  if (/^\d{1,6}(\.\d{1,3})?$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError('It must be a number of seconds above 0, such as 2 or 0.5.');
}

import { Argument, type Command } from 'commander';
import type { CliContext } from '../../src/cli/context.ts';
import { CliError, EXIT } from '../../src/cli/exit.ts';
import { watchShutdown } from '../../src/platform/shutdown.ts';
import { untilAborted } from '../../src/platform/until-aborted.ts';
import { reportReady } from '../processes/child-report.ts';
import { parsePort, type Simulator } from '../simulators/flags.ts';
import { addSalesforceFlags, type SalesforceFlags, startSalesforce } from '../simulators/salesforce.ts';
import { addVendorFlags, startVendor, type VendorFlags } from '../simulators/vendor.ts';
import { DEFAULT_PORTS } from '../up/ports.ts';

const EXAMPLE = `
Example:
  lockstep simulators vendor --port 4010 --patch-arrays merge

  lockstep simulators vendor --orders 100000 --rotation overlap --pace 2

  lockstep simulators salesforce --seed-file org.json --state org.state.json

Both show at / what they are and what they are asked, and answer /healthz, /readyz and /metrics. The vendor simulator
shows its API at /reference and describes it at /openapi.json. A state file that has data stands in for the seed; its
snapshots are kept beside it. A file of keys is a list of apiKey, partnerId and scopes (sales, order).
Without a name both run, on ports ${DEFAULT_PORTS.vendor} and ${DEFAULT_PORTS.salesforce}. A secret may be given as env:NAME or file:PATH.`;

type Which = 'vendor' | 'salesforce';
type Flags = VendorFlags & SalesforceFlags;

/** `lockstep simulators`: runs the simulators of the vendor and of Salesforce over real HTTP. */
export function addSimulators(program: Command, context: CliContext): void {
  const command = program
    .command('simulators')
    .addArgument(new Argument('[which]', 'only this one').choices(['vendor', 'salesforce']))
    .option('--port <port>', 'port on 127.0.0.1; 0: a free port (only with a name)', parsePort)
    .option('--state <file>', 'store the state in this file (only with a name)')
    .option('--seed <seed>', '"empty", or the seed of the generated data');
  addSalesforceFlags(addVendorFlags(command))
    .addHelpText('after', EXAMPLE)
    .action((which: Which | undefined, flags: Flags) => runSimulators(context, which, flags));
}

/** Runs both simulators, or the named one, until a stop request. */
async function runSimulators(context: CliContext, which: Which | undefined, flags: Flags): Promise<void> {
  if (which === undefined && (flags.port !== undefined || flags.state !== undefined)) {
    throw new CliError('--port and --state are for one simulator: name it, vendor or salesforce.', EXIT.usage);
  }
  const shutdown = watchShutdown();
  const running: Simulator[] = [];
  try {
    if (which !== 'salesforce') running.push(await startVendor(context, flags));
    if (which !== 'vendor') running.push(await startSalesforce(context, flags));
    for (const { url } of running) context.print(`Listening on ${url} (admin: ${url}/__admin)`);
    reportReady(running[0]?.info);
    await untilAborted(shutdown.signal);
  } finally {
    await Promise.all(running.map((simulator) => simulator.close()));
    shutdown.dispose();
  }
}

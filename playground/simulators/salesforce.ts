import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { SalesforceSimulatorOptions, TriggerCost } from 'lockstep-simulators';
import type { CliContext } from '../../src/cli/context.ts';
import { writePrivately } from '../../src/platform/private-file.ts';
import { DEFAULT_PORTS } from '../up/ports.ts';
import {
  parseCountries,
  parseCurrencies,
  parseNames,
  parsePort,
  parseRequests,
  parseTriggers,
  parseVersions,
  type Simulator,
  secretValue,
} from './flags.ts';

/** Default port of the Pub/Sub API; Salesforce's own. */
const DEFAULT_PUB_SUB_PORT = 7443;

/** Flags of the Salesforce simulator. */
export type SalesforceFlags = {
  readonly port?: number;
  readonly state?: string;
  readonly seed?: string;
  readonly seedFile?: string;
  readonly signIns?: string;
  readonly webhookUrl?: string;
  readonly tls?: string;
  readonly package?: readonly string[];
  readonly currencies?: readonly string[];
  readonly countries?: readonly string[];
  readonly personAccounts?: 'business' | 'person';
  readonly apiVersions?: { readonly oldest: number; readonly newest: number };
  readonly readOnly?: boolean;
  readonly longRequests?: number;
  readonly triggers?: readonly TriggerCost[];
  readonly changeEvents?: readonly string[];
  readonly eventAddOn?: boolean;
  readonly pubSubPort?: number;
  readonly certificate?: string;
};

/** Adds the flags that only the Salesforce simulator has. */
export function addSalesforceFlags(command: Command): Command {
  return addFlagsOfOrg(command)
    .option('--seed-file <file>', 'salesforce: records of a new org, as sf data export tree writes them')
    .option('--sign-ins <file>', 'salesforce: store the sign-ins in this file, so that they stay the same')
    .option('--webhook-url <url>', 'salesforce: the address to which Outbound Messages go')
    .option('--package <dirs...>', "salesforce: folders of Salesforce DX source, in place of the CRM package's")
    .option(
      '--currencies <codes>',
      'salesforce: currencies of a multi-currency org, the corporate one first, as EUR,USD=1.08',
      parseCurrencies,
    )
    .option(
      '--countries <places>',
      'salesforce: State and Country/Territory Picklists, states after their country, as FR,US,US-CA=California',
      parseCountries,
    )
    .option(
      '--change-events <objects>',
      'salesforce: objects selected for Change Data Capture, as Opportunity,Account; serves the Pub/Sub API',
      parseNames,
    )
    .option('--event-add-on', 'salesforce: an org that selects more than five objects for Change Data Capture')
    .option('--pub-sub-port <port>', 'salesforce: port of the Pub/Sub API on 127.0.0.1', parsePort)
    .option('--certificate <file>', 'salesforce: write the certificate of the Pub/Sub API into this file')
    .option('--tls <file>', 'salesforce: serve HTTPS, and write the certificate to trust into this file');
}

/** Flags of what an org has and what it refuses. */
function addFlagsOfOrg(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--person-accounts <kind>',
        'salesforce: an org with person accounts; the kind of new accounts',
      ).choices(['business', 'person']),
    )
    .option('--read-only', 'salesforce: start in read-only mode, as during maintenance')
    .option(
      '--long-requests <number>',
      'salesforce: how many requests may run for 20 seconds or longer; 0 refuses every request',
      parseRequests,
    )
    .option(
      '--triggers <costs>',
      'salesforce: the cost of Apex triggers for each saved row, as Opportunity=3queries,Account=250ms',
      parseTriggers,
    )
    .option('--api-versions <range>', 'salesforce: versions of the REST API, as 31-66', parseVersions);
}

/** Starts the Salesforce simulator with these flags. */
export async function startSalesforce(context: CliContext, flags: SalesforceFlags): Promise<Simulator> {
  const { startSalesforceSimulator } = await import('lockstep-simulators');
  const { port = DEFAULT_PORTS.salesforce, state, seed } = flags;
  const webhookUrl = secretValue(context, flags.webhookUrl);
  const simulator = await startSalesforceSimulator({
    port,
    notify: context.tell,
    ...(flags.signIns !== undefined && readSignIns(flags.signIns)),
    ...(state !== undefined && { state }),
    ...(flags.seedFile !== undefined && { seedFile: resolve(context.cwd, flags.seedFile) }),
    ...(seed !== undefined && { seed: seed === 'empty' ? 'empty' : 'demo' }),
    ...(webhookUrl !== undefined && { webhookUrl }),
    ...(flags.package && { packageDirs: flags.package.map((dir) => resolve(context.cwd, dir)) }),
    ...(flags.currencies && { currencies: flags.currencies }),
    ...(flags.countries && { countries: flags.countries }),
    ...(flags.personAccounts && { personAccounts: flags.personAccounts }),
    ...(flags.apiVersions && { apiVersions: flags.apiVersions }),
    ...limitsOf(flags),
    ...(flags.changeEvents && { changeEvents: flags.changeEvents }),
    ...(flags.eventAddOn === true && { eventAddOn: true }),
    pubSubPort: flags.pubSubPort ?? DEFAULT_PUB_SUB_PORT,
    tls: flags.tls !== undefined,
  });
  for (const file of [flags.tls, flags.certificate])
    if (file !== undefined) writeFileSync(file, simulator.certificate ?? '');
  const { user, integration, loginUrl, organizationId, adminUrl } = simulator;
  if (flags.signIns !== undefined) {
    writePrivately(flags.signIns, `${JSON.stringify({ user, integration }, null, 2)}\n`);
  }
  const { pubSubEndpoint } = simulator;
  if (pubSubEndpoint !== null) context.print(`Pub/Sub API on ${pubSubEndpoint} (gRPC, TLS)`);
  const info = { loginUrl, admin: adminUrl, organizationId, user, integration, pubSubEndpoint };
  return { url: simulator.url, info, close: () => simulator.close() };
}

function limitsOf({ readOnly, longRequests, triggers }: SalesforceFlags): SalesforceSimulatorOptions {
  return {
    ...(readOnly !== undefined && { readOnly }),
    ...(longRequests !== undefined && { longRequests }),
    ...(triggers !== undefined && { triggers }),
  };
}

/** Sign-ins that an earlier start wrote; empty if the file is missing or unreadable. */
function readSignIns(file: string): Pick<SalesforceSimulatorOptions, 'user' | 'integration'> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Pick<SalesforceSimulatorOptions, 'user' | 'integration'>;
  } catch {
    return {};
  }
}

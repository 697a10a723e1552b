import { InvalidArgumentError } from 'commander';
import { readConsoleFile } from '../console/access/read-console-file.ts';
import { type MappingPublished, publishMapping, takeMappingBack } from '../operator/mapping/publish-mapping.ts';
import { mappingWith } from '../operator/mapping/show-mapping.ts';
import { type MappingTried, tryMapping } from '../operator/mapping/try-mapping.ts';
import { readMappingFile } from '../platform/mapping-file.ts';
import { osUser } from '../platform/os-user.ts';
import { MAX_YAML_BYTES, readRegularFile } from '../platform/regular-file.ts';
import { CliError } from './exit.ts';
import type { OperatorTools } from './operator-tools.ts';
import { operatorVerb, tenantOption } from './operator-verb.ts';
import { readId } from './record-ids.ts';

type TryOptions = { readonly tenant?: string; readonly values?: true };

/** `lockstep mapping try`: shows what a mapping file would do with one deal, and writes nothing. */
export const addTry = operatorVerb({
  name: 'try',
  description: 'show what a mapping file would do with one deal; writes nothing',
  example: `Examples:
  lockstep mapping try 006Hs00001ABCDEIA5 acme.mapping.yaml
  lockstep mapping try 006Hs00001ABCDEIA5 acme.mapping.yaml --values

Reads both sides of the deal, and compares the decision of the present mapping with that of the file. With --values also shows
both sides' values, and notes that in the record's journal.`,
  takes: (command) =>
    tenantOption(
      command
        .argument('<id>', 'an opportunity, a vendor record or the key of a link', readId)
        .argument('<file>', 'the mapping file to try'),
    ).option('--values', "show both sides' values; the record's journal notes it"),
  run: async (tools, id: string, file: string, options: TryOptions): Promise<MappingTried> => {
    const tenant = await tools.tenant(options.tenant);
    const draft = mappingWith(tenant, readMappingFile(file));
    const remotes = await tools.readable(options.tenant, draft);
    const ports = { ledger: await tools.ledger(), remotes, addresses: tools.addresses(tenant), now: tools.now };
    return tryMapping(ports, tenant, draft, { id, withValues: options.values === true });
  },
  effect: 'reads',
  lines: triedLines,
  hasFailed: ({ notObserved }) => notObserved !== null,
});

type ChangeOptions = {
  readonly tenant?: string;
  readonly basedOn?: number;
  readonly anyway?: true;
  readonly reason?: string;
};

const BASED_ON = 'the version that you compared with; refused if another was published since. Default: the present one';

/** `lockstep mapping publish`: publishes a mapping file as a new version of the tenant's mapping. */
export const addPublish = operatorVerb({
  name: 'publish',
  description: "publish a mapping file as the tenant's mapping; workers take it within seconds",
  example: `Examples:
  lockstep mapping publish acme.mapping.yaml
  lockstep mapping publish acme.mapping.yaml --based-on 3    refused if another person published after version 3

The ledger keeps each version. The newest applies instead of the mapping file that the tenant file names. Refuses a mapping that
does not fit the org where the present one does, unless --anyway. lockstep mapping take-back lets an earlier version apply again.`,
  takes: (command) =>
    tenantOption(command.argument('<file>', 'the mapping file'))
      .option('--based-on <version>', BASED_ON, readVersion)
      .option('--anyway', 'do not check the mapping against the org'),
  run: async (tools, file: string, options: ChangeOptions): Promise<MappingPublished> => {
    requireLedger(tools);
    const tenant = await tools.tenant(options.tenant);
    const ledger = await tools.ledger();
    const ports = { ledger, org: () => tools.readable(options.tenant), now: tools.now };
    const asked = await askedOf(tools, tenant.tenant, options);
    return publishMapping(ports, tenant, { ...asked, text: textOf(file), anyway: options.anyway === true });
  },
  effect: (_, { tenant, anyway }) => ({ tenant: { given: tenant }, details: { anyway: anyway === true } }),
  outcome: ({ version }) => ({ details: { version } }),
  lines: publishedLines,
});

/** `lockstep mapping take-back`: publishes an earlier version of the tenant's mapping again. */
export const addTakeBack = operatorVerb({
  name: 'take-back',
  description: 'publish an earlier version of the mapping again',
  example: `Examples:
  lockstep mapping take-back 3    lets version 3 apply again, as a new version
  lockstep mapping take-back 0    lets the tenant's own mapping file apply again`,
  takes: (command) =>
    tenantOption(command.argument('<version>', "the version; 0: the tenant's own files", readVersion)).option(
      '--based-on <version>',
      BASED_ON,
      readVersion,
    ),
  run: async (tools, version: number, options: ChangeOptions): Promise<MappingPublished> => {
    requireLedger(tools);
    const { tenant, ...rest } = await tools.tenant(options.tenant);
    const asked = await askedOf(tools, tenant, options);
    return takeMappingBack(
      { ledger: await tools.ledger(), now: tools.now },
      { ...rest, tenant },
      { ...asked, version },
    );
  },
  effect: (version, { tenant }) => ({ tenant: { given: tenant }, details: { version } }),
  outcome: ({ version }) => ({ details: { published: version } }),
  lines: publishedLines,
});

/**
 * Throws if the console's configuration file says that mappings are kept in files (`mappings: file`), because then no mapping may be
 * published in the ledger (Lockstep's database).
 */
function requireLedger({ context }: OperatorTools): void {
  if (readConsoleFile(context.settings().consoleFile).mappings === 'file')
    throw new CliError(
      'Here mappings are kept in files (mappings: file, in the file of LOCKSTEP_CONSOLE): change the tenant’s mapping file.',
    );
}

async function askedOf(tools: OperatorTools, tenant: string, { basedOn, reason = '' }: ChangeOptions) {
  const present = (await tools.roster()).served.get(tenant)?.mappingVersion ?? 0;
  return { basedOn: basedOn ?? present, by: osUser().user, reason: reason === '' ? null : reason };
}

function textOf(file: string): string {
  try {
    return readRegularFile(file, MAX_YAML_BYTES).text;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new CliError(`The mapping file ${file} cannot be read (${code}).`);
  }
}

function readVersion(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give the number of a version.');
}

function publishedLines({
  tenant,
  version,
  takenBackTo,
  differences,
  toBackfill,
}: MappingPublished): readonly string[] {
  const what =
    takenBackTo === null ? '' : takenBackTo === 0 ? ", the tenant's own files" : `, version ${takenBackTo} again`;
  return [
    `Version ${version} of the mapping of ${tenant} is published${what}; workers take it within seconds.`,
    ...differences.map(({ at, before, after }) => `  ${at}: ${before ?? 'nothing'} → ${after ?? 'nothing'}`),
    ...(toBackfill.length === 0
      ? []
      : [
          `Deals follow when they next change. To sync them now: lockstep backfill --tenant ${tenant} --since 2026-01-01 ${toBackfill.map((field) => `--field ${field}`).join(' ')}`,
        ]),
  ];
}

function triedLines({ crmId, vendorId, before, after, gates, fields, notObserved }: MappingTried): readonly string[] {
  if (notObserved !== null) return [`The deal cannot be read now (${notObserved}).`];
  const shown = fields.filter(({ isChanged, before: was, after: is }) => isChanged || was !== is);
  return [
    `${[crmId, vendorId].filter((id) => id !== null).join(' ')}: ${before?.step ?? 'unknown'} → ${after?.step ?? 'unknown'}`,
    ...(shown.length === 0 ? ['  no field is treated otherwise'] : []),
    ...shown.flatMap(({ field, crmField, before: was, after: is, values }) => [
      `  ${field} (${crmField}): ${was ?? 'no decision'} → ${is ?? 'no decision'}`,
      ...(values === undefined
        ? []
        : [`    Salesforce: ${JSON.stringify(values.crm)}`, `    vendor: ${JSON.stringify(values.vendor)}`]),
    ]),
    ...gates.map(({ field, code, what }) => `  waits: ${code}${field === null ? '' : ` ${field}`}: ${what}`),
  ];
}

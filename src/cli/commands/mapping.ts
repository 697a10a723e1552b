import type { Command } from 'commander';
import { checkMappingFile } from '../../operator/mapping/check-file.ts';
import type { MappingCheck } from '../../operator/mapping/check-mapping.ts';
import { type MappingChoices, mappingChoices } from '../../operator/mapping/mapping-choices.ts';
import { listMappingVersions, type MappingVersions } from '../../operator/mapping/mapping-versions.ts';
import {
  diffMapping,
  type MappingDiffers,
  type MappingShown,
  mappingWith,
  showDefaultMapping,
  showMapping,
} from '../../operator/mapping/show-mapping.ts';
import { mappingSchema, readMappingFile } from '../../platform/mapping-file.ts';
import { parsePublished } from '../../platform/published-mapping.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { addPublish, addTakeBack, addTry } from '../mapping-changes.ts';
import type { OperatorTools } from '../operator-tools.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';
import { withSubverbs } from '../with-subverbs.ts';

type Options = { readonly tenant?: string };
type ShowOptions = Options & { readonly default?: true };

const FILE = "a mapping file to use instead of the tenant's own";
const withFile = (command: Command): Command => tenantOption(command.argument('[file]', FILE));

const show = async (tools: OperatorTools, file: string | undefined, options: ShowOptions): Promise<MappingShown> => {
  if (options.default === true) return showDefaultMapping();
  return showMapping(await tools.tenant(options.tenant), file === undefined ? null : readMappingFile(file));
};

const showing = {
  run: show,
  effect: 'reads' as const,
  lines: ({ text }: MappingShown) => text.trimEnd().split('\n'),
};
const withDefault = (command: Command): Command =>
  withFile(command).option('--default', 'the mapping of a tenant without a mapping file');

const addParent = operatorVerb({
  name: 'mapping',
  example: `Examples:
  lockstep mapping show                          prints the present mapping, as a mapping file
  lockstep mapping check acme.mapping.yaml       checks the file against the live org
  lockstep mapping try 006Hs00001ABCDEIA5 acme.mapping.yaml    what the file would do with one deal
  lockstep mapping publish acme.mapping.yaml     lets the file apply; workers take it within seconds
  lockstep mapping take-back 3                   lets version 3 apply again

Without a subcommand prints the present mapping.`,
  takes: (command) => tenantOption(command),
  ...showing,
  run: (tools, options: Options) => show(tools, undefined, options),
});

const addShow = operatorVerb({
  name: 'show',
  description: 'print the present mapping, as a mapping file',
  example: `Examples:
  lockstep mapping show
  lockstep mapping show --default    prints the mapping of a tenant without a mapping file`,
  takes: withDefault,
  ...showing,
});

const addCheck = operatorVerb({
  name: 'check',
  description: 'check the present mapping, or a mapping file, against the live org',
  example: `Examples:
  lockstep mapping check
  lockstep mapping check acme.mapping.yaml

Each problem names its line and its repair. Exits with 2 when a check fails or warns, with 1 when the file cannot be used.`,
  takes: withFile,
  run: async (tools, file: string | undefined, options: Options): Promise<MappingCheck> => {
    const tenant = await tools.tenant(options.tenant);
    const given = file === undefined ? null : readMappingFile(file);
    const readable = (mapping: Tenant['mapping']) => tools.readable(options.tenant, mapping);
    return checkMappingFile(readable, tenant, { own: ownOf(tenant), given });
  },
  effect: 'reads',
  lines: problemLines,
  needsAttention: ({ problems }) => problems.length > 0,
  hasFailed: ({ problems }) => problems.some(({ repair }) => repair === null),
});

/** The tenant's own mapping: its published version, else the file that the tenant file names; null if it has neither. */
function ownOf({ publishedMapping, mappingFile }: Tenant) {
  if (publishedMapping !== undefined) return parsePublished(publishedMapping.version, publishedMapping.text);
  return mappingFile === undefined ? null : readMappingFile(mappingFile);
}

const addDiff = operatorVerb({
  name: 'diff',
  description: 'compare the present mapping with the default mapping, or a file with the present mapping',
  example: `Examples:
  lockstep mapping diff
  lockstep mapping diff acme.mapping.yaml`,
  takes: withFile,
  run: async (tools, file: string | undefined, options: Options): Promise<MappingDiffers> =>
    diffMapping(await tools.tenant(options.tenant), file === undefined ? null : readMappingFile(file)),
  effect: 'reads',
  lines: ({ differences }) => (differences.length === 0 ? ['Nothing differs.'] : differenceLines(differences)),
});

const addChoices = operatorVerb({
  name: 'choices',
  description: "list the org's fields and the values of both sides that a mapping can name",
  example: `Example:
  lockstep mapping choices

Shows each field of the opportunity with its type and the vendor's fields that it can hold.`,
  takes: withFile,
  run: async (tools, file: string | undefined, options: Options): Promise<MappingChoices> => {
    const tenant = await tools.tenant(options.tenant);
    const mapping = file === undefined ? tenant.mapping : mappingWith(tenant, readMappingFile(file));
    const { crm } = await tools.readable(options.tenant, mapping);
    return mappingChoices({ crm, ledger: await tools.ledger() }, tenant, mapping);
  },
  effect: 'reads',
  lines: choiceLines,
});

const addSchema = operatorVerb({
  name: 'schema',
  description: 'print the JSON Schema of mapping files, for editors',
  example: `Example:
  lockstep mapping schema`,
  run: async () => mappingSchema(),
  effect: 'reads',
  lines: (schema) => JSON.stringify(schema, null, 2).split('\n'),
});

const addVersions = operatorVerb({
  name: 'versions',
  description: "list the tenant's published mappings, and what each changed",
  example: `Example:
  lockstep mapping versions

Exits with 2 when the tenant's mapping file has changed since the last publication: the published mapping applies, not the file.`,
  takes: (command) => tenantOption(command),
  run: async (tools, options: Options): Promise<MappingVersions> =>
    listMappingVersions(await tools.ledger(), await tools.tenant(options.tenant), MOST_LISTED),
  effect: 'reads',
  lines: versionLines,
  needsAttention: ({ areFilesNewer }) => areFilesNewer,
});

const MOST_LISTED = 50;

/** `lockstep mapping`: shows, checks and tries a tenant's mapping, publishes a new version, and publishes an earlier version again. */
export const addMapping = withSubverbs(
  addParent,
  ...[addShow, addCheck, addDiff, addChoices, addSchema, addVersions],
  ...[addTry, addPublish, addTakeBack],
);

export function differenceLines(differences: MappingDiffers['differences']): readonly string[] {
  return differences.map(({ at, before, after }) => `${at}: ${before ?? 'nothing'} → ${after ?? 'nothing'}`);
}

function choiceLines({ orgFields, values }: MappingChoices): readonly string[] {
  return [
    ...orgFields.map(({ name, label, type, fits }) => {
      const held = Object.entries(fits).map(([field, fit]) => (fit === 'holds' ? field : `${field} (to-vendor only)`));
      return `${name} (${label}, ${type})${held.length === 0 ? '' : `: ${held.join(', ')}`}`;
    }),
    ...Object.entries(values).map(
      ([field, { crm, vendor }]) =>
        `${field}: Salesforce ${crm.join(', ') || 'any'}; vendor ${vendor.join(', ') || 'any'}`,
    ),
  ];
}

function problemLines({ tenant, problems }: MappingCheck): readonly string[] {
  if (problems.length === 0) return [`The org of ${tenant} goes with its mapping.`];
  return problems.flatMap(({ file, line, at, verdict, what, repair }) => [
    `${file}:${line}: ${verdict}${at === '' ? '' : ` ${at}`}: ${what}`,
    ...(repair === null ? [] : [`        repair: ${repair}`]),
  ]);
}

function versionLines({ tenant, areFilesNewer, versions }: MappingVersions): readonly string[] {
  if (versions.length === 0) return [`${tenant} has published no mapping: its own files apply.`];
  return [
    ...versions.flatMap(({ version, publishedAt, by, reason, takenBackTo, isOfFiles, differences }) => [
      `${version}  ${publishedAt}  ${by ?? 'unknown'}${reason === null ? '' : `: ${reason}`}`,
      ...(isOfFiles ? ["   the tenant's own files apply"] : []),
      ...(takenBackTo === null || takenBackTo === 0 ? [] : [`   brings back version ${takenBackTo}`]),
      ...(differences === null
        ? ['   it cannot be read here']
        : differenceLines(differences).map((one) => `   ${one}`)),
    ]),
    ...(areFilesNewer ? ["The tenant's mapping file has changed since the last publication and does not apply."] : []),
  ];
}

import { Argument } from 'commander';
import type { MappingConfig } from '../../domain/record/mapping-config.ts';
import {
  checkMapping,
  type MappingCheck,
  type Place,
  unreadable,
} from '../../operator/mapping/check-mapping.ts';
import { type MappingDifference, mappingDifference } from '../../platform/mapping-difference.ts';
import {
  type MappingFile,
  mappingSchema,
  parseMappingFile,
  readMappingFile,
} from '../../platform/mapping-file.ts';
import { USUAL_MAPPING, withMappingFile } from '../../platform/mapping-layers.ts';
import { DEFAULT_MAPPING_TEXT, mappingText } from '../../platform/mapping-text.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { CliError } from '../exit.ts';
import { type OperatorTools, operatorVerb, tenantOption } from '../operator-verb.ts';

const WHATS = ['show', 'check', 'diff', 'schema'] as const;
type What = (typeof WHATS)[number];
type Options = { readonly tenant?: string; readonly default?: true };

type MappingShown = { readonly shape: 'mapping/1'; readonly tenant: string | null; readonly text: string };

/** `lockstep mapping show | check | diff | schema`: how a tenant's fields go together, and whether its org goes with that. */
export const addMapping = operatorVerb({
  name: 'mapping',
  description: 'show a tenant’s mapping, or check it against its org; reads only',
  example: `Examples:
  lockstep mapping show                          the whole mapping in force, as a mapping file
  lockstep mapping show --default                that of a tenant that names no file
  lockstep mapping diff                          what of it is not as in the default mapping
  lockstep mapping diff acme.mapping.yaml        what that file would make otherwise
  lockstep mapping schema                        JSON Schema of a mapping file, for editors
  lockstep mapping check                         the mapping in force against the live org
  lockstep mapping check acme.mapping.yaml       that file in the place of the tenant's own

Each problem has its line and its repair. Exits with 2 when one fails or warns, with 1 when the file cannot be used.`,
  takes: (command) =>
    tenantOption(
      command
        .addArgument(new Argument('<what>', 'what to do').choices(WHATS))
        .argument('[file]', 'a mapping file, in the place of the one that the tenant names'),
    ).option('--default', 'for show: the mapping of a tenant that names no file'),
  run: async (tools, what: What, file: string | undefined, options: Options) => {
    if (what === 'show' && options.default === true)
      return { shape: 'mapping/1', tenant: null, text: DEFAULT_MAPPING_TEXT } as const;
    if (what === 'schema') return mappingSchema();
    const tenant = await tools.tenant(options.tenant);
    if (what === 'diff') return differing(tenant, file);
    return what === 'show' ? shown(tenant, file) : check(tools, tenant, file, options.tenant);
  },
  lines: linesOf,
  needsAttention: (answer: Answer) => 'problems' in answer && answer.problems.length > 0,
  hasFailed: (answer: Answer) =>
    'problems' in answer && answer.problems.some(({ repair }) => repair === null),
});

type MappingDiffers = {
  readonly shape: 'mapping-diff/1';
  readonly tenant: string;
  readonly differences: readonly MappingDifference[];
};

type Answer = MappingShown | MappingCheck | MappingDiffers | ReturnType<typeof mappingSchema>;

function linesOf(answer: Answer): readonly string[] {
  if ('problems' in answer) return problemLines(answer);
  if ('differences' in answer) return differenceLines(answer);
  return 'text' in answer ? answer.text.trimEnd().split('\n') : JSON.stringify(answer, null, 2).split('\n');
}

/** The mapping in force against the default one; or that of a file against the one in force. */
function differing(tenant: Tenant, file: string | undefined): MappingDiffers {
  const differences =
    file === undefined
      ? mappingDifference(USUAL_MAPPING, tenant.mapping)
      : mappingDifference(tenant.mapping, withOther(tenant, usable(file)));
  return { shape: 'mapping-diff/1', tenant: tenant.tenant, differences };
}

function differenceLines({ differences }: MappingDiffers): readonly string[] {
  if (differences.length === 0) return ['Nothing differs.'];
  return differences.map(({ at, before, after }) => `${at}: ${before ?? 'nothing'} → ${after ?? 'nothing'}`);
}

function shown(tenant: Tenant, file: string | undefined): MappingShown {
  const mapping = file === undefined ? tenant.mapping : withOther(tenant, usable(file));
  const title = `The mapping of ${tenant.tenant}.`;
  return { shape: 'mapping/1', tenant: tenant.tenant, text: mappingText(mapping, title) };
}

function usable(path: string): MappingFile {
  const read = readMappingFile(path);
  if ('overrides' in read) return read;
  throw new CliError(
    read.problems.map(({ file, line, message }) => `${file}:${line}: ${message}`).join('\n'),
  );
}

function withOther({ mapping }: Tenant, { overrides }: MappingFile): MappingConfig {
  return withMappingFile(mapping, overrides);
}

async function check(
  tools: OperatorTools,
  tenant: Tenant,
  given: string | undefined,
  name: string | undefined,
): Promise<MappingCheck> {
  const path = given ?? tenant.mappingFile;
  const read = path === undefined ? null : readMappingFile(path);
  if (read !== null && 'problems' in read) return unreadable(tenant.tenant, read.problems);
  const mapping = given === undefined || read === null ? tenant.mapping : withOther(tenant, read);
  return checkMapping(await tools.readable(name, mapping), { ...tenant, mapping }, placesIn(read));
}

/** Where something stands: in the tenant's own file, or else in the default one. */
function placesIn(own: MappingFile | null): (at: readonly (string | number)[]) => Place {
  const usual = parseMappingFile('docs/default.mapping.yaml', DEFAULT_MAPPING_TEXT);
  if ('problems' in usual) throw new TypeError('the default mapping is no mapping file');
  return (at) => {
    const [section = '', field = ''] = at.map(String);
    const isSaid = own?.yaml.has(at) === true || own?.yaml.has([section, field]) === true;
    const { yaml } = isSaid ? own : usual;
    return { file: yaml.file, line: yaml.lineOf(at) };
  };
}

function problemLines({ tenant, problems }: MappingCheck): readonly string[] {
  if (problems.length === 0) return [`The org of ${tenant} goes with its mapping.`];
  return problems.flatMap(({ file, line, at, verdict, what, repair }) => [
    `${file}:${line}: ${verdict}${at === '' ? '' : ` ${at}`}: ${what}`,
    ...(repair === null ? [] : [`        repair: ${repair}`]),
  ]);
}

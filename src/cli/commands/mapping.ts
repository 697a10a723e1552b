import { Argument } from 'commander';
import { checkMappingFile } from '../../operator/mapping/check-file.ts';
import type { MappingCheck } from '../../operator/mapping/check-mapping.ts';
import {
  diffMapping,
  type MappingDiffers,
  type MappingShown,
  showDefaultMapping,
  showMapping,
} from '../../operator/mapping/show-mapping.ts';
import { mappingSchema, readMappingFile } from '../../platform/mapping-file.ts';
import type { OperatorTools } from '../operator-tools.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';

const WHATS = ['show', 'check', 'diff', 'schema'] as const;
type What = (typeof WHATS)[number];
type Options = { readonly tenant?: string; readonly default?: true };

/** `lockstep mapping show | check | diff | schema`: shows a tenant's field mapping, and checks it against the org. */
export const addMapping = operatorVerb({
  name: 'mapping',
  example: `Examples:
  lockstep mapping show                          prints the present mapping, as a mapping file
  lockstep mapping show --default                prints the mapping of a tenant without a mapping file
  lockstep mapping diff                          compares the present mapping with the default mapping
  lockstep mapping diff acme.mapping.yaml        compares the file with the present mapping
  lockstep mapping schema                        prints the JSON Schema of mapping files, for editors
  lockstep mapping check                         checks the present mapping against the live org
  lockstep mapping check acme.mapping.yaml       checks the file against the live org

Each problem names its line and its repair. Exits with 2 when a check fails or warns, with 1 when the file cannot be used.`,
  takes: (command) =>
    tenantOption(
      command
        .addArgument(new Argument('<what>', 'what to do').choices(WHATS))
        .argument('[file]', "a mapping file to use instead of the tenant's own"),
    ).option('--default', 'for show: the mapping of a tenant without a mapping file'),
  run: (tools, what: What, file: string | undefined, options: Options) => answer(tools, what, file, options),
  effect: 'reads',
  lines: linesOf,
  needsAttention: (answer: Answer) => 'problems' in answer && answer.problems.length > 0,
  hasFailed: (answer: Answer) => 'problems' in answer && answer.problems.some(({ repair }) => repair === null),
});

type Answer = MappingShown | MappingCheck | MappingDiffers | ReturnType<typeof mappingSchema>;

async function answer(tools: OperatorTools, what: What, file: string | undefined, options: Options): Promise<Answer> {
  if (what === 'show' && options.default === true) return showDefaultMapping();
  if (what === 'schema') return mappingSchema();
  const tenant = await tools.tenant(options.tenant);
  const given = file === undefined ? null : readMappingFile(file);
  if (what === 'diff') return diffMapping(tenant, given);
  if (what === 'show') return showMapping(tenant, given);
  const own = tenant.mappingFile === undefined ? null : readMappingFile(tenant.mappingFile);
  return checkMappingFile((mapping) => tools.readable(options.tenant, mapping), tenant, { own, given });
}

function linesOf(answer: Answer): readonly string[] {
  if ('problems' in answer) return problemLines(answer);
  if ('differences' in answer) return differenceLines(answer);
  return 'text' in answer ? answer.text.trimEnd().split('\n') : JSON.stringify(answer, null, 2).split('\n');
}

function differenceLines({ differences }: MappingDiffers): readonly string[] {
  if (differences.length === 0) return ['Nothing differs.'];
  return differences.map(({ at, before, after }) => `${at}: ${before ?? 'nothing'} → ${after ?? 'nothing'}`);
}

function problemLines({ tenant, problems }: MappingCheck): readonly string[] {
  if (problems.length === 0) return [`The org of ${tenant} goes with its mapping.`];
  return problems.flatMap(({ file, line, at, verdict, what, repair }) => [
    `${file}:${line}: ${verdict}${at === '' ? '' : ` ${at}`}: ${what}`,
    ...(repair === null ? [] : [`        repair: ${repair}`]),
  ]);
}

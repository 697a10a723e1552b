import { type Command, InvalidArgumentError } from 'commander';
import { counted } from '../../domain/values/counted.ts';
import { mappingWith } from '../../operator/mapping/show-mapping.ts';
import { CONFLICT_RULES, parseRule, type RuleText, withRules } from '../../operator/what-if/other-mapping.ts';
import { type ChangedDecision, playPast, type WhatIf } from '../../operator/what-if/play-past.ts';
import { parseDuration } from '../../platform/duration.ts';
import { readMappingFile } from '../../platform/mapping-file.ts';
import { crmIdsOf, type DealNames, NO_NAMES } from '../deal-names.ts';
import { CliError, EXIT } from '../exit.ts';
import { readInstant, readLimit } from '../flags.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';

type Options = {
  readonly tenant?: string;
  readonly rule?: readonly RuleText[];
  readonly mapping?: string;
  readonly since?: Since;
  readonly limit: number;
  readonly values?: true;
};

/** The start of a period: an instant, or a number of milliseconds before now. */
type Since = { readonly at: string } | { readonly agoMs: number };

const LISTED = 20;
const SINCE: Since = { agoMs: 90 * 86_400_000 };

/**
 * `lockstep what-if`: replays past decisions with another conflict rule or mapping, and shows which decisions would have been different.
 */
export const addWhatIf = operatorVerb({
  name: 'what-if',
  example: `Examples:
  lockstep what-if --rule description=crm --since 90d
  lockstep what-if --rule closeDate=manual --rule status=manual
  lockstep what-if --mapping acme.mapping.yaml --since 2026-01-01 --json

Reads only the journal: no remote system, and it writes nothing. Each past decision is replayed with the values that it had.
The journal does not keep everything: the answer counts the decisions that cannot be replayed, and says why. Only --values
shows field values, of the listed records; the journal notes it.`,
  takes: withOptions,
  run: async (tools, { tenant: named, rule: rules = [], mapping: file, since = SINCE, limit, values }: Options) => {
    if (rules.length === 0 && file === undefined)
      throw new CliError('Say what should be otherwise: --rule description=crm, or --mapping FILE.', EXIT.usage);
    const tenant = await tools.tenant(named);
    const given = file === undefined ? tenant.mapping : mappingWith(tenant, readMappingFile(file));
    const other = withRules(given, rules);
    const now = tools.now();
    const from = 'at' in since ? since.at : new Date(Date.parse(now) - since.agoMs).toISOString();
    const order = { since: from, ...other, limit, withValues: values === true };
    return playPast(await tools.ledger(), tenant, order, now);
  },
  effect: 'reads',
  deals: ({ tenant, records }: WhatIf) => [{ tenant, crmIds: crmIdsOf(records) }],
  lines: whatIfLines,
});

function withOptions(command: Command): Command {
  return tenantOption(command)
    .option(
      '--rule <field=rule>',
      `another conflict rule of a field (${CONFLICT_RULES.join(', ')}); may be repeated`,
      readRules,
    )
    .option('--mapping <file>', 'another mapping file')
    .option('--since <instant>', 'decisions since 90d or 2026-01-01; 90 days by default', readSince)
    .option('--limit <n>', 'the number of records listed at most', readLimit, LISTED)
    .option('--values', 'show the values of both sides, and the last value on which they agreed');
}

function readRules(text: string, before: readonly RuleText[] = []): readonly RuleText[] {
  const rule = parseRule(text);
  if (rule === null)
    throw new InvalidArgumentError(
      `Write a field and a rule, such as description=crm. Rules: ${CONFLICT_RULES.join(', ')}.`,
    );
  return [...before, rule];
}

function readSince(text: string): Since {
  const agoMs = parseDuration(text);
  return agoMs === null ? { at: readInstant(text) } : { agoMs };
}

export function whatIfLines(answer: WhatIf, { named }: DealNames = NO_NAMES): readonly string[] {
  const { tenant, since, fields, lines, decisions, changedRecords, ways, unknown, records, isCut } = answer;
  if (fields.length === 0)
    return [`${tenant}: the mapping decides each field as today, so nothing would have ended otherwise.`];
  const { same, otherwise } = decisions;
  return [
    `${tenant}, since ${since}: ${counted(otherwise, 'decision')} of ${counted(changedRecords, 'record')} would have ended otherwise, ${same} the same (${fields.join(', ')}; ${counted(lines, 'journal line')})`,
    ...ways.map(({ field, was, would, decisions: n }) => `  ${field}: ${n} ${was} → ${would}`),
    ...unknown.map(({ meaning, decisions: n }) => `  ${counted(n, 'decision')} cannot be replayed: ${meaning}`),
    ...records.flatMap(({ crmId, vendorId, key, decisions: changed }) => [
      [crmId === null ? null : named(crmId), vendorId].filter((id) => id !== null).join(' ') || key,
      ...changed.flatMap(decisionLines),
    ]),
    ...(isCut ? [`  only ${records.length} records are listed; --limit lists more`] : []),
    '  nothing was written; each decision was replayed alone, with the values that it had',
  ];
}

function decisionLines({ at, field, was, would, values }: ChangedDecision): readonly string[] {
  return [
    `  ${at} ${field}: ${was.verdict} (${was.rule}) → ${would.verdict} (${would.rule})`,
    ...(values === undefined
      ? []
      : [
          `    Salesforce ${JSON.stringify(values.crm)}, vendor ${JSON.stringify(values.vendor)}, agreed before ${JSON.stringify(values.base.crm)}`,
        ]),
  ];
}

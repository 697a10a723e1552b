import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { counted } from '../../domain/values/counted.ts';
import { durationWords } from '../../domain/values/duration.ts';
import { mappingWith } from '../../operator/mapping/show-mapping.ts';
import { checkedReads } from '../../operator/plan/checked-reads.ts';
import { makePlan, type PlannedChange, type PlanSummary } from '../../operator/plan/make-plan.ts';
import { planRecord } from '../../operator/plan/plan-record.ts';
import { createObserver } from '../../operator/records/observer.ts';
import { readMappingFile } from '../../platform/mapping-file.ts';
import { chooseTenant } from '../choose-tenant.ts';
import { CliError, EXIT } from '../exit.ts';
import { chosenFields, readFieldNames, readInstant } from '../flags.ts';
import type { OperatorTools } from '../operator-tools.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';
import { readId } from '../record-ids.ts';

type Options = {
  readonly tenant?: string;
  readonly since?: string;
  readonly record?: string;
  readonly mapping?: string;
  readonly field?: readonly string[];
};

/** A day in ms: the period that a plan covers without `--since`. Lockstep's first search for changes covers one day too. */
const DAY_MS = 86_400_000;

/** `lockstep plan`: a dry run that shows what Lockstep would do, and writes nothing. */
export const addPlan = operatorVerb({
  name: 'plan',
  example: `Example:
  lockstep plan --since 2026-01-01
  lockstep plan --record 006Hs00001ABCDEIA5
  lockstep plan --since 2026-01-01 --mapping acme-mapping.yaml    shows what the mapping file would change
  lockstep plan --since 2026-01-01 --field nextMilestone          shows what a backfill of the field would do

Covers the changes of either side since the instant; without --since the changes of the last day, as the first read of the
streams does. Prints each record when it is planned, and the totals at the end. Works before a tenant was ever connected. With
--json prints a line for each record, and the totals on the last line. Exits with 2 when a record would wait for a person,
with 1 when a record could not be read.`,
  takes: withOptions,
  run: async (tools, options: Options): Promise<PlanSummary | RecordAnswer> => {
    const tenant = await tools.tenant(options.tenant);
    if (options.record !== undefined) {
      if (options.since !== undefined || options.mapping !== undefined || options.field !== undefined)
        throw new CliError('--record goes with none of --since, --mapping and --field.', EXIT.usage);
      return planOne(tools, tenant.tenant, options.record, options.tenant);
    }
    const since = options.since ?? new Date(Date.parse(tools.now()) - DAY_MS).toISOString();
    const mapping = options.mapping === undefined ? null : mappingWith(tenant, readMappingFile(options.mapping));
    const fields = chosenFields(options.field, mapping ?? tenant.mapping);
    const followed = await tools.followed();
    const requireServed = (): void => void chooseTenant(followed.roster(), tenant.tenant);
    const readable = await tools.readable(options.tenant, ...(mapping === null ? [] : [mapping]));
    let planned = 0;
    const summary = await makePlan(
      {
        remotes: checkedReads(readable, requireServed),
        ledger: await tools.ledger(),
        emit: (record) => {
          planned += 1;
          if (planned % 50 === 0) tools.progress(`${counted(planned, 'record')} planned`);
          tools.emit(recordAnswer(record), record.action === 'nothing' ? [] : recordLines(record));
        },
        pause: (ms) => {
          if (ms > 2_000)
            tools.progress(`${counted(planned, 'record')} planned; waits ${Math.ceil(ms / 1000)} s for the quota`);
          return pause(ms);
        },
        now: tools.now,
      },
      tenant,
      { since, mapping, ...(fields === undefined ? {} : { fields }) },
    );
    tools.progress('');
    return summary;
  },
  effect: 'reads',
  lines: (answer) => ('totals' in answer ? summaryLines(answer) : recordLines(answer)),
  needsAttention: (answer) => waits(answer) > 0,
  hasFailed: (answer) => ('totals' in answer ? (answer.totals.actions.unknown ?? 0) > 0 : answer.action === 'unknown'),
});

async function planOne(
  tools: OperatorTools,
  tenant: string,
  id: string,
  name: string | undefined,
): Promise<RecordAnswer> {
  const ledger = await tools.ledger();
  const observer = createObserver(await tools.readable(name), ledger, tools.now);
  const record = await planRecord({ observer, ledger, now: tools.now }, tenant, id);
  return recordAnswer(record);
}

/** The plan of one record as printed with `--json`. */
type RecordAnswer = PlannedChange & { readonly shape: 'plan-record/1' };

function recordAnswer(record: PlannedChange): RecordAnswer {
  return { shape: 'plan-record/1', ...record };
}

function withOptions(command: Command): Command {
  return tenantOption(command)
    .option('--since <instant>', 'changes since this instant, such as 2026-01-01 or 2026-01-01T12:00:00Z', readInstant)
    .option('--record <id>', 'only this record, by any of its ids', readId)
    .option('--mapping <file>', 'show what this mapping file would change compared with the present mapping')
    .option('--field <field>', 'show what a backfill of this field would do; may be repeated', readFieldNames);
}

export function recordLines({
  crmId,
  vendorId,
  action,
  linkBy,
  reason,
  fields,
  issues,
  before,
}: PlannedChange): readonly string[] {
  const ids = [crmId, vendorId].filter((id) => id !== null).join(' ');
  const by = linkBy === null ? '' : `, linked by ${linkBy}`;
  const was = before === undefined || before.action === action ? '' : ` instead of ${before.action}`;
  return [
    `${action}${was}: ${ids}${by} (${reason})`,
    ...fields.map(({ field, way, verdict, rule }) => `  ${field} ${way}: ${verdict}, ${rule}`),
    ...issues.map(({ code, field }) => `  ${code}${field === null ? '' : ` ${field}`}`),
  ];
}

export function summaryLines({
  tenant,
  since,
  totals,
  cost,
  eventsLeft,
  renewals,
  asked,
  turned = [],
}: PlanSummary): readonly string[] {
  const counts = (all: Readonly<Record<string, number>>) =>
    Object.entries(all)
      .sort(([, one], [, other]) => other - one)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ');
  const { records, actions, linkBy, fields, issues } = totals;
  const listed: readonly (readonly [string, Readonly<Record<string, number>>])[] = [
    ['linked by', linkBy],
    ['fields', fields],
    ['reasons', issues],
  ];
  return [
    `${tenant}, since ${since}: ${counted(records, 'record')}${records === 0 ? '' : `: ${counts(actions)}`}`,
    ...listed.flatMap(([name, all]) => (Object.keys(all).length === 0 ? [] : [`  ${name}: ${counts(all)}`])),
    `  costs about ${counted(cost.vendorCalls, 'vendor call')} and ${counted(cost.crmCalls, 'Salesforce call')}, ${durationWords(cost.seconds)} at the ${cost.boundBy === 'quota' ? 'vendor’s quota' : 'tenant’s rate'}`,
    ...(eventsLeft === undefined
      ? []
      : [
          `  causes about ${counted(cost.changeEvents, 'change event')}; the org still delivers ${eventsLeft} within a day`,
        ]),
    ...(renewals === undefined
      ? []
      : [
          `  creates ${counted(renewals.opportunities, 'renewal opportunity', 'renewal opportunities')}, from the renewals in Salesforce`,
        ]),
    ...turned.map(
      (field) =>
        `  ${field} is synced in another direction from then on; linked deals keep its values until a backfill: --field ${field} shows its effect`,
    ),
    `  nothing was written; this plan took ${counted(asked.vendorCalls, 'vendor call')} and ${counted(asked.crmPages, 'page')} of Salesforce`,
  ];
}

function waits(answer: PlanSummary | RecordAnswer): number {
  if (!('totals' in answer)) return answer.action === 'park' || answer.action === 'conflict' ? 1 : 0;
  const { park = 0, conflict = 0 } = answer.totals.actions;
  return park + conflict;
}

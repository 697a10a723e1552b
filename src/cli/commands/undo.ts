import { setTimeout as pause } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { counted } from '../../domain/values/counted.ts';
import { durationWords } from '../../domain/values/duration.ts';
import { planUndo, type UndoPlan, type UndoWish } from '../../operator/runs/plan-undo.ts';
import { cancelUndo, followUndo, startUndo, type UndoAnswer, undoStatus } from '../../operator/runs/undo.ts';
import { watchShutdown } from '../../platform/shutdown.ts';
import { crmIdsOf, type DealNames, NO_NAMES } from '../deal-names.ts';
import { CliError, EXIT } from '../exit.ts';
import { chosenField, readFieldNames, readInstant, readLimit, readShare } from '../flags.ts';
import type { OperatorTools } from '../operator-tools.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';
import { ID_HELP, readId } from '../record-ids.ts';
import { withSubverbs } from '../with-subverbs.ts';

type Options = {
  readonly tenant?: string;
  readonly since?: string;
  readonly backfill?: number;
  readonly field?: readonly string[];
  readonly limit: number;
  readonly share: number;
  readonly yes?: true;
  readonly detach?: true;
};

const HALF = 0.5;
const LISTED = 20;

const addStart = operatorVerb({
  name: 'undo',
  example: `Examples:
  lockstep undo 006Hs00001ABCDEIA5                    shows what would go back of the deal's last change; changes nothing
  lockstep undo 006Hs00001ABCDEIA5 --yes              takes the deal's last change back
  lockstep undo --backfill 3 --yes                    takes back what backfill 3 wrote
  lockstep undo --since 2026-05-01 --field description --yes

A value goes back, on both sides, only where both sides still show what Lockstep wrote; a value that a user changed since
stays. Created records stay. An undo writes as every sync does, is noted in each record's journal, and can be taken back like
any other change. It runs in the worker: Ctrl-C leaves it running. Without --yes exits with 2 when a value waits for a person.`,
  takes: (command) =>
    withScope(command)
      .option('--share <part>', "use at most this part of the vendor's quota", readShare, HALF)
      .option('--yes', 'do it; without this option the command only shows the plan')
      .option('--detach', 'return once the undo has begun'),
  run: async (tools, id: string | undefined, options: Options): Promise<UndoPlan | UndoAnswer> => {
    const tenant = await tools.tenant(options.tenant);
    const wish = wishOf(id, options, tenant.mapping);
    if (options.yes !== true) return planned(tools, tenant, wish, options.limit);
    const ports = {
      undos: await tools.undos(),
      backfills: await tools.backfills(),
      ledger: await tools.ledger(),
      pause,
    };
    const begun = await startUndo(ports, tenant.tenant, wish, options.share);
    return options.detach === true ? begun : follow(tools, tenant.tenant);
  },
  effect: (id, { tenant, since, backfill, field = [], yes }) =>
    yes === true
      ? {
          tenant: { given: tenant },
          details: {
            ...(id === undefined ? {} : { id }),
            ...(since === undefined ? {} : { since }),
            ...(backfill === undefined ? {} : { backfill }),
            fields: field,
          },
        }
      : null,
  deals: (answer) => ('listed' in answer ? [{ tenant: answer.tenant, crmIds: crmIdsOf(answer.listed) }] : []),
  lines: (answer, names) => ('listed' in answer ? undoPlanLines(answer, names) : undoLines(answer)),
  needsAttention: ({ values }) => values.waits > 0,
});

const addStatus = operatorVerb({
  name: 'status',
  description: "show an undo's progress",
  example: `Example:
  lockstep undo status --watch`,
  takes: (command) => tenantOption(command).option('--watch', 'show the progress until the end, or Ctrl-C'),
  run: async (tools, options: { readonly tenant?: string; readonly watch?: true }) => {
    const { tenant } = await tools.tenant(options.tenant);
    return options.watch === true ? follow(tools, tenant) : undoStatus({ undos: await tools.undos() }, tenant);
  },
  effect: 'reads',
  lines: undoLines,
  needsAttention: ({ values }: UndoAnswer) => values.waits > 0,
});

const addPlan = operatorVerb({
  name: 'plan',
  description: 'show what an undo would give back, and its cost; changes nothing',
  example: `Example:
  lockstep undo plan --since 2026-05-01 --field description`,
  takes: withScope,
  run: async (tools, id: string | undefined, options: Options) => {
    const tenant = await tools.tenant(options.tenant);
    return planned(tools, tenant, wishOf(id, options, tenant.mapping), options.limit);
  },
  effect: 'reads',
  deals: ({ tenant, listed }: UndoPlan) => [{ tenant, crmIds: crmIdsOf(listed) }],
  lines: undoPlanLines,
  needsAttention: ({ values }) => values.waits > 0,
});

const addCancel = operatorVerb({
  name: 'cancel',
  description: 'end the undo; values that are on their way still go back',
  example: `Example:
  lockstep undo cancel`,
  takes: tenantOption,
  run: async (tools, options: { readonly tenant?: string }) => {
    const { tenant } = await tools.tenant(options.tenant);
    return cancelUndo({ undos: await tools.undos(), pause }, tenant);
  },
  effect: ({ tenant }) => ({ tenant: { given: tenant } }),
  lines: undoLines,
});

/**
 * `lockstep undo`: restores the values that past writes of Lockstep replaced. Its subcommands show the plan, show the progress and cancel
 * the work.
 */
export const addUndo = withSubverbs(addStart, addPlan, addStatus, addCancel);

function withScope(command: Command): Command {
  return tenantOption(command)
    .argument('[id]', ID_HELP, readId)
    .option('--since <instant>', 'all writes since this instant, such as 2026-05-01', readInstant)
    .option('--backfill <n>', 'all writes of this backfill; lockstep backfill status shows its number', readNumber)
    .option('--field <field>', 'only this field; may be repeated', readFieldNames)
    .option('--limit <n>', 'the number of records listed at most', readLimit, LISTED);
}

function readNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is no number of a backfill.');
}

/**
 * Converts the arguments to a description of the past writes to undo. Throws CliError if the arguments name no writes, or if `--since` and
 * `--backfill` are both given.
 */
function wishOf(
  id: string | undefined,
  { since, backfill, field }: Options,
  names: Parameters<typeof chosenField>[1],
): UndoWish {
  if (id === undefined && since === undefined && backfill === undefined)
    throw new CliError('Say what to take back: an id, --backfill N or --since 2026-05-01.', EXIT.usage);
  if (since !== undefined && backfill !== undefined)
    throw new CliError('--since and --backfill do not go together.', EXIT.usage);
  const scope =
    backfill !== undefined
      ? ({ of: 'backfill', backfill } as const)
      : since === undefined
        ? ({ of: 'last' } as const)
        : ({ of: 'since', since } as const);
  const fields = field?.map((text) => chosenField(text, names));
  return { id: id ?? null, scope, ...(fields === undefined ? {} : { fields: [...new Set(fields)] }) };
}

async function planned(
  tools: OperatorTools,
  tenant: Parameters<typeof planUndo>[1],
  wish: UndoWish,
  limit: number,
): Promise<UndoPlan> {
  return planUndo(await tools.ledger(), tenant, wish, { limit, now: tools.now() });
}

async function follow(tools: OperatorTools, tenant: string): Promise<UndoAnswer> {
  const shutdown = watchShutdown();
  const report = ({ done, found, state }: UndoAnswer) =>
    tools.progress(`${state}: ${done} of ${counted(found, 'record')}`);
  try {
    return await followUndo({ undos: await tools.undos(), pause }, tenant, { signal: shutdown.signal, report });
  } finally {
    shutdown.dispose();
    tools.progress('');
  }
}

export function undoPlanLines(plan: UndoPlan, { named }: DealNames = NO_NAMES): readonly string[] {
  const { tenant, records, values, differing, created, left, cost, listed, isCut } = plan;
  const all = created.crm + created.vendor;
  return [
    `${tenant}: ${counted(values.back, 'value')} of ${counted(records, 'record')} would go back`,
    ...left.map(({ meaning, values: n }) => `  ${counted(n, 'value')} would not: ${meaning}`),
    ...(differing === 0 ? [] : [`  ${counted(differing, 'value')} would then differ between the sides, as before`]),
    ...(all === 0 ? [] : [`  ${counted(all, 'created record')} would stay: Lockstep deletes no record`]),
    `  costs about ${counted(cost.vendorCalls, 'vendor call')} and ${counted(cost.crmCalls, 'Salesforce call')}, ${durationWords(cost.seconds)} at the ${cost.boundBy === 'quota' ? 'vendor’s quota' : 'tenant’s rate'}`,
    ...listed.flatMap(({ crmId, vendorId, key, fields, left: kept, created: made }) => [
      [crmId === null ? null : named(crmId), vendorId].filter((id) => id !== null).join(' ') || key,
      ...fields.map(
        ({ field, sides, differs }) =>
          `  ${field}: back in ${sides.map(sideName).join(' and ')}${differs ? ', both differ as before' : ''}`,
      ),
      ...kept.map(({ field, why }) => `  ${field}: stays (${why})`),
      ...(made.length === 0 ? [] : [`  created in ${made.map(sideName).join(' and ')}: stays`]),
    ]),
    ...(isCut ? [`  only ${listed.length} records are listed; --limit lists more`] : []),
    ...(values.back === 0
      ? []
      : ['  nothing was changed; both sides are read before a value goes back. To do it: the same with --yes']),
  ];
}

function sideName(side: 'crm' | 'vendor'): string {
  return side === 'crm' ? 'Salesforce' : 'the vendor’s record';
}

export function undoLines({ tenant, state, isRunning, found, done, values, outcomes }: UndoAnswer): readonly string[] {
  const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`);
  return [
    `${tenant}: undo ${state}, ${done} of ${counted(found, 'record')}: ${counted(values.back, 'value')} go back, ${values.left} stay because they changed since, ${values.waits} wait for a person`,
    ...(counts.length === 0 ? [] : [`  ${counts.join(', ')}`]),
    ...(isRunning ? [`  it goes on in the worker: lockstep undo status --watch --tenant ${tenant}`] : []),
  ];
}

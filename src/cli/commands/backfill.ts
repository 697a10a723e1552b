import { setTimeout as pause } from 'node:timers/promises';
import { Option } from 'commander';
import type { BackfillOrder } from '../../domain/backfill/backfill.ts';
import { WAITING_STATES } from '../../domain/record/link-state.ts';
import { counted } from '../../domain/values/counted.ts';
import { durationWords } from '../../domain/values/duration.ts';
import {
  type BackfillAnswer,
  type BackfillPorts,
  backfillStatus,
  controlBackfill,
  type Follower,
  followBackfill,
  startBackfill,
} from '../../operator/runs/backfill.ts';
import { watchShutdown } from '../../platform/shutdown.ts';
import { CliError, EXIT } from '../exit.ts';
import { chosenFields, readFieldNames, readInstant, readShare } from '../flags.ts';
import type { OperatorTools } from '../operator-tools.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';
import type { AddVerb } from '../run-verbs.ts';
import { withSubverbs } from '../with-subverbs.ts';

type StartOptions = Pick<BackfillOrder, 'from' | 'share'> & {
  readonly field?: readonly string[];
  readonly tenant?: string;
  readonly since?: string;
  readonly detach?: true;
};

const HALF = 0.5;
const WIDTH = 24;

const addStart = operatorVerb({
  name: 'backfill',
  example: `Examples:
  lockstep plan --since 2026-01-01           shows what the backfill would do, and its cost
  lockstep backfill --since 2026-01-01
  lockstep backfill --since 2026-01-01 --from vendor --share 0.2
  lockstep backfill --since 2026-01-01 --field nextMilestone    syncs one field after a change of the mapping
  lockstep backfill status --watch

A backfill matches every vendor record before it creates any record, so --since should reach back to the oldest vendor
record that may belong to a deal of the CRM. It runs in the worker: Ctrl-C leaves it running. It comes after all other work
and uses at most its share of the vendor's quota. With --field it reads only linked deals and compares the field as if the
sides met for the first time; it creates and links no records, and syncs other due changes as usual. Records that cannot be
matched with certainty wait in lockstep inbox. Exits with 2 when a record waits for a person.`,
  takes: (command) =>
    tenantOption(command)
      .option('--since <instant>', 'sync changes since this instant, such as 2026-01-01', readInstant)
      .addOption(
        new Option('--from <side>', "sync this side's records").choices(['crm', 'vendor', 'both']).default('both'),
      )
      .option('--share <part>', "use at most this part of the vendor's quota", readShare, HALF)
      .option('--field <field>', 'sync only this field, of linked deals; may be repeated', readFieldNames)
      .option('--detach', 'return once the backfill has begun'),
  run: async (tools, options: StartOptions) => {
    const { since, from, share } = options;
    if (since === undefined) throw new CliError('Say since when: --since 2026-01-01.', EXIT.usage);
    const { tenant, mapping } = await tools.tenant(options.tenant);
    const fields = chosenFields(options.field, mapping);
    const ports = await portsOf(tools);
    const result = await startBackfill(ports, tenant, {
      ...{ since, from, share },
      ...(fields === undefined ? {} : { fields }),
    });
    return options.detach === true ? result : follow(tools, ports, tenant);
  },
  effect: ({ tenant, since, from, share, field = [] }) =>
    since === undefined ? null : { tenant: { given: tenant }, details: { since, from, share, fields: field } },
  lines: backfillLines,
  needsAttention: waits,
});

const addStatusOf = operatorVerb({
  name: 'status',
  description: "show a backfill's progress",
  example: `Example:
  lockstep backfill status --watch`,
  takes: (command) => tenantOption(command).option('--watch', 'show the progress until the end, or Ctrl-C'),
  run: async (tools, options: { readonly tenant?: string; readonly watch?: true }) => {
    const { tenant } = await tools.tenant(options.tenant);
    const ports = await portsOf(tools);
    return options.watch === true ? follow(tools, ports, tenant) : backfillStatus(ports, tenant);
  },
  effect: 'reads',
  lines: backfillLines,
  needsAttention: waits,
});

function wordVerb(word: 'pause' | 'resume' | 'cancel', description: string): AddVerb {
  return operatorVerb({
    name: word,
    description,
    example: `Example:
  lockstep backfill ${word}`,
    takes: tenantOption,
    run: async (tools, options: { readonly tenant?: string }) => {
      const { tenant } = await tools.tenant(options.tenant);
      return controlBackfill(await portsOf(tools), tenant, word);
    },
    effect: ({ tenant }) => ({ tenant: { given: tenant } }),
    lines: backfillLines,
  });
}

/**
 * `lockstep backfill`: matches, links and syncs the records that changed in the CRM or at the vendor since a given instant. Its subcommands
 * show, pause, resume and cancel the backfill.
 */
export const addBackfill = withSubverbs(
  addStart,
  addStatusOf,
  wordVerb('pause', 'pause the backfill; records under way finish'),
  wordVerb('resume', 'resume the paused backfill'),
  wordVerb('cancel', 'end the backfill; records that it synced stay'),
);

async function portsOf(tools: OperatorTools): Promise<BackfillPorts> {
  return { backfills: await tools.backfills(), pause };
}

async function follow(tools: OperatorTools, ports: BackfillPorts, tenant: string): Promise<BackfillAnswer> {
  const shutdown = watchShutdown();
  const report: Follower['report'] = (status, isAnswered) => tools.progress(progressLine(status, isAnswered));
  try {
    return await followBackfill(ports, tenant, { signal: shutdown.signal, report });
  } finally {
    shutdown.dispose();
    tools.progress('');
  }
}

/** A line that shows a backfill's progress as a bar. */
export function progressLine(result: BackfillAnswer, isAnswered = true): string {
  const filled = Math.floor(WIDTH * result.fraction);
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}]`;
  if (isAnswered) return `${bar} ${wordsOf(result)}`;
  return `${bar} ${result.done} of ${counted(result.found, 'record')}; no worker answers, and it goes on once one runs`;
}

function wordsOf({ state, phase, found, done, fraction, perSecond, remainingSeconds }: BackfillAnswer): string {
  const where = state === 'running' ? phase : state;
  return [
    `${Math.floor(100 * fraction)} %, ${where}: ${done} of ${counted(found, 'record')}`,
    ...(perSecond === null ? [] : [`${perSecond.toFixed(1)} a second`]),
    ...(remainingSeconds === null || phase === 'over' ? [] : [`about ${durationWords(remainingSeconds)} left`]),
  ].join(', ');
}

export function backfillLines(result: BackfillAnswer): readonly string[] {
  const { tenant, isRunning, state, outcomes, order } = result;
  const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`);
  const of = `--tenant ${tenant}`;
  const next =
    state === 'paused'
      ? `to let it go on: lockstep backfill resume ${of}`
      : `to hold it: lockstep backfill pause ${of}`;
  return [
    `${tenant}${result.number === undefined ? '' : `, backfill ${result.number}`}, since ${order.since}${order.fields === undefined ? '' : `, ${order.fields.join(', ')} alone`}: ${wordsOf(result)}`,
    ...(counts.length === 0 ? [] : [`  ${counts.join(', ')}`]),
    ...(isRunning
      ? [
          `  it goes on in the worker, and this shows how far: lockstep backfill status --watch ${of}`,
          `  ${next}; to end it: lockstep backfill cancel ${of}`,
        ]
      : []),
    ...(state === 'waiting'
      ? [`  it waits for a side that is paused; which, and why: lockstep status --tenant ${tenant}`]
      : []),
    ...(waits(result) ? [`  what waits for a person: lockstep inbox ${of}`] : []),
  ];
}

function waits({ outcomes }: BackfillAnswer): boolean {
  return WAITING_STATES.some((state) => (outcomes[state] ?? 0) > 0);
}

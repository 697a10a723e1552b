import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type ChangedOpportunity, dueOpportunities } from '../../activities/streams/due-opportunities.ts';
import { createStreamActivities } from '../../activities/streams/sources.ts';
import {
  type ChangePage,
  type ChangeStream,
  type Reading,
  readInto,
  readStored,
} from '../../activities/streams/stream.ts';
import type { ActivityDeps, TenantRuntime } from '../../activities/support/deps.ts';
import { OPERATION_GROUPS, type OperationGroup } from '../../src/domain/loop/operation-groups.ts';
import { STREAM_NAMES, STREAMS } from '../../src/domain/streams/streams.ts';
import { stops } from '../../src/domain/streams/work.ts';
import type { QuietMove } from '../../src/ledger/streams/stream-ledger.ts';

const PAGES = 3;

type Numbered = { readonly page: number };
type Pages = readonly (readonly string[])[];

/** A part of a stream with these pages, each with the ids that it shows; its cursor counts them. */
function partOf(part: string, pages: Pages): ChangeStream<Numbered, ChangedOpportunity> {
  return {
    part,
    first: () => ({ page: 0 }),
    readPage: async ({ page }): Promise<ChangePage<Numbered, ChangedOpportunity>> => ({
      items: (pages[page] ?? []).map((crmId) => ({ opportunity: { crmId } })),
      cursor: { page: page + 1 },
      more: page + 1 < pages.length,
    }),
  };
}

const streamOf = (deps: ActivityDeps): Reading => ({
  name: 'changes',
  deps,
  runtime: { tenant: { tenant: 'acme' } } as unknown as TenantRuntime,
});

/** A ledger in memory that writes down what it is asked. What is woken stays due, as long as nobody has carried it out. */
function ledgerOf() {
  const cursors = new Map<string, unknown>();
  const woken: (readonly string[])[] = [];
  const calls: string[] = [];
  let dies = false;
  let seconds = 0;
  const at = (): string => new Date(Date.UTC(2026, 2, 1, 12, 0, seconds)).toISOString();
  /** Since when each waits that is due. */
  let due = new Map([['left', at()]]);
  const deps = {
    now: () => {
      seconds += 1;
      return at();
    },
    wake: async (_tenant: string, keys: readonly string[]) => {
      if (dies) throw new Error('gone before the first signal');
      woken.push(keys);
    },
    ledger: {
      pauses: async () => [],
      cursors: async (_tenant: string, names: readonly string[]) => {
        calls.push(...names.map((name) => `read ${name}`));
        return names.map((name) => cursors.get(name) ?? null);
      },
      saveCursor: async (_tenant: string, name: string, position: unknown) => {
        calls.push(`save ${name}`);
        cursors.set(name, position);
      },
      markDue: async (
        _tenant: string,
        ids: readonly { crmId: string }[],
        _at: string,
        { stream, position }: { stream: string; position: unknown },
      ) => {
        const { unwokenAt: _, ...shown } = position as { unwokenAt?: string };
        calls.push(`mark ${stream} ${JSON.stringify(shown)}`);
        cursors.set(stream, position);
        return ids.map(({ crmId }) => crmId);
      },
      moveCursors: async (_tenant: string, moves: readonly QuietMove[]) => {
        calls.push(`move ${moves.map(({ stream }) => stream).join(', ')}`);
        for (const { stream, position } of moves) cursors.set(stream, position);
      },
      dueKeys: async (_tenant: string, limit: number, olderThan: string) =>
        [...due].flatMap(([key, since]) => (since <= olderThan ? [key] : [])).slice(0, limit),
      markWoken: async (_tenant: string, keys: readonly string[], wokenAt: string) => {
        for (const key of keys) due.set(key, wokenAt);
      },
    },
  } as unknown as ActivityDeps;
  return {
    cursors,
    woken,
    calls,
    leave: (keys: readonly string[]) => {
      due = new Map(keys.map((key) => [key, at()]));
    },
    die: (value: boolean) => {
      dies = value;
    },
    run: (...streams: readonly ChangeStream<Numbered, ChangedOpportunity>[]) =>
      readStored(deps, 'acme', readInto(streamOf(deps), streams, dueOpportunities(deps, 'acme', 'crm')), PAGES),
  };
}

it('goes through all streams, and wakes each record once, when all pages are marked', async () => {
  const { run, calls, woken, cursors } = ledgerOf();
  const result = await run(partOf('a', [['1', '2'], ['2']]), partOf('b', [[]]), partOf('c', [['1', '3']]));
  expect(result).toEqual({ found: 3, more: false });
  expect(woken).toEqual([['1', '2', '3']]);
  expect(calls).toEqual([
    'read changes:a',
    'read changes:b',
    'read changes:c',
    'save changes:a',
    'mark changes:a {"page":1,"unwoken":true}',
    'mark changes:a {"page":2,"unwoken":true}',
    'save changes:b',
    'save changes:c',
    'mark changes:c {"page":1,"unwoken":true}',
    'move changes:b, changes:a, changes:c',
  ]);
  expect([...cursors.values()]).toEqual([{ page: 2 }, { page: 1 }, { page: 1 }]);
});

it('notes together where streams stand that showed nothing, and also when one behind them cannot be read', async () => {
  const { run, calls, cursors } = ledgerOf();
  const broken: ChangeStream<Numbered, ChangedOpportunity> = {
    ...partOf('c', []),
    readPage: () => Promise.reject(new Error('not readable')),
  };
  await run(partOf('a', [[], []]), partOf('b', [[]]));
  expect(calls.at(-1)).toBe('move changes:a, changes:b');
  await expect(run(partOf('a', [[], [], []]), broken)).rejects.toThrow('not readable');
  expect(calls.at(-1)).toBe('move changes:a');
  expect(cursors.get('changes:a')).toEqual({ page: 3 });
});

it('leaves pages beyond its number, and streams behind them, to the next run', async () => {
  const { run, woken } = ledgerOf();
  const streams = [partOf('a', [['1'], ['2'], ['3'], ['4']]), partOf('b', [['5']])];
  expect(await run(...streams)).toEqual({ found: 3, more: true });
  expect(await run(...streams)).toEqual({ found: 2, more: false });
  expect(woken).toEqual([
    ['1', '2', '3'],
    ['4', '5'],
  ]);
});

it('reads one page of each stream at least', async () => {
  const { run } = ledgerOf();
  const result = await run(partOf('a', [['1'], ['2'], ['3']]), partOf('b', [['4'], ['5']]));
  expect(result).toEqual({ found: 4, more: true });
});

it('wakes what a run that died had marked, before all else, and once', async () => {
  const { run, woken, die, cursors } = ledgerOf();
  die(true);
  await expect(run(partOf('a', [['1']]))).rejects.toThrow();
  expect(cursors.get('changes:a')).toMatchObject({ page: 1, unwoken: true });
  die(false);
  await run(partOf('a', [['1'], []]));
  expect(woken).toEqual([['left']]);
  expect(cursors.get('changes:a')).toEqual({ page: 2 });
  await run(partOf('a', [['1'], [], []]));
  expect(woken).toEqual([['left']]);
});

it('a page of very many is marked by one run, and woken by the next ones, some at a time', async () => {
  const { run, woken, leave, cursors } = ledgerOf();
  const many = Array.from({ length: 4_500 }, (_, n) => `record ${n}`);
  leave(many);
  const streams = [partOf('a', [many])];
  expect(await run(...streams)).toEqual({ found: 4_500, more: true });
  expect(woken).toEqual([]);
  const turns: number[] = [];
  for (let more = true; more && turns.length < 10; ) {
    const before = woken.length;
    more = (await run(...streams)).more;
    turns.push(woken.slice(before).flat().length);
  }
  expect(turns).toEqual([2_000, 2_000, 500]);
  expect(woken.flat()).toEqual(many);
  expect(cursors.get('changes:a')).toEqual({ page: 2 });
});

const GROUPS = Object.keys(OPERATION_GROUPS) as readonly OperationGroup[];
const PAUSED = GROUPS.flatMap((group) => STREAM_NAMES.map((stream) => [group, stream] as const));

it.each(PAUSED)('a pause of %s lets %s ask nothing, if it stops it', async (group, stream) => {
  const asked = new Error('asked');
  const deps = {
    ledger: { pausesAndCursors: async () => ({ pauses: [{ group, reason: 'out' }], positions: [] }) },
    runtime: () => {
      throw asked;
    },
  } as unknown as ActivityDeps;
  const result = createStreamActivities(deps)[STREAMS[stream].activity]({ tenant: 'acme' });
  if (stops(group, stream)) await expect(result).rejects.toMatchObject({ type: 'SYSTEMIC', details: [{ group }] });
  else await expect(result).rejects.toBe(asked);
});

it('rows that are no opportunities do not reach the sink that marks them due', () => {
  expect(refusedByTheCompiler).toBeTypeOf('function');
});

/** Never called: `tsc` says whether this is the error that it has to be. */
function refusedByTheCompiler(deps: ActivityDeps): void {
  const orders: ChangeStream<Numbered, { readonly vendorId: string }> = {
    first: () => ({ page: 0 }),
    readPage: async () => ({ items: [{ vendorId: 'an order' }], cursor: { page: 1 }, more: false }),
  };
  // @ts-expect-error what is no opportunity is not marked due: its id would open the link of one
  readInto(streamOf(deps), [orders], dueOpportunities(deps, 'acme', 'vendor'));
}

it('the vendor is asked in one place, which takes the group from the row', () => {
  const folder = new URL('../../activities/streams/', import.meta.url);
  const asking = readdirSync(folder).filter((file) =>
    readFileSync(new URL(file, folder), 'utf8').includes('support/vendor-request.ts'),
  );
  expect(asking, 'a stream asks by vendorPages, vendorPeriods or askVendor').toEqual(['ask-vendor.ts']);
});

import { expect, it } from 'vitest';
import { type ChangePage, type ChangeStream, takeInChanges } from '../../activities/streams/stream.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import type { OperationGroup } from '../../src/domain/loop/operation-groups.ts';

const RUN = { work: 'crm-changes', cause: 'crm', pages: 3 } as const;

type Numbered = { readonly page: number };
type Pages = readonly (readonly string[])[];

/** A stream of these pages, each with the ids that it shows; its cursor counts them. */
function streamOf(name: string, pages: Pages): ChangeStream<Numbered> {
  return {
    name,
    first: () => ({ page: 0 }),
    readPage: async ({ page }): Promise<ChangePage<Numbered>> => ({
      ids: (pages[page] ?? []).map((crmId) => ({ crmId })),
      cursor: { page: page + 1 },
      more: page + 1 < pages.length,
    }),
  };
}

/** A ledger in memory that writes down what it is asked. */
function ledgerOf(pauses: readonly { readonly group: OperationGroup; readonly reason: string }[] = []) {
  const cursors = new Map<string, unknown>();
  const woken: (readonly string[])[] = [];
  const calls: string[] = [];
  let dies = false;
  const deps = {
    now: () => '2026-03-01T12:00:00.000Z',
    wake: async (_tenant: string, keys: readonly string[]) => {
      if (dies) throw new Error('gone before the first signal');
      woken.push(keys);
    },
    ledger: {
      pauses: async () => pauses,
      cursor: async (_tenant: string, name: string) => {
        calls.push(`read ${name}`);
        return cursors.get(name) ?? null;
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
        calls.push(`mark ${stream} ${JSON.stringify(position)}`);
        cursors.set(stream, position);
        return ids.map(({ crmId }) => crmId);
      },
      dueKeys: async () => ['left'],
      markWoken: async () => {},
    },
  } as unknown as ActivityDeps;
  return {
    cursors,
    woken,
    calls,
    die: (value: boolean) => {
      dies = value;
    },
    run: (...streams: readonly ChangeStream<Numbered>[]) => takeInChanges(deps, 'acme', streams, RUN),
  };
}

it('goes through all streams, and wakes each record once, when all pages are marked', async () => {
  const { run, calls, woken, cursors } = ledgerOf();
  const told = await run(
    streamOf('a', [['1', '2'], ['2']]),
    streamOf('b', [[]]),
    streamOf('c', [['1', '3']]),
  );
  expect(told).toEqual({ found: 3, more: false, cursors: [{ page: 2 }, { page: 1 }, { page: 1 }] });
  expect(woken).toEqual([['1', '2', '3']]);
  expect(calls).toEqual([
    'read a',
    'read b',
    'read c',
    'mark a {"page":1,"unwoken":true}',
    'mark a {"page":2,"unwoken":true}',
    'mark b {"page":1}',
    'mark c {"page":1,"unwoken":true}',
    'save a',
    'save c',
  ]);
  expect([...cursors.values()]).toEqual([{ page: 2 }, { page: 1 }, { page: 1 }]);
});

it('keeps the note while a later page of the stream shows nothing', async () => {
  const { run, calls, cursors } = ledgerOf();
  await run(streamOf('a', [[], ['1'], []]));
  expect(calls.filter((call) => call.startsWith('mark'))).toEqual([
    'mark a {"page":1}',
    'mark a {"page":2,"unwoken":true}',
    'mark a {"page":3,"unwoken":true}',
  ]);
  expect(cursors.get('a')).toEqual({ page: 3 });
});

it('leaves pages beyond its number, and streams behind them, to the next run', async () => {
  const { run, woken } = ledgerOf();
  const streams = [streamOf('a', [['1'], ['2'], ['3'], ['4']]), streamOf('b', [['5']])];
  expect(await run(...streams)).toEqual({ found: 3, more: true, cursors: [{ page: 3 }] });
  expect(await run(...streams)).toEqual({ found: 2, more: false, cursors: [{ page: 4 }, { page: 1 }] });
  expect(woken).toEqual([
    ['1', '2', '3'],
    ['4', '5'],
  ]);
});

it('reads one page of each stream at least', async () => {
  const { run } = ledgerOf();
  const told = await run(streamOf('a', [['1'], ['2'], ['3']]), streamOf('b', [['4'], ['5']]));
  expect(told).toEqual({ found: 4, more: true, cursors: [{ page: 3 }, { page: 1 }] });
});

it('wakes what a run that died had marked, before all else, and once', async () => {
  const { run, woken, die, cursors } = ledgerOf();
  die(true);
  await expect(run(streamOf('a', [['1']]))).rejects.toThrow();
  expect(cursors.get('a')).toEqual({ page: 1, unwoken: true });
  die(false);
  await run(streamOf('a', [['1'], []]));
  expect(woken).toEqual([['left']]);
  expect(cursors.get('a')).toEqual({ page: 2 });
  await run(streamOf('a', [['1'], [], []]));
  expect(woken).toEqual([['left']]);
});

it('is refused while a pause stops it, and by no other', async () => {
  const paused = (group: OperationGroup) => ledgerOf([{ group, reason: 'out' }]);
  for (const group of ['salesforce', 'whole-tenant'] as const) {
    const { run, calls } = paused(group);
    await expect(run(streamOf('a', [['1']]))).rejects.toMatchObject({
      type: 'SYSTEMIC',
      details: [{ group }],
    });
    expect(calls).toEqual([]);
  }
  for (const group of ['vendor-sales', 'vendor-order'] as const)
    expect(await paused(group).run(streamOf('a', [['1']]))).toMatchObject({ found: 1 });
});

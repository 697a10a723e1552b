import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { catalogStatus, refreshCatalog } from '../../../src/operator/runs/catalog.ts';

const AT = '2027-01-04T08:00:00.000Z';

describe('a refresh that somebody asks for', () => {
  it('is noted first, so that one that is under way is followed by another', async () => {
    const done: string[] = [];
    const ledger = {
      saveCursor: async (_: string, stream: string, position: unknown) => {
        done.push(`${stream} ${JSON.stringify(position)}`);
      },
    } as unknown as Ledger;
    const starts = {
      start: async (_: string, stream: string) => {
        done.push(`start ${stream}`);
        return stream === 'refreshCatalog';
      },
    };
    expect(await refreshCatalog({ ledger, starts }, 'acme', AT)).toEqual({
      tenant: 'acme',
      begun: ['refreshCatalog'],
    });
    expect(done).toEqual([
      `asked refreshCatalog {"at":"${AT}"}`,
      'start refreshCatalog',
      `asked refreshPortfolio {"at":"${AT}"}`,
      'start refreshPortfolio',
    ]);
  });
});

describe('the status of the catalog', () => {
  const ledgerOf = (cursor: object | null) =>
    ({
      cursor: async (_: string, stream: string) => (stream === 'refreshCatalog' ? cursor : null),
      streamReads: async () => [
        { stream: 'refreshCatalog', readAt: AT, parkedRows: 0, refusedRows: { STRING_TOO_LONG: 2 } },
      ],
      countCatalog: async () => [{ object: 'entry', shown: 9, pending: 1, held: { 'currency JPY': 4 } }],
    }) as unknown as Ledger;

  it('says what is under way, what could not be read, what waits and why', async () => {
    const cursor = {
      refresh: AT,
      position: {},
      begunAt: AT,
      doneAt: null,
      failed: ['prices 4'],
      awaited: [],
    };
    const { parts, kinds } = await catalogStatus(ledgerOf(cursor), 'acme');
    expect(parts).toEqual([
      {
        stream: 'refreshCatalog',
        runningSince: AT,
        begunAt: AT,
        doneAt: null,
        failed: ['prices 4'],
        refused: { STRING_TOO_LONG: 2 },
      },
      {
        stream: 'refreshPortfolio',
        runningSince: null,
        begunAt: null,
        doneAt: null,
        failed: [],
        refused: {},
      },
    ]);
    expect(kinds).toHaveLength(11);
    expect(kinds.find(({ kind }) => kind === 'entry')).toEqual({
      kind: 'entry',
      shown: 9,
      pending: 1,
      held: { 'currency JPY': 4 },
    });
    expect(kinds.find(({ kind }) => kind === 'offer')).toMatchObject({ shown: 0 });
  });
});

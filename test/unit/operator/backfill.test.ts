import { describe, expect, it } from 'vitest';
import type { BackfillRunStatus } from '../../../src/intake/backfill.ts';
import { Unanswered } from '../../../src/intake/single-run.ts';
import {
  type BackfillPorts,
  backfillStatus,
  controlBackfill,
  followBackfill,
  startBackfill,
} from '../../../src/operator/runs/backfill.ts';

const ORDER = { since: '2027-01-01T00:00:00.000Z', from: 'both', share: 0.5 } as const;
const BEGUN: BackfillRunStatus = {
  order: ORDER,
  state: 'running',
  isRunning: true,
  phase: 'match',
  ...{ found: 10, done: 0, inFlight: 0, fraction: 0.1, perSecond: null, remainingSeconds: 60, outcomes: {} },
};
const ENDED: Partial<BackfillRunStatus> = { isRunning: false, state: 'done', phase: 'over' };

/** A tenant whose backfill becomes, look by look, what this list says; the last one stays. */
function tenantWith(looks: readonly (Partial<BackfillRunStatus> | null)[]) {
  let look = -1;
  const result: string[] = [];
  const isRunning = () => looks[Math.max(0, look)]?.isRunning ?? looks[0] !== null;
  const ports: BackfillPorts = {
    backfills: {
      start: async () => looks[0] === null || !isRunning(),
      status: async () => {
        look = Math.min(look + 1, looks.length - 1);
        const at = looks[look] ?? null;
        return at === null ? null : { ...BEGUN, ...at };
      },
      tell: async (_tenant, word) => {
        if (!isRunning()) return false;
        result.push(word);
        return true;
      },
    },
    pause: async () => undefined,
  };
  return { ports, result };
}

describe('a backfill', () => {
  it('is begun where none is under way', async () => {
    expect(await startBackfill(tenantWith([ENDED, {}]).ports, 'acme', ORDER)).toMatchObject({
      tenant: 'acme',
    });
    await expect(startBackfill(tenantWith([{}]).ports, 'acme', ORDER)).rejects.toThrow(
      'lockstep backfill status --tenant acme',
    );
  });

  it('that there never was has no status', async () => {
    await expect(backfillStatus(tenantWith([null]).ports, 'acme')).rejects.toThrow('There was no backfill');
  });

  it('is followed on while no worker answers, and so is reported where it stood', async () => {
    const looks: [number, boolean][] = [];
    const { ports } = tenantWith([{ done: 1 }, { done: 2 }, { ...ENDED, done: 3 }]);
    const { status } = ports.backfills;
    const answers = [true, false, false, true, true];
    const backfills = {
      ...ports.backfills,
      status: async (tenant: string) => {
        if (answers.shift() === false) throw new Unanswered('no worker answers');
        return status(tenant);
      },
    };
    const report = ({ done }: { readonly done: number }, isAnswered: boolean) => void looks.push([done, isAnswered]);
    const signal = new AbortController().signal;
    expect(await followBackfill({ ...ports, backfills }, 'acme', { signal, report })).toMatchObject({
      done: 3,
    });
    expect(looks).toEqual([
      [1, true],
      [1, false],
      [1, false],
      [2, true],
    ]);
  });

  it('that nobody has reported yet is not followed where no worker answers', async () => {
    const { ports } = tenantWith([{}]);
    const status = () => Promise.reject(new Unanswered('no worker answers'));
    const look = { signal: new AbortController().signal, report: () => undefined };
    const backfills = { ...ports.backfills, status };
    await expect(followBackfill({ ...ports, backfills }, 'acme', look)).rejects.toThrow('no worker answers');
  });

  it.each([
    ['pause', [{}, { state: 'paused' }]],
    ['resume', [{ state: 'paused' }, { state: 'running' }]],
    ['cancel', [{}, { isRunning: false, state: 'cancelled' }]],
  ] as const)('is asked to %s, and follows', async (word, looks) => {
    const { ports, result } = tenantWith(looks);
    expect(await controlBackfill(ports, 'acme', word)).toMatchObject(looks[1]);
    expect(result).toEqual([word]);
  });

  it('that has ended learns nothing', async () => {
    await expect(controlBackfill(tenantWith([ENDED]).ports, 'acme', 'pause')).rejects.toThrow('No backfill');
  });
});

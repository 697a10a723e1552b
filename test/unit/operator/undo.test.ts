import { expect, it } from 'vitest';
import { NOTHING_UNDONE, type UndoRunOrder } from '../../../src/domain/backfill/undo-run.ts';
import type { UndoRunStatus } from '../../../src/intake/undo.ts';
import { cancelUndo, followUndo, startUndo, undoStatus } from '../../../src/operator/runs/undo.ts';

/** Starting and following an undo. */

const WISH = { id: 'C1', scope: { of: 'last' } } as const;
const SHARE = 0.5;

function portsOf({ isFree = true, backfills = false, states = ['running', 'done'] as UndoRunStatus['state'][] } = {}) {
  const orders: UndoRunOrder[] = [];
  const status = async (): Promise<UndoRunStatus | null> => {
    const [state] = states.length > 1 ? states.splice(0, 1) : states;
    if (state === undefined) return null;
    return { ...NOTHING_UNDONE, state, isRunning: state === 'running', order: orders[0] as UndoRunOrder };
  };
  const undos = {
    start: async (_: string, order: UndoRunOrder) => isFree && orders.push(order) > 0,
    status,
    cancel: async () => isFree,
  };
  const ledger = {
    findLink: async (_: string, key: string) => (key === 'C1' ? ({ key } as never) : null),
    findLinkByIds: async () => null,
  };
  const own = { status: async () => (backfills ? ({ isRunning: true } as never) : null) };
  return { ports: { undos, ledger, backfills: own, pause: async () => {} }, orders };
}

it('starts an undo in the name of the person who orders it', async () => {
  const { ports, orders } = portsOf();
  expect(await startUndo(ports, 'acme', WISH, SHARE)).toMatchObject({ shape: 'undo/1', state: 'running' });
  expect(orders).toEqual([{ scope: { of: 'last' }, key: 'C1', share: 0.5 }]);
});

it.each([
  ['an undo', { isFree: false }, /undo of acme is under way/],
  ['a backfill', { backfills: true }, /backfill of acme is under way/],
] as const)('starts none beside %s', async (_, state, message) => {
  await expect(startUndo(portsOf(state).ports, 'acme', WISH, SHARE)).rejects.toThrow(message);
});

it('refuses a record that nobody knows', async () => {
  const wish = { ...WISH, id: 'C2' };
  await expect(startUndo(portsOf().ports, 'acme', wish, SHARE)).rejects.toMatchObject({ name: 'UnknownRecord' });
});

it('reports the progress until the end', async () => {
  const { ports } = portsOf();
  const seen: string[] = [];
  const report = ({ state }: { state: string }) => void seen.push(state);
  const last = await followUndo(ports, 'acme', { signal: new AbortController().signal, report });
  expect([seen, last.state]).toEqual([['running'], 'done']);
});

it('says that there was none, and that none is under way', async () => {
  await expect(undoStatus(portsOf({ states: [] }).ports, 'acme')).rejects.toThrow(/There was no undo/);
  await expect(cancelUndo(portsOf({ isFree: false }).ports, 'acme')).rejects.toThrow(/No undo of acme is under way/);
});

import { expect, test } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { ledgerInTurns } from '../../../src/worker/ledger-in-turns.ts';

/** A ledger whose calls end when the test says so. */
function slowLedger() {
  const under: PromiseWithResolvers<null>[] = [];
  const findLink = (): Promise<null> => {
    const call = Promise.withResolvers<null>();
    under.push(call);
    return call.promise;
  };
  return { ledger: { findLink } as unknown as Ledger, under };
}

test('what lanes ask waits for its turn, in order, and what others ask of the same ledger does not', async () => {
  const { ledger, under } = slowLedger();
  const inTurns = ledgerInTurns(ledger, 2);
  const asked = [1, 2, 3, 4].map((n) => inTurns.findLink('acme', `C${n}`));
  expect(under).toHaveLength(2);
  void ledger.findLink('acme', 'C9');
  expect(under).toHaveLength(3);
  under[0]?.resolve(null);
  await asked[0];
  await Promise.resolve();
  expect(under).toHaveLength(4);
});

test('a call that fails leaves its place to the next', async () => {
  const { ledger, under } = slowLedger();
  const inTurns = ledgerInTurns(ledger, 1);
  const [first, second] = [inTurns.findLink('acme', 'C1'), inTurns.findLink('acme', 'C2')];
  under[0]?.reject(new Error('out'));
  await expect(first).rejects.toThrow('out');
  under[1]?.resolve(null);
  expect(await second).toBeNull();
});

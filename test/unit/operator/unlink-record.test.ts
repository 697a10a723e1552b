import { expect, it } from 'vitest';
import { type UnlinkPorts, unlinkRecord } from '../../../src/operator/records/unlink-record.ts';

type Pair = { readonly crmId: string | null; readonly vendorId: string | null };

function tools({ link, barred = [], isPair = true }: { link: Pair | null; barred?: string[]; isPair?: boolean }) {
  const unlinked: unknown[] = [];
  const looked: unknown[] = [];
  const ports = {
    intake: {
      requestSync: async (_: string, ids: unknown) => {
        looked.push(ids);
        return { workflowId: `w${looked.length}` };
      },
    },
    ledger: {
      findLink: async () => null,
      findLinkByIds: async () => link,
      barredFrom: async () => barred,
      unlink: async (_: string, pair: unknown) => {
        unlinked.push(pair);
        return isPair;
      },
    },
  };
  return { ports: ports as unknown as UnlinkPorts, unlinked, looked };
}

const PAIR = { crmId: 'C1', vendorId: 'V1' };

it('separates the pair of a record, and has both looked at', async () => {
  const { ports, unlinked, looked } = tools({ link: PAIR });
  const answer = await unlinkRecord(ports, 'acme', 'V1', 'now');
  expect(answer).toEqual({ tenant: 'acme', ...PAIR, workflowIds: ['w1', 'w2'] });
  expect([unlinked, looked]).toEqual([[PAIR], [{ crmId: 'C1' }, { vendorId: 'V1' }]]);
});

it.each([
  ['nothing is known', { link: null }, 'Nothing is known of X'],
  ['it has no counterpart', { link: { crmId: 'C1', vendorId: null } }, 'X is linked to no record of the other side.'],
  [
    'it was separated before',
    { link: { crmId: null, vendorId: 'V1' }, barred: ['C1', 'C2'] },
    'X is linked to no record of the other side, and was separated from C1, C2.',
  ],
  ['another was quicker', { link: PAIR, isPair: false }, 'linked otherwise meanwhile'],
])('refuses where %s, and wakes nobody', async (_, given, sentence) => {
  const { ports, looked } = tools(given);
  await expect(unlinkRecord(ports, 'acme', 'X', 'now')).rejects.toThrow(sentence);
  expect(looked).toEqual([]);
});

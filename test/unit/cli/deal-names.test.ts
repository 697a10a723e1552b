import { expect, it, vi } from 'vitest';
import { conflictLines } from '../../../src/cli/commands/conflicts.ts';
import { inboxLines } from '../../../src/cli/commands/inbox.ts';
import { readDealNames } from '../../../src/cli/deal-names.ts';
import { ISSUES } from '../../../src/domain/record/issues.ts';
import type { Inbox } from '../../../src/operator/status/inbox.ts';

const DEAL = '006Hs00001ABCDEIA5';

function orgWith(rows: readonly object[] | Error) {
  const rowsWith = vi.fn(async (..._: readonly unknown[]) => {
    if (rows instanceof Error) throw rows;
    return rows;
  });
  const readable = async () => ({ crm: { rowsWith } }) as never;
  return { rowsWith, readable };
}

it('names listed deals by one query for a tenant, and for no more deals than it takes', async () => {
  const { rowsWith, readable } = orgWith([{ Id: DEAL, Name: 'Wind farm' }]);
  const many = Array.from({ length: 500 }, (_, at) => `006${at}`);
  const names = await readDealNames(readable, [
    { tenant: 'acme', crmIds: [DEAL, ...many, DEAL] },
    { tenant: 'none', crmIds: [] },
  ]);
  expect(rowsWith).toHaveBeenCalledTimes(1);
  const [{ object, values, fields }] = rowsWith.mock.calls[0] as never as [
    { object: string; values: string[]; fields: string[] },
  ];
  expect([object, values.length, fields]).toEqual(['Opportunity', 100, ['Name']]);
  expect([names.named(DEAL), names.named('006X')]).toEqual([`${DEAL} "Wind farm"`, '006X']);
  expect(names.notes).toEqual(['Names are shown for 100 deals of 5 tenants at most.']);
});

it('shows ids alone, and says so, where the org cannot be read', async () => {
  const { readable } = orgWith(new Error('INVALID_SESSION_ID'));
  const names = await readDealNames(readable, [{ tenant: 'acme', crmIds: [DEAL] }]);
  expect(names.named(DEAL)).toBe(DEAL);
  expect(names.notes).toEqual(['Only ids are shown: the org of acme cannot be read from here.']);
});

it('stands behind the id in inbox and conflicts, and in no command to type', async () => {
  const { readable } = orgWith([{ Id: DEAL, Name: 'Wind farm' }]);
  const names = await readDealNames(readable, [{ tenant: 'acme', crmIds: [DEAL] }]);
  const records = [
    {
      key: DEAL,
      crmId: DEAL,
      vendorId: 'LO-1',
      state: 'conflict',
      updatedAt: '',
      issues: [ISSUES.conflict('description')],
    },
  ] as unknown as Inbox['records'];
  const causes = [{ code: 'conflict', records: 1, meaning: 'm', repair: 'r' }] as const;
  const inbox = { tenant: 'acme', causes, records, ownerNotices: [] } as unknown as Inbox;
  expect(inboxLines(inbox, names)).toContain(`  ${DEAL} "Wind farm"`);
  expect(conflictLines(inbox, names)).toEqual([
    expect.stringContaining(`${DEAL} "Wind farm" description: The description was changed on both sides`),
    expect.not.stringContaining('Wind'),
    expect.not.stringContaining('Wind'),
  ]);
});

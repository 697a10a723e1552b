/** The close date that Salesforce chose for an opportunity when it converted a lead. */
import { expect, test } from 'vitest';
import { closeDateBySalesforce } from '../../../../src/domain/mapping/leads/close-date.ts';

const CREATED = '2026-11-30T09:00:00.000Z';
const AT_ONCE = '2026-11-30T09:00:01.000Z';
const LATER = '2026-11-30T09:10:00.000Z';

test.each([
  ['the quarter’s last day', '2026-12-31', CREATED, LATER, true],
  ['another day of the quarter', '2026-12-30', CREATED, AT_ONCE, false],
  ['the next quarter’s last day', '2027-03-31', CREATED, AT_ONCE, false],
  ['the last quarter’s last day', '2026-09-30', CREATED, AT_ONCE, false],
  ['the end of a fiscal quarter, on an unchanged opportunity', '2027-01-31', CREATED, AT_ONCE, true],
  ['the same, on an opportunity that was changed since', '2027-01-31', CREATED, LATER, false],
  ['the present month’s end, on an unchanged opportunity', '2026-11-30', CREATED, AT_ONCE, true],
  ['a month’s end after the quarter', '2027-02-28', CREATED, AT_ONCE, false],
  [
    'the quarter’s last day where the new year has begun already',
    '2027-03-31',
    '2026-12-31T23:30:00.000Z',
    LATER,
    true,
  ],
  ['the quarter’s last day where the old year still lasts', '2026-12-31', '2027-01-01T00:30:00.000Z', LATER, true],
  ['no date', null, CREATED, AT_ONCE, false],
  ['a date of an opportunity whose creation is hidden', '2026-12-31', null, AT_ONCE, false],
])('%s', (_, CloseDate, CreatedDate, SystemModstamp, isChosen) => {
  const lead = { SystemModstamp: CreatedDate };
  const now = String(CreatedDate);
  const chosen = closeDateBySalesforce(lead, { CloseDate, CreatedDate, SystemModstamp }, now);
  expect(chosen).toBe(isChosen ? CloseDate : null);
});

test.each([
  ['an opportunity that was there before the conversion', '2026-11-30T09:00:16.000Z', AT_ONCE],
  ['an opportunity of yesterday, because a user has seen its date', CREATED, '2026-12-01T09:00:01.000Z'],
])('not the date of %s', (_, convertedAt, now) => {
  const opportunity = { CloseDate: '2026-12-31', CreatedDate: CREATED, SystemModstamp: CREATED };
  expect(closeDateBySalesforce({ SystemModstamp: convertedAt }, opportunity, now)).toBeNull();
});

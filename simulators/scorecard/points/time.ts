import assert from 'node:assert/strict';
import { answers, DEAL, type OrgUnderTest, type Point, records, refuses } from './point.ts';

const REST = 'REST API Developer Guide';
const SOAP = 'SOAP API Developer Guide';
const SOQL = 'SOQL and SOSL Reference, "Date Formats and Date Literals in WHERE"';

async function nowOf(org: OrgUnderTest): Promise<number> {
  const { body } = await org.admin('GET', 'clock');
  return Date.parse((body as { now: string }).now);
}

/** The list of what changed from so long ago to so long from now, in milliseconds. */
async function changes(org: OrgUnderTest, kind: 'updated' | 'deleted', fromMs: number, toMs: number) {
  const nowMs = await nowOf(org);
  const [start, end] = [fromMs, toMs].map((ms) => new Date(nowMs + ms).toISOString());
  return org.call('GET', `/sobjects/Opportunity/${kind}?start=${start}&end=${end}`);
}

/** Stamps, the lists of changes, and dates that are relative to now. */
export const TIME_POINTS: readonly Point[] = [
  {
    claim: 'CreatedDate, LastModifiedDate and SystemModstamp hold whole seconds.',
    source: 'Values of these fields as every published answer shows them: `.000+0000`',
    sure: 'published',
    holds: async (org) => {
      const id = await org.make('Account', { Name: 'A' });
      const { body } = await org.call('GET', `/sobjects/Account/${id}`);
      for (const name of ['CreatedDate', 'LastModifiedDate', 'SystemModstamp']) {
        const value = String((body as Record<string, unknown>)[name]);
        assert.match(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000\+0000$/);
      }
    },
  },
  {
    claim: 'updated lists rows by SystemModstamp, and ignores the seconds of both ends.',
    source: `${REST}, "sObject Get Updated"; ${SOAP}, "getUpdated()"`,
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Opportunity', DEAL);
      await org.pass(120_000);
      answers(await changes(org, 'updated', -180_000, 0), 200, { ids: [id] });
      answers(await changes(org, 'updated', -60_000, 0), 200, { ids: [] });
    },
  },
  {
    claim: 'deleted lists what was deleted, with the time of it.',
    source: `${REST}, "sObject Get Deleted"`,
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Opportunity', DEAL);
      await org.call('DELETE', `/sobjects/Opportunity/${id}`);
      await org.pass(120_000);
      const listed = await changes(org, 'deleted', -240_000, 0);
      answers(listed, 200, { deletedRecords: [{ id }] });
      assert.ok('earliestDateAvailable' in (listed.body as object));
    },
  },
  {
    claim: 'A period of less than a minute, and one that begins 31 days ago, are INVALID_REPLICATION_DATE.',
    source: `${SOAP}, "getUpdated()": Rules and Guidelines`,
    sure: 'documented',
    holds: async (org) => {
      refuses(await changes(org, 'updated', 0, 0), 400, 'INVALID_REPLICATION_DATE');
      refuses(await changes(org, 'updated', -31 * 86_400_000, 0), 400, 'INVALID_REPLICATION_DATE');
    },
  },
  {
    claim: 'While a transaction is open, latestDateCovered is its start; its row is in neither list nor query.',
    source: `${SOAP}, "GetUpdatedResult": latestDateCovered`,
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Opportunity', DEAL);
      await org.pass(600_000);
      const startMs = await nowOf(org);
      const writes = [{ update: id, set: { Name: 'Late' } }];
      await org.admin('POST', 'transactions', { writes, commitAfterMs: 3_600_000 });
      await org.pass(600_000);
      const covered = (await changes(org, 'updated', -900_000, 0)).body as { latestDateCovered: string };
      assert.ok(Date.parse(covered.latestDateCovered.replace('+0000', 'Z')) <= startMs);
      assert.deepEqual(records(await org.query('SELECT Name FROM Opportunity')), [{ Name: 'Deal' }]);
      await org.pass(3_600_000);
      assert.deepEqual(records(await org.query('SELECT Name FROM Opportunity')), [{ Name: 'Late' }]);
    },
  },
  {
    claim: 'A row that an open transaction saved cannot be written by another: UNABLE_TO_LOCK_ROW.',
    source: `${SOAP}, "API Fault and Status Codes": UNABLE_TO_LOCK_ROW`,
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Opportunity', DEAL);
      const writes = [{ update: id, set: { Name: 'Late' } }];
      await org.admin('POST', 'transactions', { writes, commitAfterMs: 3_600_000 });
      const refused = await org.call('PATCH', `/sobjects/Opportunity/${id}`, { NextStep: 'x' });
      refuses(refused, 400, 'UNABLE_TO_LOCK_ROW');
    },
  },
  {
    claim: 'TODAY is the day of the user’s time zone.',
    source: `${SOQL}; Salesforce Help, "Set Your Time Zone"`,
    sure: 'published',
    holds: async (org) => {
      const nowMs = await nowOf(org);
      const day = new Date(nowMs);
      day.setUTCHours(23, 30, 0, 0);
      await org.pass(day.getTime() - nowMs);
      const tomorrow = new Date(day.getTime() + 86_400_000).toISOString().slice(0, 10);
      await org.make('Opportunity', { ...DEAL, CloseDate: tomorrow });
      const count = async () => records(await org.query('SELECT Id FROM Opportunity WHERE CloseDate = TODAY')).length;
      // The users of a new org live in Paris, where it is past midnight.
      assert.equal(await count(), 1);
      const users = records(await org.query('SELECT Id FROM User'));
      for (const { Id } of users) await org.call('PATCH', `/sobjects/User/${Id}`, { TimeZoneSidKey: 'UTC' });
      assert.equal(await count(), 0);
    },
  },
  {
    claim: 'LAST_N_DAYS:1 holds yesterday and today.',
    source: SOQL,
    sure: 'documented',
    holds: async (org) => {
      const nowMs = await nowOf(org);
      // The days of the user, who lives in Paris.
      const at = (days: number) =>
        new Date(nowMs + days * 86_400_000).toLocaleDateString('en-CA', { timeZone: 'Europe/Paris' });
      for (const days of [-3, -1, 0, 3]) await org.make('Opportunity', { ...DEAL, CloseDate: at(days) });
      const found = await org.query('SELECT Id FROM Opportunity WHERE CloseDate = LAST_N_DAYS:1');
      assert.equal(records(found).length, 2);
    },
  },
  {
    claim: 'Date functions count in UTC, and in the user’s zone by convertTimezone.',
    source: 'SOQL and SOSL Reference, "convertTimezone()"',
    sure: 'documented',
    holds: async (org) => {
      await org.make('Account', { Name: 'A' });
      const hour = async (value: string) => {
        const soql = `SELECT HOUR_IN_DAY(${value}) h FROM Account GROUP BY HOUR_IN_DAY(${value})`;
        return Number(records(await org.query(soql))[0]?.['h']);
      };
      const ahead = ((await hour('convertTimezone(CreatedDate)')) - (await hour('CreatedDate')) + 24) % 24;
      assert.ok(ahead === 1 || ahead === 2, `Paris is ${ahead} hours ahead`);
    },
  },
  {
    claim: 'If-Unmodified-Since before the last change is 412, and the row stays as it is.',
    source: `${REST}, "Conditional Request Headers"`,
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Account', { Name: 'A' });
      const headers = { 'if-unmodified-since': new Date((await nowOf(org)) - 3_600_000).toUTCString() };
      const refused = await org.call('PATCH', `/sobjects/Account/${id}`, { Name: 'B' }, headers);
      assert.equal(refused.status, 412);
      answers(await org.call('GET', `/sobjects/Account/${id}`), 200, { Name: 'A' });
    },
  },
  {
    claim: 'If-Modified-Since after the last change is 304 without a body.',
    source: `${REST}, "Conditional Request Headers"`,
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Account', { Name: 'A' });
      const headers = { 'if-modified-since': new Date((await nowOf(org)) + 60_000).toUTCString() };
      answers(await org.call('GET', `/sobjects/Account/${id}`, undefined, headers), 304, '');
    },
  },
];

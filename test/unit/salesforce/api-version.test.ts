import { beforeEach, expect, it } from 'vitest';
import { createVersionCheck } from '../../../src/salesforce/api-version.ts';
import { classifyAnswer, crmError } from '../../../src/salesforce/classify.ts';
import type { CrmError } from '../../../src/salesforce/errors.ts';

const LACKING = { kind: 'systemic', code: 'UNSUPPORTED_API_VERSION' };
const gone = classifyAnswer(404, [{ errorCode: 'NOT_FOUND', message: 'The requested resource does not exist' }]);
const retired = classifyAnswer(410, [{ errorCode: 'GONE', message: 'This version of the API is retired.' }]);
const RECORD = '/sobjects/Opportunity/006000000000001AAA';

let lists: number;
let nowMs: number;
let served: readonly string[] | CrmError;
beforeEach(() => {
  [lists, nowMs, served] = [0, 0, ['31.0', '67.0']];
});

function check() {
  const meant = createVersionCheck('67.0', () => nowMs);
  return (error: unknown, path = RECORD) =>
    meant(error, path, async () => {
      lists += 1;
      if (served instanceof Error) throw served;
      return served.map((version) => ({ label: version, url: `/services/data/v${version}`, version }));
    });
}

it.each([
  ['a missing record', gone, RECORD, ['67.0'], gone],
  ['a missing object', gone, '/sobjects/Tactic__c/describe', ['67.0'], gone],
  ['a missing version, asked for a record', gone, RECORD, ['66.0'], LACKING],
  ['a missing version, asked for a query', gone, '/query?q=SELECT+Id', ['66.0'], LACKING],
  ['a retired version', retired, '/query?q=SELECT+Id', ['67.0'], LACKING],
  ['another refusal', crmError('permanent', 'STRING_TOO_LONG'), RECORD, [], { code: 'STRING_TOO_LONG' }],
])('%s is that', async (_, error, path, versions, expected) => {
  served = versions;
  expect(await check()(error, path)).toMatchObject(expected);
});

it('reads the versions once in ten minutes for records, and each time where no record is asked for', async () => {
  const meant = check();
  await meant(gone);
  await meant(gone);
  expect(lists).toBe(1);
  served = ['66.0'];
  expect(await meant(gone, '/composite')).toMatchObject(LACKING);
  nowMs = 11 * 60_000;
  expect(await meant(gone)).toMatchObject(LACKING);
  expect(lists).toBe(3);
});

it('takes nothing for gone while the versions cannot be read', async () => {
  served = crmError('transient', 'TIMEOUT');
  await expect(check()(gone)).rejects.toMatchObject({ kind: 'transient', code: 'TIMEOUT' });
});

import { expect, it } from 'vitest';
import { crmError } from '../../src/salesforce/classify.ts';
import { createLimits } from '../../src/salesforce/limits.ts';
import type { RestAnswer, Session } from '../../src/salesforce/session.ts';

const CALL = { operation: 'limits' };
const HOUR_MS = 60 * 60_000;

/** An org that notes what is described, and the first so many of whose answers fail. */
function org({ failures = 0 } = {}) {
  const asked: string[] = [];
  const clock = { ms: 0 };
  const session: Session = {
    ...{ root: '/v', writeHeaders: {} },
    async request({ path }): Promise<RestAnswer> {
      asked.push(path);
      await new Promise(setImmediate);
      if (asked.length <= failures) throw crmError('transient', 'HTTP_503');
      return { body: { fields: [] }, date: null, userId: null };
    },
    userId: async () => null,
    signIns: () => 1,
    close: async () => undefined,
  };
  return { asked, clock, limits: createLimits(session, () => clock.ms) };
}

const many = <T>(ask: () => Promise<T>): Promise<readonly PromiseSettledResult<T>[]> =>
  Promise.allSettled(Array.from({ length: 100 }, ask));

it('describes an object once for all records of a burst, at first and when the answer is too old', async () => {
  const { asked, clock, limits } = org();
  await many(() => limits.of(['Opportunity', 'Account'], undefined, CALL));
  expect(asked).toEqual(['/sobjects/Opportunity/describe', '/sobjects/Account/describe']);
  clock.ms = HOUR_MS;
  await many(() => limits.of(['Opportunity'], undefined, CALL));
  expect(asked).toHaveLength(2);
  clock.ms += 1;
  await many(() => limits.of(['Opportunity'], undefined, CALL));
  expect(asked).toHaveLength(3);
  clock.ms += 60_001;
  await many(() => limits.of(['Opportunity'], 60_000, CALL));
  expect(asked).toHaveLength(4);
});

it('a failure is passed to all that shared it, and is not remembered', async () => {
  const { asked, limits } = org({ failures: 1 });
  const failed = await many(() => limits.of(['Opportunity'], undefined, CALL));
  expect(failed.every(({ status }) => status === 'rejected')).toBe(true);
  await expect(limits.of(['Opportunity'], undefined, CALL)).resolves.toEqual({ Opportunity: {} });
  expect(asked).toHaveLength(2);
});

it('who gives up takes none of the others along', async () => {
  const { asked, limits } = org();
  const gaveUp = new AbortController();
  const first = limits.of(['Opportunity'], undefined, { ...CALL, signal: gaveUp.signal });
  const second = limits.of(['Opportunity'], undefined, CALL);
  gaveUp.abort();
  await expect(first).rejects.toThrow();
  await expect(second).resolves.toEqual({ Opportunity: {} });
  expect(asked).toHaveLength(1);
});

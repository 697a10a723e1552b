import { expect, it } from 'vitest';
import { type PartnerApi, PartnerApiError } from '../../../src/partner-api/index.ts';
import { createWorkCounters } from '../../../src/worker/work-counters.ts';

/** Lines of a metric, without those of its buckets and times. */
const lines = (text: string, name: string) =>
  text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name}_count{`));

const problem = (kind: PartnerApiError['kind']) =>
  new PartnerApiError({ ...({} as ConstructorParameters<typeof PartnerApiError>[0]), kind });

function vendor(answers: readonly unknown[]) {
  const left = [...answers];
  const searchOrders = async (): Promise<unknown> => {
    const answer = left.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { searchOrders, allOrders: () => 'a list' } as unknown as PartnerApi;
}

it('counts requests to the vendor by outcome and operation, and answers as they do', async () => {
  const counters = createWorkCounters();
  const refused = problem('scope');
  const api = counters.vendor('acme', vendor([1, problem('throttled'), problem('timeout'), refused]));
  expect(await api.searchOrders({})).toBe(1);
  await expect(api.searchOrders({})).rejects.toThrow();
  await expect(api.searchOrders({})).rejects.toThrow();
  await expect(api.searchOrders({})).rejects.toBe(refused);
  expect(api.allOrders({})).toBe('a list');
  const text = await counters.text();
  expect(lines(text, 'lockstep_remote_requests_total')).toEqual(
    ['ok', 'throttled', 'unanswered', 'refused'].map(
      (outcome) => `lockstep_remote_requests_total{tenant="acme",remote="vendor",outcome="${outcome}"} 1`,
    ),
  );
  expect(lines(text, 'lockstep_remote_request_seconds')).toEqual([
    'lockstep_remote_request_seconds_count{remote="vendor",operation="searchOrders"} 4',
  ]);
});

it.each([
  [200, 'ok'],
  [300, 'refused'],
  [403, 'refused'],
  [429, 'throttled'],
  [503, 'unanswered'],
  [null, 'unanswered'],
])('takes an answer %s of the CRM for %s', async (status, outcome) => {
  const counters = createWorkCounters();
  counters.crm('acme', { operation: 'readGraph', status, limitInfo: null, ms: 1 });
  expect(lines(await counters.text(), 'lockstep_remote_requests_total')).toEqual([
    `lockstep_remote_requests_total{tenant="acme",remote="salesforce",outcome="${outcome}"} 1`,
  ]);
});

it('counts what activities decide about records, and nothing else that they give', async () => {
  const counters = createWorkCounters();
  const { inbound } = counters.decisions();
  const run = (result: unknown, ...args: readonly unknown[]) =>
    inbound?.execute?.({ args: [...args], headers: {} }, async () => result);
  const record = { tenant: 'acme', key: 'x' };
  await run({ next: 'write-crm', planId: 'x' }, record);
  await run({ next: 'nothing' }, record);
  await run({ woken: 3 }, record);
  await run(undefined);
  expect(lines(await counters.text(), 'lockstep_decisions_total')).toEqual([
    'lockstep_decisions_total{tenant="acme",verdict="write-crm"} 1',
    'lockstep_decisions_total{tenant="acme",verdict="nothing"} 1',
  ]);
});

it('measures how long edits took to arrive, by direction, without the tenant', async () => {
  const counters = createWorkCounters();
  for (const ms of [4_000, 700]) counters.arrived({ direction: 'to-vendor', ms });
  counters.arrived({ direction: 'to-crm', ms: 60_000 });
  const text = await counters.text();
  expect(lines(text, 'lockstep_edit_to_arrival_seconds')).toEqual([
    'lockstep_edit_to_arrival_seconds_count{direction="to-vendor"} 2',
    'lockstep_edit_to_arrival_seconds_count{direction="to-crm"} 1',
  ]);
  expect(text).toContain('lockstep_edit_to_arrival_seconds_sum{direction="to-vendor"} 4.7\n');
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OrgUnderTest, orgUnderTest, SELECTED } from '../../scorecard/points/point.ts';
import { POINTS } from '../../scorecard/points/points.ts';
import { COVERAGE } from '../../src/salesforce/coverage.ts';
import { OTHER_OPERATIONS } from '../../src/salesforce/routes/http.ts';
import { DATA_ROUTES } from '../../src/salesforce/routes/table.ts';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';

let simulator: SalesforceSimulator;
let org: OrgUnderTest;
/** Operations that were answered with success at least once. */
const answered = new Set<string>();

beforeAll(async () => {
  simulator = await startSalesforceSimulator({ seed: 'empty', changeEvents: SELECTED });
  org = orgUnderTest(simulator);
});

beforeEach(async () => {
  const { body } = await org.admin('GET', 'requests');
  const { requests } = body as { requests: readonly { operation: string; status: number | null }[] };
  for (const { operation, status } of requests) {
    if (status !== null && status < 300) answered.add(operation);
  }
  await org.admin('POST', 'reset', {});
});

afterAll(() => simulator.close());

describe.each(Object.entries(POINTS))('%s', (_, points) => {
  it.each(points)('$claim', ({ holds }) => holds(org));
});

describe('the table of what is covered', () => {
  const operations = new Map([
    ...DATA_ROUTES.map(({ method, pattern, operation }) => [`${method} ${pattern}`, operation] as const),
    ...Object.entries(OTHER_OPERATIONS),
  ]);

  it.each(COVERAGE.filter(({ status }) => status === 'full'))(
    'is right that $method $path is covered: a point was answered by it',
    ({ method, path }) => {
      expect(answered).toContain(operations.get(`${method} ${path}`));
    },
  );
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PartnerApiError } from '../../src/partner-api/index.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import { createSession, type Session } from '../../src/salesforce/session.ts';
import { COSTLY_LENGTHS, COSTLY_SHAPES } from '../support/hostile/costly-json.ts';
import { crmOptions, grant, isSignIn } from '../support/hostile/hostile-salesforce.ts';
import { type HostileServer, startHostileServer } from '../support/hostile/hostile-server.ts';
import { type HostileVendor, startHostileVendor } from '../support/hostile/hostile-vendor.ts';
import { MOST_HOLD_MS, shortestHold } from '../support/hostile/loop-hold.ts';

/** JSON within every limit of bytes: by its shape it keeps nobody else of a worker waiting for longer than a quarter of a second. */

/** The second is more than is taken, and the first is what is. */
const VALUES = [250_000, 900_000] as const;

const PLACES: readonly (readonly [string, (piece: string) => string])[] = [
  ['as the whole answer', (piece) => piece],
  ['as the rows', (piece) => `{"info":{"success":true},"data":${piece},"totalSize":1,"done":true,"records":${piece}}`],
  [
    'in a field that nobody knows',
    (piece) => `{"data":{"leadOpportunity":{"dsLeadOpportunityId":"DS-1","x":${piece}}},"records":[{"x":${piece}}]}`,
  ],
];

const BODIES = [
  ...COSTLY_SHAPES.flatMap(([name, made]) =>
    VALUES.map((values) => [`${values} values: ${name}`, () => made(values)] as const),
  ),
  ...COSTLY_LENGTHS,
];

let body: Buffer;
let status = 200;
let vendor: HostileVendor;
let org: HostileServer;
let session: Session;
beforeAll(async () => {
  vendor = await startHostileVendor(() => ({ status, body }));
  org = await startHostileServer((request) => (isSignIn(request) ? grant(request) : { status, body }));
  session = createSession(crmOptions(org.url));
});
afterAll(async () => {
  await session.close();
  await Promise.all([vendor.close(), org.close()]);
});

const ASKED: Readonly<Record<string, () => Promise<unknown>>> = {
  'a deal of the vendor’s': () => vendor.connect({ timeoutMs: 20_000 }).readLeadOpportunity({ id: 'DS-1' }),
  'deals of the vendor’s': () =>
    vendor.connect({ timeoutMs: 20_000 }).searchLeadOpportunities({
      data: [{ modifiedDate: { fromDate: '2026-01-01T00:00:00.000Z', toDate: '2026-01-02T00:00:00.000Z' } }],
    }),
  'a query of Salesforce’s': () => session.request({ method: 'GET', path: '/query?q=x' }, { operation: 'query' }),
};

async function asked(read: () => Promise<unknown>): Promise<void> {
  const { result, holdMs } = await shortestHold(() => read().catch((error: unknown) => error));
  expect(holdMs).toBeLessThan(MOST_HOLD_MS);
  if (result instanceof Error) expect(result instanceof PartnerApiError || result instanceof CrmError).toBe(true);
}

describe.each(BODIES)('%s', (_, made) => {
  test.each(PLACES)('%s', async (_place, placed) => {
    body = Buffer.from(placed(made()));
    status = 200;
    for (const read of Object.values(ASKED)) await asked(read);
  });

  test('as what is wrong', async () => {
    body = Buffer.from(`{"error":${made()}}`);
    status = 400;
    for (const read of Object.values(ASKED)) await asked(read);
  });
});

import { Agent } from 'undici';
import { afterAll, beforeAll, test } from 'vitest';
import { createPartnerApi } from '../../src/partner-api/index.ts';
import { queryRows } from '../../src/salesforce/query.ts';
import { readSchema } from '../../src/salesforce/schema.ts';
import { createSession, type Session } from '../../src/salesforce/session.ts';
import { boundedReading } from '../../src/worker/bounded-reading.ts';
import {
  afterSignIn,
  COSTLY_ANSWERS,
  COSTLY_DESCRIPTIONS,
  COSTLY_PAGES,
  COSTLY_SIGN_INS,
  once,
} from '../support/hostile/costly-answers.ts';
import { COSTLY_LENGTHS, COSTLY_SHAPES } from '../support/hostile/costly-json.ts';
import { crmOptions, grant, isSignIn } from '../support/hostile/hostile-salesforce.ts';
import {
  type HostileAnswer,
  type HostileRequest,
  type HostileServer,
  startHostileServer,
} from '../support/hostile/hostile-server.ts';
import { type HostileVendor, startHostileVendor, vendorBody } from '../support/hostile/hostile-vendor.ts';
import { type Attack, expectFlatHeap, expectUnhurt, timedBeside } from '../support/hostile/neighbour.ts';

/**
 * One tenant's remotes answer as costly as the limits let them, as often as the tenant may ask. A neighbour's calls in the same process,
 * a read, an update and a query, take at most twice the processor's time in the median, and the memory of the answers is given back.
 */

/** How long a hostile remote may take to answer, in milliseconds; what hangs is cut off then. */
const PATIENCE_MS = 1_000;
/** The maximum number of values that are taken. */
const VALUES = 250_000;

type Answer = (request: HostileRequest, count: number) => HostileAnswer;
type Ask = () => Promise<unknown>;
type Row = readonly [name: string, answer: Answer, asks: () => readonly Ask[]];

let answer: Answer;
let hostile: HostileServer;
let vendor: HostileVendor;
let org: HostileServer;
let neighbour: Session;
let stranger: Session;
let agent: Agent;
beforeAll(async () => {
  hostile = await startHostileServer((request, count) => answer(request, count));
  const deal = vendorBody({ leadOpportunity: { dsLeadOpportunityId: 'DS-1' } });
  vendor = await startHostileVendor(() => ({ body: deal }));
  const rows = JSON.stringify({ totalSize: 0, done: true, records: [] });
  org = await startHostileServer((request) => (isSignIn(request) ? grant(request) : { body: rows }));
  neighbour = createSession(crmOptions(org.url));
});
afterAll(async () => {
  await neighbour.close();
  await Promise.all([hostile, vendor, org].map((server) => server.close()));
});

/** The tenant's clients of its hostile remotes, as a worker makes them. */
let reading = boundedReading();
const session = (): Session => createSession(crmOptions(hostile.url, { ...reading, timeoutMs: PATIENCE_MS }));
const query = (from: Session): Promise<unknown> =>
  from.request({ method: 'GET', path: '/query?q=x' }, { operation: 'query' });

function hostileVendor() {
  const dispatcher = agent.compose(reading.watch);
  return createPartnerApi({
    salesBaseUrl: hostile.url,
    apiKey: () => 'the-vendor-key',
    timeoutMs: PATIENCE_MS,
    dispatcher,
  });
}

/** A read at both remotes. */
function reads(): readonly Ask[] {
  const api = hostileVendor();
  return [() => api.readLeadOpportunity({ id: 'DS-1' }), () => query(stranger)];
}
const describes = (): readonly Ask[] => [() => readSchema(stranger, ['Opportunity'], { operation: 'describe' })];
/** Each sign-in is of a session of its own. */
const signIns = (): readonly Ask[] => [
  async () => {
    const one = session();
    await query(one).catch(() => undefined);
    await one.close();
  },
];
const lists = (): readonly Ask[] => [() => queryRows(stranger, 'select Id from X', { operation: 'query' })];

const bodies = [...COSTLY_SHAPES.map(([name, made]) => [name, () => made(VALUES)] as const), ...COSTLY_LENGTHS];
const ROWS: readonly Row[] = [
  ...bodies.map(([name, made]): Row => {
    const body = once(() => Buffer.from(made()));
    return [name, afterSignIn(() => ({ body: body() })), reads];
  }),
  ...COSTLY_ANSWERS.map(([name, made]): Row => [name, afterSignIn(made), reads]),
  ...COSTLY_DESCRIPTIONS.map(([name, made]): Row => [name, afterSignIn(made), describes]),
  ...COSTLY_SIGN_INS.map(([name, made]): Row => [name, made, signIns]),
  ...COSTLY_PAGES.map(([name, made]): Row => [name, afterSignIn(made), lists]),
];

/** A neighbour's calls. */
async function change(): Promise<void> {
  const api = vendor.connect();
  await api.readLeadOpportunity({ id: 'DS-1' });
  await api.updateLeadOpportunity({ id: 'DS-1', leadOpportunity: { partnerLeadOpportunityId: 'X' } });
  await query(neighbour);
}

/** Asks the hostile remotes in turn, until it is ended. */
function asking(asksOf: Row[2]): Attack {
  reading = boundedReading();
  stranger = session();
  agent = new Agent({ connect: reading.connect });
  const asks = asksOf();
  const answers: Promise<unknown>[] = [];
  return {
    once: () => {
      const ask = asks[answers.length % asks.length] as Ask;
      answers.push(ask().catch(() => undefined));
    },
    end: async () => {
      await Promise.all([stranger.close(), agent.destroy()]);
      await Promise.all(answers);
    },
  };
}

/** Other programs on the machine make a try longer, and none shorter. */
const TRIES = { retry: 3 };

test.each(ROWS)('%s', TRIES, async (_, made, asksOf) => {
  answer = made;
  const result = await timedBeside(change, () => asking(asksOf));
  expectUnhurt(result);
  expectFlatHeap();
});

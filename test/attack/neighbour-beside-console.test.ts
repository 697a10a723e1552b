import { beforeAll, expect, test } from 'vitest';
import { csrfOf, grant, openConsole, type TestConsole } from '../support/console.ts';
import { type Attack, expectFlatHeap, expectUnhurt, timedBeside } from '../support/hostile/neighbour.ts';

/**
 * A person with few rights sends the console's costliest requests, as often as the limits let. Another person's request takes at most
 * twice the processor's time in the median.
 */

let console: TestConsole;
const [own, other] = [
  { token: '', csrf: '' },
  { token: '', csrf: '' },
];
beforeAll(async () => {
  const org = {
    ...{ schema: async () => ({}), productsWithoutOffer: async () => [] },
    ...{ knownOffers: async () => new Set<string>(), sharedLeadsWithout: async () => [] },
  };
  console = await openConsole({ ports: (ports) => ({ ...ports, org: () => org as never }) });
  for (const [person, tenant] of [
    [own, 'acme'],
    [other, 'other'],
  ] as const) {
    person.token = await console.signIn([grant(tenant, 'administrator', true)]);
    person.csrf = await csrfOf(console, person.token);
  }
}, 60_000);

const KB = 1024;
const text = (piece: (n: number) => string, count: number, head = '', tail = ''): string =>
  head + Array.from({ length: count }, (_, n) => piece(n)).join('') + tail;

/** Drafts with as many lines, values and signs as are parsed. */
const DRAFTS: readonly (readonly [string, string])[] = [
  ['values', text((n) => `    a${n}: b\n`, 4_900, 'values:\n  reasonWon:\n')],
  ['a saw of indents', text((n) => `${' '.repeat(n % 50)}a:\n`, 4_900)],
  ['lists as keys', text(() => '? [a]\n: b\n', 1_600)],
  ['transforms that are none', text(() => '1, ', 9_900, 'fields:\n  nextMilestone:\n    transform: [', '1]\n')],
  ['too many signs', `[${','.repeat(200 * KB)}]`],
];
const PLACES = ['mapping/diff', 'mapping/check', 'mapping/choices'];

type Sent = { readonly path: string; readonly body: unknown };
const json = (path: string, body: unknown): Sent => ({ path: `/api/v1/tenants/acme/${path}`, body });
const FORM: Readonly<Record<string, string>> = { 'content-type': 'application/x-www-form-urlencoded' };

const ATTACKS: readonly (readonly [string, readonly Sent[]])[] = [
  ...DRAFTS.map(([name, draft]) => [`drafts of ${name}`, PLACES.map((place) => json(place, { text: draft }))] as const),
  ['many ids that are none', [json('sync', { ids: Array(60_000).fill(''), reason: 'r' })]],
  ['many ids', [json('sync', { ids: Array(12_000).fill('006Hs00001ABCDE'), reason: 'r' })]],
  ['pairs that are none', [json('relink', { pairs: Array(20_000).fill({}), reason: 'r' })]],
  ['brackets in each other', [json('sync', `${'['.repeat(120 * KB)}`)]],
  ['a form of many inputs', [{ path: '/tenants/acme/mapping', body: new URLSearchParams() }]],
  ['a form of many rows', [{ path: '/tenants/acme/mapping', body: new URLSearchParams([['rows', '1']]) }]],
  ['long lists', [{ path: '/api/v1/tenants/acme/inbox?limit=10000', body: null }]],
];

function bodyOf({ body }: Sent): string {
  if (!(body instanceof URLSearchParams)) return typeof body === 'string' ? body : JSON.stringify(body);
  const isRows = body.has('rows');
  const rows = text((n) => `&stages.${n % 500}.stage=a${n}&codes.reasonWon.${n % 500}.crm=x&a${n}=`, 3_500);
  return `csrf=${own.csrf}&do=check${isRows ? rows : '&a='.repeat(60_000)}`;
}

function asking(requests: readonly Sent[]): Attack {
  const answers: Promise<unknown>[] = [];
  const ask = async (sent: Sent): Promise<void> => {
    const { path, body } = sent;
    const type = body instanceof URLSearchParams ? FORM : { 'content-type': 'application/json' };
    const method = body === null ? {} : { method: 'POST', body: bodyOf(sent) };
    const headers = { ...type, cookie: `lockstep=${own.token}`, origin: console.url, 'x-lockstep-csrf': own.csrf };
    const answer = await fetch(`${console.url}${path}`, { ...method, headers });
    await answer.text();
    expect(answer.status).toBeLessThan(500);
  };
  return {
    once: () => void answers.push(ask(requests[answers.length % requests.length] as Sent)),
    end: async () => void (await Promise.all(answers)),
  };
}

async function look(): Promise<void> {
  const headers = { cookie: `lockstep=${other.token}` };
  for (const path of ['/tenants/other', '/api/v1/tenants/other/status']) {
    const answer = await fetch(`${console.url}${path}`, { headers });
    await answer.text();
    expect(answer.status).toBe(200);
  }
}

/** Other programs on the machine make a try longer, and none shorter. */
test.each(ATTACKS)('%s', { retry: 3 }, async (_, requests) => {
  // The limits of requests are those of a session, and not what is measured here.
  console.advance(60_000);
  expectUnhurt(await timedBeside(look, () => asking(requests)));
  expectFlatHeap();
});

import type { Random } from 'lockstep-simulators/testing';
import { endless, NO_HTTP, trickle } from './bodies.ts';
import type { HostileAnswer } from './hostile-server.ts';

const STATUSES = [200, 200, 200, 201, 204, 300, 302, 400, 401, 403, 404, 409, 412, 429, 500, 503, 599];
const ODD = [
  '',
  'x',
  '1e308',
  '-1',
  'NaN',
  '99999999999',
  '\u0001',
  '\ud800',
  '@{account.id}',
  '006000000000001AAA',
  'x'.repeat(10_000),
];
/** Field names of both remotes. */
const NAMES = [
  ...['records', 'done', 'totalSize', 'nextRecordsUrl', 'Id', 'errorCode', 'SystemModstamp', 'body'],
  ...['compositeResponse', 'httpStatusCode', 'data', 'info', 'error', 'success', 'timeStamp'],
  ...['leadOpportunity', 'dsLeadOpportunityId', 'estimatedSearchCount', '__proto__'],
];
const NUMBERS = [...['0', '1', '-1', '1e308', '31536000', '1795000000', 'NaN', ''], 'Fri, 31 Dec 9999 23:59:59 GMT'];

/** Random JSON. */
export function anyJson(random: Random, depth = 4): unknown {
  const kind = random.integer(0, depth > 0 ? 6 : 4);
  if (kind === 0) return null;
  if (kind === 1) return random.next() < 0.5;
  if (kind === 2) return (random.next() - 0.5) * 10 ** random.integer(0, 299);
  if (kind < 5) return random.pick(ODD);
  const members = Array.from({ length: random.integer(0, 4) }, () => anyJson(random, depth - 1));
  return kind === 5 ? members : Object.fromEntries(members.map((member) => [random.pick(NAMES), member]));
}

/** A random answer: any status, headers, body and pace, or no HTTP at all. */
export function anyAnswer(random: Random): HostileAnswer {
  const dice = random.next();
  if (dice < 0.03) return 'silent';
  if (dice < 0.1) return { raw: random.pick(NO_HTTP)[1] };
  const limits = ['limit', 'remaining', 'reset'].map((name) => `x-ratelimit-${name}`);
  const names = ['retry-after', 'date', ...limits];
  const headers = Object.fromEntries(names.map((name) => [name, random.pick(NUMBERS)]));
  const status = random.pick(STATUSES);
  if (dice < 0.13) return { status, headers, body: endless(random.pick([' ', '[', 'x'])) };
  if (dice < 0.16) return { status, headers, body: trickle() };
  if (dice < 0.2) return { status, headers, body: '['.repeat(1_000_000) };
  return { status, headers, body: JSON.stringify(anyJson(random)) };
}

import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { createBackend, OPERATIONS } from '../../src/salesforce/admin.ts';
import { ADMIN_CALLS, COVERAGE, PUB_SUB_COVERAGE } from '../../src/salesforce/coverage.ts';
import { PUB_SUB_METHODS } from '../../src/salesforce/pub-sub/service.ts';
import { OTHER_OPERATIONS } from '../../src/salesforce/routes/http.ts';
import { matchRoute } from '../../src/salesforce/routes/route.ts';
import { DATA_ROUTES } from '../../src/salesforce/routes/table.ts';
import { orgWithData } from '../support/salesforce-simulator.ts';

const registered = [
  ...DATA_ROUTES.map(({ method, pattern }) => `${method} ${pattern}`),
  ...Object.keys(OTHER_OPERATIONS),
].sort();

describe('the table of what is covered', () => {
  it('has a row for each route, and no other rows that claim to be covered', () => {
    const claimed = COVERAGE.filter(({ status }) => status !== 'none').map(({ method, path }) => `${method} ${path}`);
    expect(claimed.sort()).toEqual(registered);
  });

  it('has a row for each method of the Pub/Sub API, and no other rows that claim to be covered', () => {
    const claimed = PUB_SUB_COVERAGE.filter(({ status }) => status !== 'none').map(({ method }) => method);
    expect(claimed).toEqual(expect.arrayContaining([...PUB_SUB_METHODS]));
    expect(claimed).toHaveLength(PUB_SUB_METHODS.length);
  });

  it('says what is missing where something is', () => {
    expect(
      [...COVERAGE, ...PUB_SUB_COVERAGE].filter(({ status, notes }) => status === 'partial' && notes === ''),
    ).toEqual([]);
  });

  it.each(COVERAGE.filter(({ status }) => status === 'none'))('has no route for $method $path', ({ method, path }) => {
    expect(registered).not.toContain(`${method} ${path}`);
    expect(matchRoute(DATA_ROUTES, method, path)).toBeUndefined();
  });

  it('has a row for each call of the admin surface that only this simulator has', () => {
    const admin = new Hono();
    const nothing = {} as never;
    createBackend({
      ...{ log: nothing, faults: nothing, snapshots: nothing, sessions: nothing, queue: nothing },
      ...{ reset: () => undefined, outboundUrl: () => null, setOutboundUrl: () => undefined },
      org: orgWithData('2027-01-01T00:00:00Z'),
    }).addRoutes?.(admin);
    const calls = admin.routes.map(({ method, path }) => `${method} ${path}`);
    expect(ADMIN_CALLS.map(({ call }) => call)).toEqual(calls);
  });

  it('gives every route a name for the log and the fault plan', () => {
    expect(DATA_ROUTES.filter(({ operation }) => !OPERATIONS.includes(operation))).toEqual([]);
    expect(OPERATIONS).toContain('outboundMessage');
  });
});

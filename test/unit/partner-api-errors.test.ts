import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { PartnerApiErrorKind, Sent } from '../../src/partner-api/index.ts';
import { failureOf, KEY, MINIMAL_CREATE, usePartnerApi } from '../support/partner-api/partner-api-fixture.ts';

const fixture = usePartnerApi();

const info = (statusCode: number) => ({ success: false, statusCode, timeStamp: null, traceId: 'trace-9' });
const coded = (status: number, code: string | null) => ({
  info: info(status),
  error: code === null ? null : { code, message: 'in detail' },
  data: null,
});
const typed = (status: number, type: string) => ({
  data: [],
  info: { success: false, statusCode: status },
  error: [{ type, title: 'A title', errors: [{ detail: 'd', pointer: '/top' }] }],
});

type Row = [status: number, body: unknown, kind: PartnerApiErrorKind, sent: Sent, code: string | null];

const documented: Row[] = [
  [400, coded(400, 'ERR801'), 'duplicate', 'no', 'ERR801'],
  [400, coded(400, 'ERROR_043'), 'bad-period', 'no', 'ERROR_043'],
  [400, coded(400, 'ERROR_004'), 'invalid', 'no', 'ERROR_004'],
  [401, { message: 'No API key found' }, 'authentication', 'no', null],
  [403, { message: 'Forbidden' }, 'scope', 'no', null],
  [406, coded(406, 'ERR805'), 'bad-date', 'no', 'ERR805'],
  [429, { message: 'Too many requests' }, 'throttled', 'no', null],
  [500, coded(500, 'ERROR_048'), 'out-of-scope', 'no', 'ERROR_048'],
  [503, coded(503, 'ERR899'), 'unavailable', 'no', 'ERR899'],
];

const codeBeforeStatus: Row[] = [
  [200, coded(400, 'ERR801'), 'duplicate', 'no', 'ERR801'],
  [200, { error: { code: 'ERR899', message: '' }, info: {} }, 'unavailable', 'no', 'ERR899'],
  [500, coded(500, 'ERR801'), 'duplicate', 'no', 'ERR801'],
  [404, coded(404, 'ERROR_048'), 'out-of-scope', 'no', 'ERROR_048'],
];

const byStatus: Row[] = [
  [400, coded(400, 'ERR_NEW'), 'invalid', 'no', 'ERR_NEW'],
  [404, 'not json', 'unknown', 'unknown', null],
  [404, '<html>not here</html>', 'unknown', 'unknown', null],
  [403, '<html>blocked</html>', 'unknown', 'unknown', null],
  [401, '<html>blocked</html>', 'unknown', 'unknown', null],
  [401, {}, 'unknown', 'unknown', null],
  [400, '<html>bad request</html>', 'unknown', 'unknown', null],
  [400, {}, 'unknown', 'unknown', null],
  [404, coded(404, null), 'not-found', 'no', null],
  [406, {}, 'busy', 'unknown', null],
  [406, coded(406, 'ERR_NEW'), 'busy', 'no', 'ERR_NEW'],
  [409, coded(409, 'ERR_NEW'), 'busy', 'no', 'ERR_NEW'],
  [409, '', 'busy', 'unknown', null],
  [423, { message: 'locked' }, 'busy', 'no', null],
  [425, '', 'busy', 'unknown', null],
  [422, coded(422, 'ERR_NEW'), 'unknown', 'no', 'ERR_NEW'],
  [408, {}, 'timeout', 'unknown', null],
  [413, '', 'unknown', 'unknown', null],
  [500, coded(500, 'ERR_NEW'), 'server', 'unknown', 'ERR_NEW'],
  [500, [], 'server', 'unknown', null],
  [429, '<html><body>Too many requests</body></html>', 'throttled', 'no', null],
  [429, '', 'throttled', 'no', null],
  [503, '', 'unavailable', 'unknown', null],
  [502, '<html>', 'unavailable', 'unknown', null],
  [503, '<html>', 'unavailable', 'unknown', null],
  [504, 'null', 'unavailable', 'unknown', null],
  [599, {}, 'server', 'unknown', null],
  [400, coded(400, 'toString'), 'invalid', 'no', 'toString'],
];

const failureIn200: Row[] = [
  [200, coded(400, 'ERR_NEW'), 'invalid', 'unknown', 'ERR_NEW'],
  [200, coded(503, null), 'unavailable', 'unknown', null],
  [200, { info: { success: false } }, 'protocol', 'unknown', null],
  [201, { error: { code: 'ERR_NEW' } }, 'protocol', 'unknown', 'ERR_NEW'],
];

const orderTypes: Row[] = [
  [400, typed(400, 'errors:vendor:invalidRequest'), 'invalid', 'no', 'errors:vendor:invalidRequest'],
  [404, typed(404, 'errors:v:resourceNotFound'), 'not-found', 'no', 'errors:v:resourceNotFound'],
  [400, typed(400, 'errors:v:resourceNotFound'), 'not-found', 'no', 'errors:v:resourceNotFound'],
  [500, typed(500, 'errors:v:internalServerError'), 'server', 'unknown', 'errors:v:internalServerError'],
  [403, typed(403, 'errors:v:authenticationGenericError'), 'scope', 'no', 'errors:v:authenticationGenericError'],
];

describe('a failed answer becomes a typed error', () => {
  const rows = [...documented, ...codeBeforeStatus, ...byStatus, ...failureIn200, ...orderTypes];
  it.each(rows)('%i %j is %s, applied: %s', async (status, body, kind, sent, code) => {
    fixture.server.script({ status, body });
    const error = await failureOf(fixture.api.createLeadOpportunity(MINIMAL_CREATE));
    expect(error).toMatchObject({ kind, sent, code, status, operation: 'createLeadOpportunity' });
  });

  it('names method, path template, kind, status and code, and nothing the vendor said', async () => {
    fixture.server.script({ status: 400, body: coded(400, 'ERR801') });
    const input = { id: 'DS-1', leadOpportunity: { partnerLeadOpportunityId: 'X' } };
    const error = await failureOf(fixture.api.updateLeadOpportunity(input));
    expect(error.message).toBe('PATCH /sales/api4partners/v1/leads-opportunities/{id} failed: duplicate (400 ERR801)');
    expect(error.vendorMessage).toBe('in detail');
    expect(error.traceId).toBe('trace-9');
    expect(inspect(error) + JSON.stringify(error)).not.toContain('in detail');
  });

  it('carries the pointers of the order domain as fields', async () => {
    fixture.server.script({ status: 400, body: typed(400, 'errors:vendor:invalidRequest') });
    expect((await failureOf(fixture.api.searchPortfolioItems())).fields).toEqual(['/top']);
  });

  it('lets no free text through as a code or trace id', async () => {
    const body = { info: { success: false, traceId: 'Jane Doe' }, error: { code: 'no such Jane Doe' } };
    fixture.server.script({ status: 400, body });
    const error = await failureOf(fixture.api.createLeadOpportunity(MINIMAL_CREATE));
    expect(error).toMatchObject({ code: null, traceId: null, kind: 'invalid' });
  });
});

describe('the key', () => {
  const echo = { message: `bad key ${KEY}`, info: { traceId: KEY }, error: { code: KEY, message: KEY } };
  it.each([
    ['an answer that echoes it', { status: 403, body: echo }],
    ['a 200 that is no JSON', { status: 200, body: `<html>${KEY}</html>` }],
    ['a broken contract', { status: 200, body: { info: KEY, data: KEY } }],
    ['a redirect', { status: 302, headers: { location: `http://127.0.0.1:1/?key=${KEY}` } }],
    ['a dropped connection', { fault: 'before' as const }],
  ])('is in no part of the error of %s', async (_name, answer) => {
    fixture.server.script(answer);
    const error = await failureOf(fixture.api.readLeadOpportunity({ id: 'DS-1' }));
    const everything = inspect(error, { showHidden: true, depth: null, getters: true });
    expect(everything + JSON.stringify(error) + error.stack + String(error)).not.toContain(KEY);
  });

  it.each([
    ['throws', () => Promise.reject(new Error(`vault says ${KEY}`)), 'API_KEY_UNAVAILABLE'],
    ['gives nothing', () => '', 'API_KEY_UNUSABLE'],
    ['gives a line break', () => `${KEY}\n`, 'API_KEY_UNUSABLE'],
  ])('spends no request when its source %s', async (_name, apiKey, code) => {
    const error = await failureOf(fixture.connect({ apiKey }).readLeadOpportunity({ id: 'DS-1' }));
    expect(error).toMatchObject({ kind: 'authentication', sent: 'no', code, status: null });
    expect(inspect(error, { showHidden: true })).not.toContain(KEY);
    expect(fixture.server.requests).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { createLogger, type LogFields, type LogFormat, pickFields } from '../../src/platform/logger.ts';
import { maskCredentials } from '../../src/platform/mask.ts';

const TOKEN = 'tok-5f3c9a1e';

function written(
  log: (logger: ReturnType<typeof createLogger>) => void,
  format: LogFormat = 'json',
  level: 'debug' | 'error' = 'debug',
): string {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  log(createLogger({ level, format, component: 'test', destination }));
  return lines.join('');
}

describe('a log line', () => {
  it('holds time, level, component, the fixed message and the listed fields', () => {
    const line = JSON.parse(written((log) => log.info('started', { tenant: 'acme', port: 4030 })));
    expect(line).toMatchObject({
      level: 'info',
      component: 'test',
      msg: 'started',
      tenant: 'acme',
      port: 4030,
    });
    expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it('carries the fields of its parents', () => {
    const line = written((log) => log.child({ tenant: 'acme' }).child({ key: '006' }).warn('odd'));
    expect(JSON.parse(line)).toMatchObject({ tenant: 'acme', key: '006', level: 'warn' });
  });

  it('is left out below the level', () => {
    expect(written((log) => log.info('started'), 'json', 'error')).toBe('');
  });

  it('is one readable line in the pretty format, and a value cannot begin another', () => {
    const line = written((log) => log.info('started', { reason: 'a\nINFO forged' }), 'pretty');
    expect(line).toMatch(/^\d\d:\d\d:\d\d info {2}test: started reason="a\\nINFO forged"\n$/);
  });
});

describe('a token', () => {
  class RemoteError extends Error {
    override readonly name = 'RemoteError';
    readonly code = 'INVALID_SESSION_ID';
    readonly status = 401;
    readonly headers = { authorization: `Bearer ${TOKEN}` };
    readonly body = TOKEN;
  }
  const nested = new RemoteError(`body said ${TOKEN}\n    at ${TOKEN}:1:1`, { cause: new Error(TOKEN) });
  const ways: [string, LogFields][] = [
    ['a field that is not listed', { token: TOKEN } as LogFields],
    ['a header', { headers: { authorization: TOKEN } } as LogFields],
    ['an object in a listed field', { reason: { token: TOKEN } } as unknown as LogFields],
    ['an error', { err: nested }],
    ['something thrown that is no error', { err: TOKEN }],
    ['a bearer header in a listed field', { reason: `Bearer ${TOKEN}` }],
    ['an address with a password', { address: `postgres://user:${TOKEN}@host/db` }],
    ['a secret path', { route: `/hooks/salesforce/${TOKEN}` }],
  ];

  it.each(ways)('in %s is gone', (_, fields) => {
    for (const format of ['json', 'pretty'] as const) {
      const line = written((log) => log.child(fields).error('failed', fields), format);
      expect(line).toContain('failed');
      expect(line).not.toContain(TOKEN);
    }
  });

  it('leaves of an error its name, code, status, causes and frames', () => {
    const line = JSON.parse(written((log) => log.error('failed', { err: nested })));
    expect(line.err).toMatchObject({ name: 'RemoteError', code: 'INVALID_SESSION_ID', status: 401 });
    expect(line.err.at[0]).toMatch(/platform-logger\.test\.ts:\d+:\d+/);
    expect(line.err.cause.name).toBe('Error');
  });
});

describe('maskCredentials', () => {
  const jwt = `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.${'s'.repeat(20)}`;
  it.each([
    ['Bearer 00Dxx!abc.def', 'Bearer [secret]'],
    [`assertion ${jwt} sent`, 'assertion [secret] sent'],
    ['whsec_AAECAwQ= used', '[secret] used'],
    ['session 00D000000000001!AQ0AQ.x used', 'session [secret] used'],
    ['-----BEGIN RSA PRIVATE KEY-----\\nMIIE\\n-----END RSA PRIVATE KEY-----', '[secret]'],
    ['http://127.0.0.1:4010/sales', 'http://127.0.0.1:4010/sales'],
    ['organization 00D000000000001EAA', 'organization 00D000000000001EAA'],
  ])('%s', (text, masked) => {
    expect(maskCredentials(text)).toBe(masked);
  });
});

describe('pickFields', () => {
  it("takes from another library's metadata what is listed", () => {
    const error = new Error('x');
    const meta = { workflowId: 'a/b', input: { secret: 1 }, error, runId: 'r', custom: 'no' };
    expect(pickFields(meta)).toEqual({ workflowId: 'a/b', runId: 'r', err: error });
  });
});

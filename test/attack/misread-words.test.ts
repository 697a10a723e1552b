import { afterAll, describe, expect, test } from 'vitest';
import { readSettings } from '../../src/platform/settings.ts';
import { nameOf } from '../../workflows/descriptions.ts';
import { env, GOOD, problems, tenantFolder } from '../support/stack/tenant-files.ts';

/** What one reader takes for one thing and another for another: addresses, headers, ids. */

describe('an address of a database', () => {
  const refused = (url: string, more: object = {}): string => {
    try {
      readSettings({ DATABASE_URL: url, ...more }, { cwd: '/', terminal: false });
      return '';
    } catch (error) {
      return String(error);
    }
  };

  test.each([
    'postgres://localhost/db?host=db.example',
    'postgres://u:p@127.0.0.1/db?host=db.example&sslmode=prefer',
    'postgres:///db?host=db.example',
    'postgres://127.0.0.1/db?host=10.0.0.7',
    'postgres://db.example/db?sslmode=require&sslmode=prefer',
    'postgres://db.example/db?sslmode=verify-full&sslmode=no-verify',
    'postgres://localhost/db?host=localhost&host=db.example',
    'postgres://db.example/db?sslmode=no-verify',
    'postgres://127.0.0.1.db.example/db',
    'postgres://localhost/db?host=%2Ftmp&host=db.example',
    'postgres://localhost/d b?host=db.example',
    'postgres://localhost/db%zz?host=db.example',
    'postgres://127.1.2.3.4/db',
    'postgres://db.example/db?sslmode=require&uselibpqcompat=true',
    'postgres://db.example/db?uselibpqcompat=true&sslmode=verify-full',
    'postgres://db.example/db?SSLMODE=verify-full',
    'postgres://localhost,db.example/db',
    'postgres://127.0.0.1:1@db.example/db',
  ])('%s is not taken for one of this machine, or for an encrypted one', (url) => {
    expect(refused(url)).toMatch(/DATABASE_URL/);
    expect(refused(url)).not.toContain('db.example');
  });

  test('without a host is that of the environment', () => {
    expect(refused('postgres:///db', { PGHOST: 'db.example' })).toMatch(/must want TLS/);
    expect(refused('postgres:///db', { PGHOST: '/var/run/postgresql' })).toBe('');
  });

  test.each([
    'postgres://localhost/db',
    'postgres:///db',
    'postgres://%2Fvar%2Frun%2Fpostgresql/db',
    'postgres:///db?host=%2Fvar%2Frun%2Fpostgresql',
    'postgres://localhost/db?host=db.example&sslmode=verify-full',
    'postgres://u:p%25@[::1]:5432/db',
  ])('%s is', (url) => {
    expect(refused(url)).toBe('');
  });

  test('leads where the driver goes', async () => {
    const { default: pg } = await import('pg');
    for (const url of ['postgres://localhost/db?host=db.example', 'postgres:///db?host=db.example'])
      expect(new pg.Client({ connectionString: url }).host).toBe('db.example');
  });
});

describe('a header for the key', () => {
  const files = tenantFolder();
  afterAll(files.remove);
  const named = (name: string) =>
    problems(files.put('acme.yaml', GOOD.replace('X-Our-Key', `"${name}"`))).filter((one) => one.includes('keyHeader'));

  test.each([
    ...['Connection', 'keep-alive', 'Proxy-Authorization', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade'],
    ...['Host', 'Content-Length', 'Expect', 'Cookie', 'Content-Type', 'x'.repeat(200), 'a b', 'a:b', 'a\\r\\nb'],
  ])('is not %s', (name) => {
    expect(named(name)).toHaveLength(1);
  });

  test.each(['X-API-Key', 'Authorization', 'apikey'])('may be %s', (name) => {
    expect(named(name)).toEqual([]);
    expect(env.ACME_VENDOR_KEY).toBe('vendor-key');
  });
});

describe('an id in the Temporal UI', () => {
  test.each([
    'https://www.example/x',
    'www.example.com',
    '[here](https://x.example)',
    '<https://x.example>',
    '![](https://x.example/y.png)',
    '`](https://x.example)`',
    'a`b` https://x.example',
    'jane@x.example',
    'a\nhttps://x.example',
    '\u202ehttps://x.example',
    'x.'.repeat(5_000),
  ])('that is %j is code', (id) => {
    for (const shown of [nameOf('k', { crmId: null, vendorId: id }), nameOf(id, { crmId: null, vendorId: null })]) {
      expect(shown).toMatch(/^`[^`\n]{1,64}`$/u);
    }
  });

  test('that is plain stays as it is', () => {
    expect(nameOf('k', { crmId: '006000000000001AAA', vendorId: 'DS-1_x' })).toBe('006000000000001AAA = DS-1_x');
  });
});

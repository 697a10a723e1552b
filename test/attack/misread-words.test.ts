import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { afterAll, describe, expect, test } from 'vitest';
import { publishStatus } from '../../src/intake/publish-status.ts';
import { wakeRecords } from '../../src/intake/wake.ts';
import { readSettings } from '../../src/platform/settings.ts';
import { describe as describeCommand, nameOf, statusWords } from '../../workflows/descriptions.ts';
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
    // With a blank or a lone % in it, the driver does not read %6F as o.
    'postgres://db.example/d b?h%6Fst=localhost',
    'postgres://db.example/d%zz?h%6Fst=localhost',
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
    ...['Via', 'Forwarded', 'X-Forwarded-For', 'Proxy-Connection', 'HTTP2-Settings', 'Accept-Encoding', 'Traceparent'],
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
  test('is code in the summary of a workflow too', async () => {
    const summaries: unknown[] = [];
    const signalWithStart = async (_: string, started: { readonly staticSummary: string }) =>
      void summaries.push(started.staticSummary);
    const client = { workflow: { signalWithStart } } as unknown as Client;
    const key = 'vendor:www.x.example';
    await wakeRecords(client, 'acme', [key], 'vendor');
    await publishStatus(client, { tenant: 'acme', key, crmId: null, vendorId: null, state: 'parked', issues: [] });
    expect(summaries).toEqual([
      'acme: opportunity `vendor:www.x.example`',
      'acme: opportunity `vendor:www.x.example` waits for a person',
    ]);
  });

  test.each([
    'GET /x failed: unavailable (503 www.x.example)',
    'PATCH /x failed: invalid (400) at [here]',
    'code `www.x.example`',
    'HTTPS://x.example',
    `x@y.example ${'x'.repeat(60_000)}`,
  ])('beside what a remote answered has no link of it: %s', (said) => {
    const shown = [
      describeCommand({ type: 'wait', ms: 1, interruptible: true, why: 'trouble' }, said),
      describeCommand({ type: 'park', reason: said, failingMs: 1 }),
      statusWords({ state: 'parked', issues: [said] }),
    ];
    for (const text of shown) expect(text).toMatch(/^[a-z0-9 ():,]*`[^`\n]{1,500}`$/);
    expect(describeCommand({ type: 'park', reason: 'GET /x failed', failingMs: 1 })).toBe('parking: GET /x failed');
  });

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
    'x'.repeat(65),
  ])('that is %j is code', (id) => {
    for (const shown of [nameOf('k', { crmId: null, vendorId: id }), nameOf(id, { crmId: null, vendorId: null })]) {
      expect(shown).toMatch(/^`[^`\n]{1,64}`$/u);
    }
  });

  test('or a hash of the vendor’s is in no text of a workflow as it came', () => {
    const folder = join(import.meta.dirname, '..', '..', 'workflows');
    const raw = /`[^`\n]*\$\{(vendorId|crmId|id|key|hashedKey)\}[^`\n]*`/g;
    const found = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').match(raw) ?? []);
    expect(found).toEqual([]);
  });

  test('that is plain stays as it is', () => {
    expect(nameOf('k', { crmId: '006000000000001AAA', vendorId: 'DS-1_x' })).toBe('006000000000001AAA = DS-1_x');
  });
});

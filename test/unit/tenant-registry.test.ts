import { linkSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { chooseTenant } from '../../src/cli/choose-tenant.ts';
import { declarationDifference } from '../../src/platform/declaration-difference.ts';
import { buildDeclared, declareFile } from '../../src/platform/declared-tenant.ts';
import type { DeclaredTenant, TenantDeclaration } from '../../src/platform/tenant-declaration.ts';
import { type LoadOptions, loadTenantFiles } from '../../src/platform/tenant-file.ts';
import { type BuiltTenants, changesBetween, rosterOf } from '../../src/platform/tenant-roster.ts';
import { env, GOOD, tenantFolder } from '../support/stack/tenant-files.ts';

/** Tenants of the registry: what a tenant file becomes there, and what a process makes of it. */

const files = tenantFolder();
afterAll(() => files.remove());
const LOAD: LoadOptions = { env, secrets: { folders: [], ownFiles: [], names: ['ACME_*'] } };
/** One whose secrets lie beside its file. */
const BESIDE = GOOD.replace('env:ACME_VENDOR_KEY', 'file:vendor.key');
files.put('vendor.key', 'the-key-beside\n');

function declared(text: string, seal = false, options = LOAD): TenantDeclaration {
  const result = declareFile(files.put('acme.yaml', text), { ...options, seal });
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.declaration;
}

function refusals(text: string, seal = false): readonly string[] {
  const result = declareFile(files.put('acme.yaml', text), { ...LOAD, seal });
  return 'problems' in result ? result.problems.map(({ line, message }) => `${line}: ${message}`) : [];
}

describe('a tenant file, declared', () => {
  it('is the same tenant as by its file, with references in the place of secrets', () => {
    const declaration = declared(GOOD);
    const built = buildDeclared('acme', declaration, LOAD);
    if ('problems' in built) throw new Error(JSON.stringify(built.problems));
    const byFile = files.load(GOOD);
    expect(JSON.stringify(built.loaded.tenant)).toBe(JSON.stringify(byFile));
    expect(built.loaded.tenant.vendor.apiKey.reveal()).toBe(env.ACME_VENDOR_KEY);
    expect(JSON.stringify(declaration)).not.toContain(env.ACME_VENDOR_KEY);
    expect(declaration).toMatchObject({ mapping: null, secrets: {} });
  });

  it('has every secret of it sealed, wherever one may stand, and needs neither file nor variable then', () => {
    const text = BESIDE.replace('clientId: 3MVG9', 'clientId: env:ACME_SHORT');
    const declaration = declared(text, true);
    expect(JSON.stringify(declaration.content)).not.toMatch(/env:|file:/);
    expect(declaration.secrets).toEqual({
      'vendor.apiKey': 'the-key-beside',
      'salesforce.auth.clientId': env.ACME_SHORT,
      'salesforce.auth.clientSecret': env.ACME_SECRET,
      'webhooks.path': env.ACME_HOOK_PATH,
      'webhooks.keys.0': env.ACME_HOOK_KEY,
    });
    const built = buildDeclared('acme', declaration, { env: {} });
    if ('problems' in built) throw new Error(JSON.stringify(built.problems));
    const { vendor, webhooks } = built.loaded.tenant;
    expect([vendor.apiKey.reveal(), vendor.apiKey.source]).toEqual(['the-key-beside', 'sealed:vendor.apiKey']);
    expect(webhooks.keys.map((key) => key.reveal())).toEqual([env.ACME_HOOK_KEY]);
    expect(JSON.stringify(built.loaded.tenant)).not.toContain('the-key-beside');
  });

  it('keeps the mapping file that it names, and does not need it again', () => {
    files.put('own.mapping.yaml', 'values: { reasonLost: { NO_PROJECT: "MAPPED" } }\n');
    const declaration = declared(GOOD.replace('mapping: default', 'mapping: own.mapping.yaml'));
    files.put('own.mapping.yaml', 'broken: [');
    const built = buildDeclared('acme', declaration, LOAD);
    if ('problems' in built) throw new Error(JSON.stringify(built.problems));
    expect(built.loaded.tenant.mapping.values.reasonLost).toEqual({ NO_PROJECT: 'MAPPED' });
    expect(built.loaded.tenant.mappingFile).toBeUndefined();
  });

  it('is refused with line, key and repair, and without a value', () => {
    expect(refusals(GOOD.replace('currency: EUR', 'currency: Euro').replace('partnerId', 'partnerID'))).toEqual([
      expect.stringMatching(/^2: vendor\.partnerId is missing; it must be/),
      expect.stringMatching(/^6: vendor\.partnerID is not a known key; did you mean partnerId/),
      expect.stringMatching(/^22: currency must be a currency/),
    ]);
    expect(refusals(GOOD.replace('env:ACME_VENDOR_KEY', 'hunter2'))).toEqual([
      '4: vendor.apiKey must be env:NAME or file:PATH, never the secret itself',
    ]);
    expect(refusals(GOOD.replace('env:ACME_VENDOR_KEY', 'sealed:vendor.apiKey'), true)).toEqual([
      '4: vendor.apiKey must be env:NAME or file:PATH, never the secret itself',
    ]);
    expect(refusals(GOOD.replace('mapping: default', 'mapping: none.yaml'))).toEqual([
      expect.stringMatching(/mapping names a file that cannot be read \(ENOENT\)/),
    ]);
    expect(refusals(GOOD.replace('ACME_VENDOR_KEY', 'ACME_NOWHERE'))).toEqual([
      expect.stringMatching(/^4: vendor\.apiKey has no value: the environment variable ACME_NOWHERE is not set/),
    ]);
  });

  it('may name a file only where every process finds it, unless its value is sealed', () => {
    expect(refusals(BESIDE)).toEqual([
      expect.stringMatching(
        /^4: vendor\.apiKey points outside the folders "acme" in those of LOCKSTEP_SECRETS: .*--seal/,
      ),
    ]);
    const folders = { ...LOAD, secrets: { folders: [files.folder], ownFiles: [], names: ['ACME_*'] } };
    mkdirSync(join(files.folder, 'acme'));
    files.put('acme/vendor.key', 'k\n');
    const { content } = declared(BESIDE.replace('file:', 'file:acme/'), false, folders);
    expect(content['vendor']).toMatchObject({ apiKey: `file:${files.folder}/acme/vendor.key` });
  });
});

const content = declared(GOOD, true);

/** The tenant `name`, declared by the nth change, by default with its own secrets. */
function row(name: string, change: number, more: Partial<DeclaredTenant> = {}, own = true): DeclaredTenant {
  const secrets = own
    ? {
        ...content.secrets,
        'webhooks.path': `path-of-${name}-${'x'.repeat(20)}`,
        'webhooks.keys.0': keyOf(name),
      }
    : content.secrets;
  return {
    tenant: name,
    declaration: { content: { ...content.content, tenant: name }, mapping: null, secrets },
    ...{ state: 'active', version: 1, change, changedAt: '' },
    ...more,
  };
}

function keyOf(name: string): string {
  return `whsec_${Buffer.alloc(32, name).toString('base64')}`;
}

const names = (map: ReadonlyMap<string, unknown>): readonly string[] => [...map.keys()];

describe('a roster', () => {
  it('serves what is active, and knows what was removed', () => {
    const roster = rosterOf([], [row('a', 1), row('b', 2, { state: 'removed', version: 4 })], LOAD);
    expect([names(roster.served), names(roster.unavailable), [...roster.removed]]).toEqual([['a'], [], [['b', 4]]]);
  });

  it('has a bad tenant stop no other, whichever way it is bad, and says why', () => {
    const noKey = { ...content, secrets: {} };
    const wrong = { ...content, content: { tenant: 'wrong', vendor: 'none' } };
    const rows = [
      row('sealed-elsewhere', 1, { declaration: null }),
      row('no-key', 2, { declaration: { ...noKey, content: { ...content.content, tenant: 'no-key' } } }),
      row('wrong', 3, { declaration: wrong }),
      row('good', 4),
    ];
    const { served, unavailable } = rosterOf([], rows, LOAD);
    expect(names(served)).toEqual(['good']);
    expect(Object.fromEntries(unavailable)).toEqual({
      'sealed-elsewhere': expect.stringContaining('do not open with the sealing keys of this process'),
      'no-key': expect.stringMatching(/vendor\.apiKey has no value: nothing is sealed for it/),
      wrong: expect.stringMatching(/vendor must be a section/),
    });
  });

  it('refuses the one that changed last where two cannot be distinguished', () => {
    const first = row('first', 7, {}, false);
    const second = row('second', 9, {}, false);
    for (const rows of [
      [first, second],
      [second, first],
    ]) {
      const { served, unavailable } = rosterOf([], rows, LOAD);
      expect(names(served)).toEqual(['first']);
      expect(unavailable.get('second')).toMatch(/webhooks\.path points to the same secret as that of first/);
    }
  });

  it('serves one tenant alone whose secret is in a file, by whatever link', () => {
    const secrets = { folders: [files.folder], ownFiles: [], names: ['ACME_*'] };
    const naming = (name: string, change: number): DeclaredTenant => {
      const of = row(name, change);
      const apiKey = `file:${join(files.folder, name, 'twin.key')}`;
      const vendor = { ...(content.content['vendor'] as object), apiKey };
      const declaration = { ...of.declaration, content: { ...of.declaration?.content, vendor } } as TenantDeclaration;
      return { ...of, declaration };
    };
    for (const name of ['one', 'other']) mkdirSync(join(files.folder, name));
    files.put('one/twin.key', 'k');
    linkSync(join(files.folder, 'one/twin.key'), join(files.folder, 'other/twin.key'));
    const { served, unavailable } = rosterOf([], [naming('one', 1), naming('other', 2)], { env, secrets });
    expect(names(served)).toEqual(['one']);
    expect(unavailable.get('other')).toMatch(/vendor\.apiKey points at the same file as a secret of one/);
  });

  it('lets no tenant come to another’s variables by its name, nor name them', () => {
    const own = { env: { ...env, ACME_EU_KEY: 'of-eu' }, secrets: { folders: [], ownFiles: [], names: [] } };
    const naming = (name: string, change: number): DeclaredTenant => {
      const of = row(name, change);
      const vendor = { ...(content.content['vendor'] as object), apiKey: 'env:ACME_EU_KEY' };
      return {
        ...of,
        declaration: {
          ...of.declaration,
          content: { ...of.declaration?.content, vendor },
        } as TenantDeclaration,
      };
    };
    const planted = rosterOf([], [naming('acme', 1), row('acme-eu', 2)], own);
    expect(names(planted.served)).toEqual(['acme']);
    expect(planted.unavailable.get('acme-eu')).toMatch(
      /would make ACME_EU_KEY a variable of its own, which the tenant acme names/,
    );
    const borrowing = rosterOf([], [naming('acme-eu', 1), naming('acme', 2)], own);
    expect(names(borrowing.served)).toEqual(['acme-eu']);
    expect(borrowing.unavailable.get('acme')).toMatch(/names ACME_EU_KEY, which is the tenant acme-eu's/);
  });

  it('goes on with the file of a tenant that is declared as well, and says so', () => {
    const loaded = loadTenantFiles([files.put('acme.yaml', GOOD)], LOAD);
    const roster = rosterOf(loaded, [row('acme', 1)], LOAD);
    expect(roster.served.get('acme')).toMatchObject({ version: null, tenant: loaded[0]?.tenant });
    expect(roster.unavailable.get('acme')).toMatch(
      /^it is declared and has a tenant file, .* run lockstep tenants remove acme$/,
    );
    expect(chooseTenant(roster, undefined)).toBe(loaded[0]?.tenant);
    const other = rosterOf(loaded, [row('acme', 1), row('bad', 2, { declaration: null })], LOAD);
    expect(() => chooseTenant(other, undefined)).toThrow('There are several tenants');
    expect(names(rosterOf(loaded, [row('acme', 1, { state: 'removed' })], LOAD).removed)).toEqual([]);
  });

  it('builds again only what changed, or could not be had', () => {
    const known: BuiltTenants = new Map();
    const before = rosterOf([], [row('a', 1), row('b', 2, { declaration: null })], LOAD, known);
    const after = rosterOf([], [row('a', 1), row('b', 2)], LOAD, known);
    expect(after.served.get('a')?.tenant).toBe(before.served.get('a')?.tenant);
    expect(names(after.served)).toEqual(['a', 'b']);
    expect(changesBetween(before, after)).toEqual(['b']);
    const changed = rosterOf([], [row('a', 3, { version: 2 })], LOAD, known);
    expect(changed.served.get('a')?.tenant).not.toBe(before.served.get('a')?.tenant);
    expect(changesBetween(after, changed)).toEqual(['a', 'b']);
    expect(changesBetween(changed, changed)).toEqual([]);
  });
});

describe('what two declarations say otherwise', () => {
  it('is reported key by key, and never a sealed value', () => {
    const vendor = { ...(content.content['vendor'] as object), poll: { every: '60s', overlap: '10m' } };
    const { currency: _, ...rest } = content.content;
    const after = {
      content: { ...rest, vendor, closeFromVendor: false },
      mapping: 'values: {}',
      secrets: { ...content.secrets, 'vendor.apiKey': 'another' },
    };
    const result = declarationDifference(content, after);
    expect(result).toEqual([
      { at: 'vendor.poll.every', before: '90s', after: '60s' },
      { at: 'currency', before: 'EUR', after: null },
      { at: 'closeFromVendor', before: 'true', after: 'false' },
      { at: 'vendor.apiKey', before: 'a sealed value', after: 'another sealed value' },
      { at: 'the mapping file', before: null, after: 'a text' },
    ]);
    expect(declarationDifference(after, after)).toEqual([]);
    expect(JSON.stringify(result)).not.toContain('another"');
  });
});

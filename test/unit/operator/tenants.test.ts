import { afterAll, describe, expect, it } from 'vitest';
import { addTenant, applyTenants, changesOf } from '../../../src/operator/tenants/apply-tenants.ts';
import {
  listTenants,
  namesShown,
  pauseTenant,
  requireErasable,
  resumePaused,
  showTenant,
  takeTenantOut,
} from '../../../src/operator/tenants/tenant-state.ts';
import { type Declared, declareFile } from '../../../src/platform/declared-tenant.ts';
import type { MappingVersion } from '../../../src/platform/mapping-version.ts';
import type { DeclaredTenant } from '../../../src/platform/tenant-declaration.ts';
import { rosterOf } from '../../../src/platform/tenant-roster.ts';
import { env, GOOD, tenantFolder } from '../../support/stack/tenant-files.ts';

const files = tenantFolder();
afterAll(() => files.remove());
const LOAD = { env, secrets: { folders: [], ownFiles: [], names: ['ACME_*'] } };
const NOW = '2027-01-04T08:00:00.000Z';
const NO_FILES = rosterOf([], [], LOAD);

function declared(tenant: string, text = GOOD, seal = false): Declared {
  const own = text.replace('tenant: acme', `tenant: ${tenant}`);
  const result = declareFile(files.put(`${tenant}.yaml`, own), { ...LOAD, seal });
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result;
}
/** Without webhooks, whose secrets tell tenants apart. */
const PLAIN = GOOD.replace(/^webhooks:.*\n/m, '');

/** A ledger with a registry that is kept here; `race`: somebody else changes this tenant just before we do. */
function aLedger(...given: readonly Declared[]) {
  const rows = new Map<string, DeclaredTenant>();
  const pauses = new Map<string, string>();
  const published = new Map<string, MappingVersion>();
  const reports: { tenant: string; process: string; reason: string; at: string }[] = [];
  let change = 0;
  let race: string | null = null;
  const isOther = (tenant: string, basedOn: number | null): boolean =>
    tenant === race || (rows.get(tenant)?.version ?? null) !== basedOn;
  const put = (tenant: string, row: Pick<DeclaredTenant, 'declaration' | 'state'>): number => {
    change += 1;
    const version = (rows.get(tenant)?.version ?? 0) + 1;
    rows.set(tenant, { tenant, ...row, version, change, changedAt: NOW });
    return version;
  };
  const ledger = {
    tenantsSince: async () => [...rows.values()],
    mappingsSince: async () => [...published.values()],
    declareTenant: async (
      tenant: string,
      declaration: DeclaredTenant['declaration'],
      basedOn: number | null,
    ): Promise<number | null> => (isOther(tenant, basedOn) ? null : put(tenant, { declaration, state: 'active' })),
    removeTenant: async (tenant: string, basedOn: number): Promise<boolean> => {
      if (isOther(tenant, basedOn)) return false;
      put(tenant, { declaration: rows.get(tenant)?.declaration ?? null, state: 'removed' });
      return true;
    },
    pausedTenants: async () => [...pauses].map(([tenant, since]) => ({ tenant, since })),
    unavailableTenants: async (since: string) => reports.filter(({ at }) => at >= since),
    pause: async (tenant: string, _group: string, _reason: string, at: string) => {
      const isNew = !pauses.has(tenant);
      if (isNew) pauses.set(tenant, at);
      return isNew;
    },
    resume: async (tenant: string) => void pauses.delete(tenant),
    countByState: async () => ({ 'in-sync': 3, parked: 1 }),
  };
  for (const { tenant, declaration } of given) put(tenant, { declaration, state: 'active' });
  return {
    ledger,
    rows,
    pauses,
    published,
    reports,
    ports: { ledger, load: LOAD, now: () => NOW, byFile: ['kept'] },
    raceFor: (tenant: string): void => {
      race = tenant;
    },
  };
}

const BOTH = { prune: true, yes: true };
const actionsOf = ({ changes }: { readonly changes: readonly { tenant: string; action: string }[] }) =>
  Object.fromEntries(changes.map(({ tenant, action }) => [tenant, action]));

describe('applying tenant files', () => {
  const kept = declared('kept', PLAIN);
  const [before, after] = [declared('changed', PLAIN), declared('changed', PLAIN.replace('90s', '2m'))];
  const added = declared('added', PLAIN);
  const gone = declared('gone', PLAIN);

  it('tells what would change, key by key, and does nothing', async () => {
    const { ports, rows } = aLedger(kept, before, gone);
    const versions = JSON.stringify([...rows]);
    const result = await applyTenants(ports, [kept, after, added], { prune: false, yes: false });
    expect(result).toMatchObject({ applied: false, unnamed: ['gone'], alsoByFile: ['kept'] });
    expect(result.changes).toEqual([
      { tenant: 'added', action: 'add', fields: [] },
      {
        tenant: 'changed',
        action: 'change',
        fields: [{ at: 'vendor.poll.every', before: '90s', after: '2m' }],
      },
      { tenant: 'kept', action: 'keep', fields: [] },
    ]);
    expect(JSON.stringify([...rows])).toBe(versions);
  });

  it.each([
    ['a published version', 'stages: []', [{ tenant: 'changed', version: 3 }]],
    ['a version that lets the files apply', null, []],
  ])('warns of a changed mapping file where %s applies', async (_, text, hiddenMappings) => {
    const { ports, published } = aLedger(before);
    const content = { text, files: '', takenBackTo: null, by: 'ada', reason: null };
    published.set('changed', { tenant: 'changed', version: 3, change: 1, publishedAt: NOW, content });
    const mapped = { ...before, declaration: { ...before.declaration, mapping: 'fields: {}' } };
    const found = async (one: Declared) => (await applyTenants(ports, [one], BOTH)).hiddenMappings;
    expect([await found(after), await found(mapped)]).toEqual([[], hiddenMappings]);
  });

  it('does it, leaves what is the same alone, and removes what no file names only where that is asked for', async () => {
    const { ports, rows } = aLedger(kept, before, gone);
    await applyTenants(ports, [kept, after, added], { prune: false, yes: true });
    expect([...rows.values()].map(({ tenant, version, state }) => [tenant, version, state])).toEqual([
      ['kept', 1, 'active'],
      ['changed', 2, 'active'],
      ['gone', 1, 'active'],
      ['added', 1, 'active'],
    ]);
    const again = await applyTenants(ports, [kept, after, added], BOTH);
    expect(actionsOf(again)).toEqual({ added: 'keep', changed: 'keep', gone: 'remove', kept: 'keep' });
    expect(rows.get('gone')?.state).toBe('removed');
    const last = await applyTenants(ports, [kept, after, added], BOTH);
    expect(Object.values(actionsOf(last))).toEqual(['keep', 'keep', 'keep']);
  });

  it('changes nothing of what somebody else has changed meanwhile, and says so', async () => {
    const { ports, rows, raceFor } = aLedger(before);
    raceFor('changed');
    await expect(applyTenants(ports, [after, added], BOTH)).rejects.toThrow(
      /Another operator has changed changed meanwhile.*the others are applied/,
    );
    expect([rows.get('changed')?.version, rows.get('added')?.version]).toEqual([1, 1]);
  });

  it('refuses as a whole what cannot be distinguished, by file and key', async () => {
    const one = declared('one');
    const { ports, rows } = aLedger(one);
    const result = applyTenants(ports, [one, declared('two'), added], { prune: false, yes: true });
    await expect(result).rejects.toThrow(/two\.yaml: webhooks\.path points to the same secret as that of one/);
    await expect(applyTenants(ports, [added, { ...added, file: 'other.yaml' }], BOTH)).rejects.toThrow(
      /other\.yaml: tenant is the name of another file's tenant too, added/,
    );
    expect([...rows.keys()]).toEqual(['one']);
  });

  it('says of a sealed value that it is another one, and no more', () => {
    const sealed = declared('one', GOOD, true);
    const rows = [...aLedger(sealed).rows.values()];
    const secrets = { ...sealed.declaration.secrets, 'vendor.apiKey': 'tell-nobody' };
    const other = { ...sealed, declaration: { ...sealed.declaration, secrets } };
    const result = changesOf([other], rows, false);
    expect(result[0]?.fields).toEqual([
      { at: 'vendor.apiKey', before: 'a sealed value', after: 'another sealed value' },
    ]);
    expect(JSON.stringify(result)).not.toContain('tell-nobody');
  });
});

describe('adding a tenant', () => {
  it('declares it, does nothing where it is there as it is, and changes none that is there', async () => {
    const { ports, rows } = aLedger();
    expect(actionsOf(await addTenant(ports, declared('one', PLAIN)))).toEqual({ one: 'add' });
    expect(actionsOf(await addTenant(ports, declared('one', PLAIN)))).toEqual({ one: 'keep' });
    await expect(addTenant(ports, declared('one', PLAIN.replace('90s', '2m')))).rejects.toThrow(
      /There is a tenant one already, and the file differs .*: lockstep tenants apply .*one\.yaml shows/,
    );
    expect(rows.get('one')?.version).toBe(1);
  });

  it('changes none that somebody else adds in the same moment', async () => {
    const { ports, rows } = aLedger();
    let reads = 0;
    const tenantsSince = async () => {
      reads += 1;
      if (reads === 3) await addTenant(ports, declared('one', PLAIN.replace('90s', '2m')));
      return [...rows.values()];
    };
    const own = { ...ports, ledger: { ...ports.ledger, tenantsSince } };
    await expect(addTenant(own, declared('one', PLAIN))).rejects.toThrow(/Another operator has changed one meanwhile/);
    expect(rows.get('one')?.version).toBe(1);
  });

  it('takes up again one that was removed', async () => {
    const one = declared('one', PLAIN);
    const { ports, ledger, rows } = aLedger(one);
    await takeTenantOut(ledger, NO_FILES, 'one', NOW);
    expect(actionsOf(await addTenant(ports, one))).toEqual({ one: 'add' });
    expect(rows.get('one')).toMatchObject({ state: 'active', version: 3 });
  });
});

describe('where a tenant stands', () => {
  it('learns of files and registry, with who cannot serve it and why', async () => {
    const { ledger, pauses, reports } = aLedger(declared('bad', PLAIN), declared('idle', PLAIN));
    pauses.set('idle', NOW);
    reports.push({ tenant: 'bad', process: 'worker 1', reason: 'vendor.apiKey has no value', at: NOW });
    reports.push({
      tenant: 'idle',
      process: 'worker 0',
      reason: 'of long ago',
      at: '2027-01-04T07:00:00.000Z',
    });
    const served = new Map([['filed', { tenant: { ...files.load(GOOD), tenant: 'filed' }, version: null }]]);
    const byFile = { served, unavailable: new Map([['bad', 'no such secret here']]) };
    const { tenants } = await listTenants(ledger, byFile, { all: false, now: NOW });
    expect(tenants.map(({ tenant, state, declaredBy }) => [tenant, state, declaredBy])).toEqual([
      ['bad', 'unavailable', 'registry'],
      ['filed', 'active', 'file'],
      ['idle', 'paused', 'registry'],
    ]);
    expect(tenants[0]?.unavailable).toMatchObject([{ process: 'worker 1', reason: 'vendor.apiKey has no value' }]);
  });

  it('learns of a file that cannot be used, by whoever reads it', async () => {
    const { ledger, reports } = aLedger(declared('removed', PLAIN));
    await takeTenantOut(ledger, NO_FILES, 'removed', NOW);
    reports.push({ tenant: 'there', process: 'worker 1', reason: 'there.yaml:1: no', at: NOW });
    reports.push({ tenant: 'both', process: 'worker 1', reason: 'both.yaml:1: no', at: NOW });
    const broken = new Map(['both', 'here', 'removed'].map((name) => [name, `${name}.yaml:1: no`]));
    const { tenants } = await listTenants(ledger, rosterOf([], [], LOAD, new Map(), broken), {
      all: false,
      now: NOW,
    });
    const result = tenants.map(({ tenant, state, declaredBy, unavailable }) => [
      ...[tenant, state, declaredBy],
      ...unavailable.map(({ process, reason }) => `${process}, ${reason}`),
    ]);
    expect(result).toEqual([
      ['both', 'unavailable', 'file', 'worker 1, both.yaml:1: no'],
      ['here', 'unavailable', 'file', 'this process, here.yaml:1: no'],
      ['removed', 'unavailable', 'file', 'this process, removed.yaml:1: no'],
      ['there', 'unavailable', 'file', 'worker 1, there.yaml:1: no'],
    ]);
  });

  it('is shown with its declaration, without a secret', async () => {
    const { ledger } = aLedger(declared('one', GOOD, true));
    const shown = await showTenant(ledger, NO_FILES, 'one', NOW);
    expect(shown.declaration).toMatchObject({ vendor: { apiKey: 'sealed:vendor.apiKey' } });
    expect(JSON.stringify(shown)).not.toContain(env.ACME_VENDOR_KEY);
    await expect(showTenant(ledger, NO_FILES, 'two', NOW)).rejects.toThrow('There is no tenant two; known: one.');
  });

  it('is named among ten others where it is not there, however many there are', () => {
    const names = Array.from({ length: 1_000 }, (_, n) => `t${n}`);
    expect(namesShown(names)).toBe('t0, t1, t2, t3, t4, t5, t6, t7, t8, t9 and 990 more that lockstep tenants lists');
    expect(namesShown(names.slice(0, 2))).toBe('t0, t1');
  });

  it('changes by a person’s word, once', async () => {
    const { ledger, pauses } = aLedger(declared('one', PLAIN));
    expect(await pauseTenant(ledger, NO_FILES, 'one', NOW)).toMatchObject({ changed: true, state: 'paused' });
    expect(await pauseTenant(ledger, NO_FILES, 'one', NOW)).toMatchObject({ changed: false });
    expect(await resumePaused(ledger, NO_FILES, 'one', NOW)).toMatchObject({
      changed: true,
      state: 'active',
    });
    expect(await resumePaused(ledger, NO_FILES, 'one', NOW)).toMatchObject({ changed: false });
    await pauseTenant(ledger, NO_FILES, 'one', NOW);
    expect(await takeTenantOut(ledger, NO_FILES, 'one', NOW)).toEqual({
      shape: 'tenant-removed/1',
      tenant: 'one',
      changed: true,
      records: 4,
      byFile: false,
    });
    expect(await takeTenantOut(ledger, NO_FILES, 'one', NOW)).toMatchObject({ changed: false });
    expect(pauses.size).toBe(0);
    for (const turn of [pauseTenant, resumePaused])
      await expect(turn(ledger, NO_FILES, 'one', NOW)).rejects.toThrow('There is no tenant one; known: none.');
    const { tenants } = await listTenants(ledger, NO_FILES, { all: false, now: NOW });
    expect(tenants).toEqual([]);
    expect((await listTenants(ledger, NO_FILES, { all: true, now: NOW })).tenants).toMatchObject([
      { state: 'removed' },
    ]);
  });
});

describe('a tenant that has a file', () => {
  const served = new Map([['one', { tenant: { ...files.load(GOOD), tenant: 'one' }, version: null }]]);
  const byFile = { served, unavailable: new Map<string, string>() };

  it('loses a declaration that it has as well, and goes on by its file', async () => {
    const { ledger, rows } = aLedger(declared('one', PLAIN));
    expect(await takeTenantOut(ledger, byFile, 'one', NOW)).toMatchObject({
      changed: true,
      byFile: true,
    });
    expect(rows.get('one')).toMatchObject({ state: 'removed' });
    const alone = takeTenantOut(ledger, byFile, 'one', NOW);
    await expect(alone).rejects.toThrow('one has a tenant file: take the file away');
  });

  it('is not taken out of service so, to be erased', async () => {
    const { ledger, rows } = aLedger(declared('one', PLAIN));
    const erased = takeTenantOut(ledger, byFile, 'one', NOW, { erases: true });
    await expect(erased).rejects.toThrow('one has a tenant file, so --erase cannot erase it');
    expect(rows.get('one')).toMatchObject({ state: 'active' });
  });

  it.each([
    ['alone', []],
    ['and a declaration', [declared('one', PLAIN)]],
  ])('is refused before anything of it is counted, with what erasing takes: %s', async (_, given) => {
    const { ledger } = aLedger(...given);
    const asked = requireErasable(ledger, byFile, 'one', NOW);
    await expect(asked).rejects.toThrow(/cannot erase it: .* lockstep tenants add, then run this again/);
    await expect(requireErasable(ledger, byFile, 'none', NOW)).rejects.toThrow('There is no tenant none');
    await expect(requireErasable(aLedger(declared('two', PLAIN)).ledger, byFile, 'two', NOW)).resolves.toBe(undefined);
  });
});

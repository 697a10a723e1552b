import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  loadTenants,
  type SimulatorDefaults,
  TenantFileError,
  usableTenantFiles,
} from '../../src/platform/tenant-file.ts';
import { rosterOf } from '../../src/platform/tenant-roster.ts';
import { env, GOOD, problems, SIMULATORS, tenantFolder } from '../support/stack/tenant-files.ts';

let files: ReturnType<typeof tenantFolder>;
beforeEach(() => {
  files = tenantFolder();
});
afterEach(() => files.remove());

describe('a folder of tenant files', () => {
  it('is read in order of names, mapping files left out', () => {
    files.put('b.yaml', 'tenant: beta\n');
    files.put('a.yml', 'tenant: alpha\n');
    files.put('a.mapping.yaml', 'values: {}\n');
    files.put('notes.txt', 'x');
    const { webhooks: _shared, ...crm } = SIMULATORS.salesforce as NonNullable<SimulatorDefaults['salesforce']>;
    const tenants = loadTenants([files.folder], { env, simulators: { ...SIMULATORS, salesforce: crm } });
    expect(tenants.map((tenant) => tenant.tenant)).toEqual(['alpha', 'beta']);
  });

  it('is refused when two files share a name, a webhook path or a signing key', () => {
    files.put('a.yaml', GOOD);
    files.put('b.yaml', GOOD);
    expect(problems(files.folder)).toEqual([
      expect.stringMatching(/^1: tenant is the name of the tenant in .*a\.yaml too/),
      expect.stringMatching(/^20: webhooks\.path points to the same secret as in .*a\.yaml/),
      expect.stringMatching(/^20: webhooks\.keys points to the same secret as in .*a\.yaml/),
    ]);
  });

  it('is refused when it is empty, or is not there', () => {
    expect(problems(files.folder)).toEqual([expect.stringMatching(/holds no tenant file/)]);
    expect(problems(join(files.folder, 'nowhere'))).toEqual([expect.stringMatching(/does not exist/)]);
  });
});

describe('where one of several files cannot be used', () => {
  const other = GOOD.replace('tenant: acme', 'tenant: globex').replaceAll('ACME_', 'GLOBEX_');
  const all = {
    ...env,
    ...Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name.replace('ACME_', 'GLOBEX_'), value.replace(/^[pqs]/, 'x')]),
    ),
    GLOBEX_HOOK_KEY: `whsec_${Buffer.alloc(32, 2).toString('base64')}`,
  };
  const use = () => usableTenantFiles([files.folder], { env: all });

  it.each([
    ['an unknown key', GOOD.replace('currency: EUR', 'curency: EUR'), /^acme\.yaml:\d+ .*curency/],
    ['no YAML', 'tenant: [acme', /^acme\.yaml:1 /],
    ['a secret that is not there', GOOD.replace('ACME_VENDOR_KEY', 'ACME_NOWHERE'), /ACME_NOWHERE/],
    ['the name of another', other, /is declared by .*0-globex\.yaml as well/],
  ])('the others are, and it is named: %s', (_, bad, reason) => {
    files.put('0-globex.yaml', other);
    files.put('acme.yaml', bad);
    const { loaded, broken } = use();
    expect(loaded.map(({ tenant }) => tenant.tenant)).toEqual(['globex']);
    expect([...broken.values()].join()).toMatch(reason);
    expect([...broken.values()].join()).not.toMatch(/vendor-key|client-secret/);
  });

  it('a declaration of its name is not served in its place', () => {
    files.put('globex.yaml', other);
    const [loaded] = use().loaded;
    const broken = new Map([['acme', 'acme.yaml:1 cannot be read']]);
    const declared = { tenant: 'acme', version: 1, change: 1, state: 'active', declaration: null } as const;
    const roster = rosterOf([loaded as never], [declared as never], { env: all }, new Map(), broken);
    expect([...roster.served.keys()]).toEqual(['globex']);
    expect(roster.unavailable).toEqual(broken);
  });

  it('nothing is where none can be', () => {
    files.put('acme.yaml', 'tenant: acme\n');
    expect(use).toThrow(TenantFileError);
  });
});

describe('a mapping file', () => {
  const withMapping = GOOD.replace('mapping: default', 'mapping: acme.mapping.yaml');

  it('replaces the stage table and adds codes', () => {
    files.put(
      'acme.mapping.yaml',
      `stages:
  - { stage: New, status: LEAD_OPEN }
  - { stage: Old, status: LEAD_OPEN, inbound: false }
  - { stage: Validated, status: VALIDATED }
values:
  status: { ESTABLISHED: "E" }
  revenueType: { Yearly: "RENTAL_Y" }
`,
    );
    const { mapping } = files.load(withMapping);
    expect(mapping.stages).toEqual([
      { stage: 'New', status: 'LEAD_OPEN', inbound: true },
      { stage: 'Old', status: 'LEAD_OPEN', inbound: false },
      { stage: 'Validated', status: 'VALIDATED', inbound: true },
    ]);
    expect(mapping.values.status).toEqual({ VALIDATED: 'V_STAGE', LOST: 'LOST', ESTABLISHED: 'E' });
    expect(mapping.values.revenueType).toEqual({ Yearly: 'RENTAL_Y' });
  });

  it('gives single fields another conflict rule, and refuses one that is none', () => {
    files.put('acme.mapping.yaml', 'rules: { nextMilestone: crm, name: manual }\n');
    expect(files.load(withMapping).mapping.rules).toEqual({ nextMilestone: 'crm', name: 'manual' });
    files.put('acme.mapping.yaml', 'directions: { description: to-crm }\n');
    expect(files.load(withMapping).mapping.directions).toEqual({ description: 'to-crm' });
    files.put('acme.mapping.yaml', 'directions: { currency: both }\n');
    expect(() => files.load(withMapping)).toThrow(/directions\.currency/);
    files.put('acme.mapping.yaml', 'directions: { name: nowhere }\n');
    expect(() => files.load(withMapping)).toThrow(/must be both, to-vendor, to-crm or first-sync/);
    files.put('acme.mapping.yaml', 'rules: { name: mine }\n');
    expect(() => files.load(withMapping)).toThrow(/rules\.name must be newest, crm, vendor or manual/);
  });

  it('is refused with its own name and lines', () => {
    const path = files.put(
      'acme.mapping.yaml',
      `stages:
  - { stage: New, status: LEAD_OPN }
  - { stage: New, status: LEAD_OPEN, inbond: true }
`,
    );
    const error = (() => {
      try {
        return files.load(withMapping);
      } catch (thrown) {
        return thrown as TenantFileError;
      }
    })();
    expect(error).toMatchObject({
      problems: [
        {
          file: path,
          line: 2,
          message: expect.stringMatching(/^stages\[0\]\.status must be one of LEAD_OPEN/),
        },
        { file: path, line: 3, message: 'stages[1].inbond is not a known key; did you mean inbound?' },
      ],
    });
  });

  it('is refused for a stage with two rows and a status with two inbound rows', () => {
    files.put(
      'acme.mapping.yaml',
      `stages:
  - { stage: New, status: LEAD_OPEN }
  - { stage: New, status: LEAD_OPEN }
`,
    );
    expect(problems(files.put('acme.yaml', withMapping))).toEqual([
      expect.stringMatching(/^3: stages\[1\]\.stage names a stage that has a row/),
      expect.stringMatching(/^3: stages\[1\] is a second inbound row/),
    ]);
  });
});

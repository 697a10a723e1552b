import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planUp } from '../../../playground/up/plan-up.ts';
import { readSettings } from '../../../src/platform/settings.ts';
import { tenantFolder } from '../../support/stack/tenant-files.ts';

const env = { TEMPORAL_CLI: '/bin/temporal', ALPHA_KEY: 'a-key-of-the-vendor-1' };
const VENDOR = 'vendor:\n  baseUrl: http://127.0.0.1:9\n  apiKey: env:ALPHA_KEY\n  partnerId: P1\n';

let files: ReturnType<typeof tenantFolder>;
beforeEach(() => {
  files = tenantFolder();
});
afterEach(() => files.remove());

function plan(...tenantPaths: readonly string[]) {
  const cwd = files.folder;
  return planUp(readSettings(env, { cwd, terminal: false }), env, { cwd, tenantPaths, once: false });
}

describe('what a start has to bring', () => {
  it('is both simulators for the demo tenant where no file is named', () => {
    expect(plan()).toMatchObject({ tenants: ['demo'], tenantFiles: null, simulateVendor: true });
  });

  it('is what any of the named tenants leaves out', () => {
    files.put('alpha.yaml', `tenant: alpha\n${VENDOR}`);
    expect(plan('alpha.yaml')).toMatchObject({
      tenants: ['alpha'],
      tenantFiles: [join(files.folder, 'alpha.yaml')],
      simulateVendor: false,
      simulateSalesforce: true,
    });
  });

  it('is for every tenant of a folder, each once', () => {
    files.put('alpha.yaml', `tenant: alpha\n${VENDOR}`);
    files.put('beta.yaml', 'tenant: beta\n');
    expect(plan('.', 'beta.yaml')).toMatchObject({ tenants: ['alpha', 'beta'], simulateVendor: true });
  });

  it('is nothing where one of the files is bad', () => {
    files.put('alpha.yaml', `tenant: alpha\n${VENDOR}`);
    expect(() => plan('alpha.yaml', 'gamma.yaml')).toThrow(/gamma\.yaml:1: does not exist/);
  });
});

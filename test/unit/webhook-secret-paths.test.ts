import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/platform/logger.ts';
import { type Secret, SecretError } from '../../src/platform/secret.ts';
import { createSecretPaths } from '../../src/webhooks/secret-paths.ts';
import { aTenant } from '../support/stack/webhooks.ts';

/** Tenants `t0`, `t1`, … with a path each that the test may replace, and how often any of them was read. */
function someTenants(count: number) {
  const values = Array.from({ length: count }, (_, index) => `path-${index}`);
  const seen = { reads: 0 };
  const tenants = values.map((_, index) => {
    const reveal = () => {
      seen.reads += 1;
      const value = values[index];
      if (value === undefined || value === '') throw new SecretError('the file is empty');
      return value;
    };
    return aTenant({ tenant: `t${index}`, paths: [{ reveal, source: `file:${index}` } satisfies Secret] });
  });
  return { tenants, values, seen };
}

describe('the secret paths', () => {
  it('lead to their tenant, and an unknown one nowhere', async () => {
    const { tenants } = someTenants(50);
    const paths = createSecretPaths(
      () => tenants,
      silentLogger,
      () => 0,
    );

    expect((await paths.tenantOf('path-37'))?.tenant).toBe('t37');
    expect(await paths.tenantOf('path-50')).toBeNull();
    expect(await paths.tenantOf('')).toBeNull();
  });

  it('cost whoever tries them one reading of the secrets a second, however many tenants there are', async () => {
    const { tenants, seen } = someTenants(1000);
    const clock = { ms: 0 };
    const paths = createSecretPaths(
      () => tenants,
      silentLogger,
      () => clock.ms,
    );

    await Promise.all(Array.from({ length: 200 }, (_, index) => paths.tenantOf(`guess-${index}`)));
    expect(seen.reads).toBe(1000);

    clock.ms = 999;
    await paths.tenantOf('another guess');
    expect(seen.reads).toBe(1000);

    clock.ms = 1000;
    await paths.tenantOf('and another');
    expect(seen.reads).toBe(2000);
  });

  it('read only the secrets of the tenant that a known path leads to', async () => {
    const { tenants, seen } = someTenants(1000);
    const paths = createSecretPaths(
      () => tenants,
      silentLogger,
      () => 0,
    );
    await paths.tenantOf('path-1');

    seen.reads = 0;
    expect((await paths.tenantOf('path-900'))?.tenant).toBe('t900');
    expect(seen.reads).toBe(1);
  });

  it('let others have their turn while all secrets are read', async () => {
    const { tenants, seen } = someTenants(1000);
    const paths = createSecretPaths(
      () => tenants,
      silentLogger,
      () => 0,
    );

    const looking = paths.tenantOf('unknown');
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen.reads).toBeLessThan(100);
    await looking;
  });

  it('follow a replaced secret: the new path counts within a second, the old one ends at once', async () => {
    const { tenants, values } = someTenants(3);
    const clock = { ms: 0 };
    const paths = createSecretPaths(
      () => tenants,
      silentLogger,
      () => clock.ms,
    );
    await paths.tenantOf('path-1');

    values[1] = 'rotated';
    clock.ms = 500;
    expect(await paths.tenantOf('path-1')).toBeNull();
    clock.ms = 1000;
    expect((await paths.tenantOf('rotated'))?.tenant).toBe('t1');
  });

  it('of a tenant whose secret cannot be read shut nobody else out', async () => {
    const { tenants, values } = someTenants(3);
    values[0] = '';
    const paths = createSecretPaths(
      () => tenants,
      silentLogger,
      () => 0,
    );
    expect((await paths.tenantOf('path-2'))?.tenant).toBe('t2');
    expect(await paths.tenantOf('path-0')).toBeNull();
  });

  it('of a tenant that is gone lead nowhere, and of one that came to it within a second', async () => {
    const { tenants } = someTenants(4);
    const clock = { ms: 0 };
    let served = tenants.slice(0, 3);
    const paths = createSecretPaths(
      () => served,
      silentLogger,
      () => clock.ms,
    );
    expect((await paths.tenantOf('path-2'))?.tenant).toBe('t2');

    served = [...tenants.slice(0, 2), ...tenants.slice(3)];
    expect(await paths.tenantOf('path-2')).toBeNull();
    clock.ms = 1000;
    expect((await paths.tenantOf('path-3'))?.tenant).toBe('t3');
    expect((await paths.tenantOf('path-1'))?.tenant).toBe('t1');
  });
});

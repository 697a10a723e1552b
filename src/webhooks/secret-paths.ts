import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from '../platform/logger.ts';
import type { Tenant } from '../platform/tenant.ts';
import { liveValues } from './live-secrets.ts';

/** Which tenant a secret path leads to. */
export interface SecretPaths {
  /** The tenant that has this path now, or null. */
  tenantOf(candidate: string): Promise<Tenant | null>;
}

/** An unknown path has all secrets read again, for one may have been replaced; at most so often. */
const REREAD_EVERY_MS = 1000;
/** Tenants whose secrets are read before other requests have their turn. */
const SLICE = 20;

/**
 * Finds tenants by the hash of their path, so that neither content nor number of the live values shows in the time it
 * takes. A path that is found is compared with the live values of its tenant as it is by now, so that a withdrawn one ends at
 * once, and so does a tenant that is gone. One that is not found has the secrets of all tenants read again, in slices and at most
 * once a second: whoever tries paths costs a lookup. `nowMs` is any clock that only goes forward.
 */
export function createSecretPaths(
  tenantsNow: () => readonly Tenant[],
  log: Logger,
  nowMs: () => number = () => performance.now(),
): SecretPaths {
  let byHash = new Map<string, string>();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  async function readAll(): Promise<void> {
    const found = new Map<string, string>();
    for (const [index, tenant] of tenantsNow().entries()) {
      if (index % SLICE === SLICE - 1) await setImmediate();
      for (const hash of liveHashes(tenant, log)) found.set(hash, tenant.tenant);
    }
    byHash = found;
  }

  async function readAgain(): Promise<void> {
    if (reading === null && nowMs() - readAt < REREAD_EVERY_MS) return;
    reading ??= readAll().finally(() => {
      readAt = nowMs();
      reading = null;
    });
    await reading;
  }

  function liveTenant(hash: string): Tenant | null {
    const name = byHash.get(hash);
    const known = name === undefined ? undefined : tenantsNow().find(({ tenant }) => tenant === name);
    return known !== undefined && liveHashes(known, log).includes(hash) ? known : null;
  }

  return {
    tenantOf: async (candidate) => {
      const hash = hashOf(candidate);
      const known = liveTenant(hash);
      if (known !== null) return known;
      await readAgain();
      return liveTenant(hash);
    },
  };
}

function liveHashes({ tenant, webhooks }: Tenant, log: Logger): readonly string[] {
  return liveValues(webhooks.paths, tenant, log).map(hashOf);
}

function hashOf(path: string): string {
  return createHash('sha256').update(path).digest('base64');
}

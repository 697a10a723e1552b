import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from '../platform/logger.ts';
import type { Tenant } from '../platform/tenant.ts';
import { liveValues } from './live-secrets.ts';

/** Finds a tenant by its secret path: the last segment of the URL to which its org sends Outbound Messages. */
export interface SecretPaths {
  /** The tenant that has this secret path now; null if no tenant has it. */
  tenantOf(candidate: string): Promise<Tenant | null>;
}

/**
 * The minimum time between two reads of all secrets, in ms. A request with an unknown path causes such a read, because the path may be a
 * new secret.
 */
const REREAD_EVERY_MS = 1000;
/** While all secrets are read, the process pauses after this many tenants, so that it can answer other requests. */
const SLICE = 20;

/**
 * Finds tenants by a hash of their secret path, so that response times reveal neither the paths nor their number. A match is checked
 * against the tenant's current secrets, so that a withdrawn path stops working at once. If a path is unknown, all secrets are read again,
 * at most once a second, because the path may be new. `nowMs` is a monotonic clock.
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

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Logger } from '../platform/logger.ts';
import type { Secret } from '../platform/secret.ts';
import type { Tenant } from '../platform/tenant.ts';

/**
 * The tenant whose secret path this is, or null. Hashes are compared with every live value of every tenant, so that
 * neither content nor place in the list shows in the time it takes.
 */
export function tenantOfPath(candidate: string, tenants: readonly Tenant[], log: Logger): Tenant | null {
  const given = digest(candidate);
  let found: Tenant | null = null;
  for (const tenant of tenants) {
    for (const value of liveValues(tenant.webhooks.paths, tenant.tenant, log)) {
      if (timingSafeEqual(digest(value), given)) found = tenant;
    }
  }
  return found;
}

/** The values that can be had now; one that cannot is reported and must not shut out the others. */
export function liveValues(secrets: readonly Secret[], tenant: string, log: Logger): readonly string[] {
  return secrets.flatMap((secret) => {
    try {
      return [secret.reveal()];
    } catch (err) {
      log.error('a webhook secret cannot be read', { tenant, source: secret.source, err });
      return [];
    }
  });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

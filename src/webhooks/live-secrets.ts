import type { Logger } from '../platform/logger.ts';
import type { Secret } from '../platform/secret.ts';

/** The secrets' present values. Logs and skips a secret that cannot be read, so that the others still work. */
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

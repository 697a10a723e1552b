import type { Logger } from '../platform/logger.ts';
import type { Secret } from '../platform/secret.ts';

/**
 * The current values of the secrets. A secret that cannot be read is left out, so that the others still work; the log says which one it is.
 */
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

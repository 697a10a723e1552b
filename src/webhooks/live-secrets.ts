import type { Logger } from '../platform/logger.ts';
import type { Secret } from '../platform/secret.ts';

/** The readable values of secrets; an unreadable one is logged and does not block the others. */
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

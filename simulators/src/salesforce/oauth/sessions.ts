import type { Clock } from '../../core/clock.ts';
import { newAccessToken } from './clients.ts';

/** The access tokens of the org. */
export interface Sessions {
  /** A new token for a user. It ends two hours after its last use on the simulator's clock. */
  issue(userId: string): string;
  userOf(token: string): string | undefined;
  revoke(token: string): boolean;
  /** Ends every session that was issued. The tokens given at the start stay. */
  revokeAll(): void;
}

const IDLE_MS = 2 * 3_600_000;

/** Makes the table; `fixed` are tokens that never end, by token, with their user. */
export function createSessions(clock: Clock, organizationId: string, fixed: ReadonlyMap<string, string>): Sessions {
  let issued = new Map<string, { userId: string; usedMs: number }>();
  return {
    issue: (userId) => {
      const token = newAccessToken(organizationId);
      issued.set(token, { userId, usedMs: clock.now().getTime() });
      return token;
    },
    userOf: (token) => {
      const always = fixed.get(token);
      if (always !== undefined) return always;
      const session = issued.get(token);
      if (session === undefined) return undefined;
      const nowMs = clock.now().getTime();
      if (nowMs - session.usedMs > IDLE_MS) {
        issued.delete(token);
        return undefined;
      }
      session.usedMs = nowMs;
      return session.userId;
    },
    revoke: (token) => issued.delete(token),
    revokeAll: () => {
      issued = new Map();
    },
  };
}

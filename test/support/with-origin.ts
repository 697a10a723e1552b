import { vi } from 'vitest';

/** Runs `work` as in a checkout with this remote `origin`, set through git's environment variables. */
export function withOrigin(remote: string, work: () => void): void {
  vi.stubEnv('GIT_CONFIG_COUNT', '1');
  vi.stubEnv('GIT_CONFIG_KEY_0', 'remote.origin.url');
  vi.stubEnv('GIT_CONFIG_VALUE_0', remote);
  try {
    work();
  } finally {
    vi.unstubAllEnvs();
  }
}

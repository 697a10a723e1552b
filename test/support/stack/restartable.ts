import type { Restartable } from './servers.ts';
import type { Child } from './stack.ts';

const STARTS = 3;

/** A worker or a receiver that may be killed, and its present process. */
export async function restartable(start: () => Promise<Child>): Promise<Restartable & { readonly child: () => Child }> {
  let child = await start();
  return {
    child: () => child,
    pid: () => child.pid,
    isUp: () => child.isUp(),
    kill: () => child.kill(),
    // Like a process supervisor: retries a start that fails while the servers still recover.
    start: async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          child = await start();
          return;
        } catch (error) {
          if (attempt === STARTS) throw error;
        }
      }
    },
  };
}

import { createRandom } from 'lockstep-simulators/testing';
import type { Stack } from '../support/stack/stack.ts';
import type { ChaosOptions } from './run-chaos.ts';

/** How the tenant's changes arrive, by the seed; undefined: by outbound messages alone. */
export function changesBy({ seed, tell }: Pick<ChaosOptions, 'seed' | 'tell'>): 'pubsub' | 'both' | undefined {
  const by = createRandom(`${seed} changes`).pick([undefined, 'pubsub', 'both'] as const);
  tell(`changes arrive by ${by ?? 'outbound'}`);
  return by;
}

/** With change events alone the org sends no messages. */
export function cutMessages(stack: Stack, by: ReturnType<typeof changesBy>): void {
  if (by === 'pubsub') stack.salesforce.setOutboundUrl(null);
}

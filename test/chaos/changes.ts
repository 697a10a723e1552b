import { createRandom } from 'lockstep-simulators/testing';
import type { Stack } from '../support/stack/stack.ts';

/** How the tenant's changes arrive, by the seed; undefined: by outbound messages alone. */
export function changesBy(options: {
  readonly seed: string;
  readonly tell: (line: string) => void;
}): 'pubsub' | 'both' | undefined {
  const { seed, tell } = options;
  const by = createRandom(`${seed} changes`).pick([undefined, 'pubsub', 'both'] as const);
  tell(`changes arrive by ${by ?? 'outbound'}`);
  return by;
}

/** With change events alone the org sends no messages. */
export function cutMessages(stack: Stack, by: ReturnType<typeof changesBy>): void {
  if (by === 'pubsub') stack.salesforce.setOutboundUrl(null);
}

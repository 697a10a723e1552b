import { counted } from '../../domain/values/counted.ts';
import type { Undelivered } from '../../ledger/notices/notice-ledger.ts';

/** One line of text about messages that a channel has not accepted, with the command that tests the channel. */
export function undeliveredLine({ channel, waiting, since, givenUp, error }: Undelivered): string {
  const parts = [
    ...(waiting === 0 ? [] : [`${counted(waiting, 'notice')} to be sent, the oldest since ${since ?? 'a while'}`]),
    ...(givenUp === 0 ? [] : [`${counted(givenUp, 'notice')} given up within a week`]),
  ];
  return `the channel ${channel} fails (${error ?? 'unknown'}): ${parts.join(', ')}; to test it: lockstep notices test ${channel}`;
}

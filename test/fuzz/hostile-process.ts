/**
 * Both remotes of a hostile tenant and the holder of its secret in a separate process, so that they do not slow the simulators of the other
 * tenant. The parent controls it by messages; it ends with the parent.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from 'lockstep-simulators/testing';
import { anyAnswer } from '../support/hostile/any-answer.ts';
import { grant, isSignIn, ORGANIZATION } from '../support/hostile/hostile-salesforce.ts';
import { type HostileAnswer, startHostileServer } from '../support/hostile/hostile-server.ts';
import { notification, numbered, outboundMessage } from '../support/stack/webhooks.ts';
import type { FromHostile, ToHostile } from './hostile-messages.ts';

/** Requests that the secret's holder has under way. */
const SENDERS = 4;
/**
 * What each of them rests after a message: together four times what a tenant may send. On a real machine nobody shares with an
 * attacker the processor that it computes on; here the two cores are everybody's, and faster is only its own work.
 */
const REST_MS = 20;
const RESTING: HostileAnswer = { status: 503, body: '{}' };

const random = createRandom(process.argv[2] ?? '');
const state = { awake: null as string | null, taken: 0, refused: 0 };
const answer = (): HostileAnswer => (state.awake === null ? RESTING : anyAnswer(random));
const vendor = await startHostileServer(answer);
const org = await startHostileServer((request) =>
  isSignIn(request) && random.next() < 0.9 ? grant(request) : answer(),
);
const say = (message: FromHostile): void => void process.send?.(message);

process.on('disconnect', () => process.exit());
process.on('message', ({ flood }: ToHostile) => {
  state.awake = flood;
  if (flood !== null) for (let sender = 0; sender < SENDERS; sender += 1) void send(flood);
  const answers = vendor.requests.length + org.requests.length;
  say({ vendorUrl: vendor.url, orgUrl: org.url, answers, taken: state.taken, refused: state.refused });
});
say({ vendorUrl: vendor.url, orgUrl: org.url, answers: 0, taken: 0, refused: 0 });

/** Messages of a hundred records that nobody has seen, one after the other. */
async function send(path: string): Promise<void> {
  while (state.awake === path) {
    const from = (state.taken + state.refused) * 100 + 1_000_000;
    const notifications = Array.from({ length: 100 }, (_, n) =>
      notification(from + n, { id: numbered('006', from + n) }),
    );
    const result = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'text/xml' },
      body: outboundMessage({ organizationId: ORGANIZATION, notifications }),
    }).catch(() => null);
    await result?.body?.cancel();
    await delay(REST_MS);
    if (result?.ok === true) state.taken += 1;
    else state.refused += 1;
  }
}

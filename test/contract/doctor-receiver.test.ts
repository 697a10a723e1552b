/** The doctor's message to the real receiver. */
import { afterEach, expect, it } from 'vitest';
import { sendProbe } from '../../src/cli/receiver-probe.ts';
import { generatedSecret } from '../../src/platform/secret.ts';
import { aReceiver, aTenant, numbered, rememberingIntake } from '../support/stack/webhooks.ts';

const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

async function receiver(tenant = aTenant()) {
  const memory = rememberingIntake();
  const server = await aReceiver({ intake: memory.intake, tenants: () => [tenant] });
  running.push(server);
  return { memory, url: server.url };
}

it('is acknowledged by each live path, and nothing is stored or woken', async () => {
  const { memory, url } = await receiver();
  expect(await sendProbe(url, aTenant())).toEqual({ kind: 'acknowledged' });
  expect(memory.order).toEqual([]);
});

it('is refused in the receiver’s own words where the two know different things', async () => {
  const { url } = await receiver(aTenant({ actionIds: [numbered('04k', 9)] }));
  const other = aTenant({ actionIds: [numbered('04k', 8)] });
  expect(await sendProbe(url, other)).toEqual({ kind: 'refused', status: 403, code: 'action-not-allowed' });
  const path = aTenant({ paths: [generatedSecret('c'.repeat(64))] });
  expect(await sendProbe(url, path)).toEqual({ kind: 'refused', status: 404, code: 'unknown-path' });
});

it('reaches nobody, and is not sent where there is nowhere to', async () => {
  expect(await sendProbe('http://127.0.0.1:1', aTenant())).toEqual({ kind: 'unreachable' });
  expect(await sendProbe(undefined, aTenant())).toEqual({ kind: 'no-address' });
  expect(await sendProbe('http://127.0.0.1:1', aTenant({ paths: [] }))).toEqual({ kind: 'no-path' });
});

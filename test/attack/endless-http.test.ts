import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setDefaultCACertificates } from 'node:tls';
import { makeCertificate } from 'lockstep-simulators/testing';
import { Agent, request } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import { boundedReading } from '../../src/worker/bounded-reading.ts';
import { connectRemotes } from '../../src/worker/remotes.ts';
import { beginning, ENDLESS_HTTP } from '../support/hostile/bodies.ts';
import { type HostileServer, startHostileServer } from '../support/hostile/hostile-server.ts';
import { aTenant } from '../support/stack/webhooks.ts';

/**
 * What of HTTP is no body has no end either, and to read it takes a processor: no remote keeps a worker busy with it for as
 * long as a request may take.
 */

const MB = 1024 * 1024;
/** What a tenant may have read at once, and what is on its way meanwhile. */
const MOST_BYTES = 256 * MB;

let remote: HostileServer;
afterEach(() => remote.close());

describe.each(ENDLESS_HTTP)('%s without an end', (_, first, piece) => {
  test.each(['vendor', 'org'] as const)('of the %s are cut off', async (side) => {
    remote = await startHostileServer(() => ({ raw: beginning(first, piece) }));
    const tenant = aTenant();
    const { vendor, crm } = connectRemotes({
      ...tenant,
      vendor: { ...tenant.vendor, salesBaseUrl: remote.url },
      salesforce: { ...tenant.salesforce, loginUrl: remote.url },
    });
    const startedAt = performance.now();
    const asked = side === 'vendor' ? vendor.readLeadOpportunity({ id: 'DS-1' }) : crm.readGraph('006000000000001AAA');
    const error = await asked.then(
      () => null,
      (result: unknown) => result,
    );
    expect(error).toMatchObject(side === 'vendor' ? { kind: 'network' } : { code: 'NETWORK' });
    expect(remote.sentBytes()).toBeLessThan(MOST_BYTES);
    // A request may take thirty seconds.
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    await crm.close();
  });
});

test('a remote that nobody can connect to, or that is another, fails its request and nothing else', async () => {
  remote = await startHostileServer(() => ({}));
  const impostor = createServer(await makeCertificate(new Date()));
  await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
  const { port } = impostor.address() as AddressInfo;
  const dispatcher = new Agent({ connect: boundedReading().connect });
  for (const url of ['http://127.0.0.1:1', `https://127.0.0.1:${port}`])
    await expect(request(url, { dispatcher })).rejects.toHaveProperty(
      'code',
      expect.stringMatching(/ECONNREFUSED|DEPTH_ZERO_SELF_SIGNED_CERT/),
    );
  impostor.close();
});

test('no remote chooses HTTP/2, which Node reads past every limit', async () => {
  const certificate = await makeCertificate(new Date());
  setDefaultCACertificates([certificate.cert]);
  const versions: string[] = [];
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
    versions.push(request.httpVersion);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const tenant = aTenant();
  const { vendor, crm, close } = connectRemotes({
    ...tenant,
    vendor: { ...tenant.vendor, salesBaseUrl: url },
    salesforce: { ...tenant.salesforce, loginUrl: url },
  });
  await vendor.readLeadOpportunity({ id: 'DS-1' }).catch(() => undefined);
  await crm.readGraph('006000000000001AAA').catch(() => undefined);
  expect(versions).toEqual(['1.1', '1.1']);
  await close();
  server.close();
});

test('who read much may read on after a while, and no other connection is cut', async () => {
  const clock = { ms: 0 };
  remote = await startHostileServer(({ path }) => ({ body: 'x'.repeat(Number(path.slice(1))) }));
  const rate = { perSecond: MB, burst: 4 * MB };
  const limits = { all: rate, framing: { perSecond: 0, burst: MB / 16 } };
  const reading = boundedReading(undefined, limits, () => clock.ms);
  const agent = new Agent({ connect: reading.connect }).compose(reading.watch);
  const read = (bytes: number) =>
    request(`${remote.url}/${bytes}`, { dispatcher: agent }).then(async ({ body }) => (await body.text()).length);
  expect(await read(3 * MB)).toBe(3 * MB);
  clock.ms = 3_000;
  expect(await read(3 * MB)).toBe(3 * MB);
  await agent.close();
});

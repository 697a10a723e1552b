import { createPrivateKey } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { createClock } from '../../src/core/clock.ts';
import { newOrigin } from '../../src/salesforce/identity.ts';
import type { SignIn } from '../../src/salesforce/oauth/clients.ts';
import { createOrg } from '../../src/salesforce/open-org.ts';
import type { Org } from '../../src/salesforce/org.ts';
import { buildSchema } from '../../src/salesforce/schema/load.ts';
import { readPackage } from '../../src/salesforce/schema/package.ts';
import { seedOrg } from '../../src/salesforce/seed/seed.ts';
import type { SalesforceSimulator } from '../../src/salesforce/start.ts';
import type { Row } from '../../src/salesforce/store/row.ts';
import { LEADS_DIR, LEADS_MAPPING_DIR, PACKAGE_DIR } from './crm-package.ts';

export { LEADS_DIR, LEADS_MAPPING_DIR, PACKAGE_DIR };

/** An org without HTTP, with a clock that stands at `nowIso` until the test advances it. */
export function orgWithData(nowIso: string, seed: 'demo' | 'empty' = 'empty', currencies: readonly string[] = []): Org {
  const clock = createClock(() => Date.parse(nowIso));
  const crmPackage = readPackage(PACKAGE_DIR);
  const origin = { ...newOrigin(undefined), firstNumber: 0 };
  const org = createOrg(origin, buildSchema(crmPackage, currencies), clock, crmPackage);
  seedOrg(org, seed, {
    salesUsername: 'sales@reseller.example',
    integrationUsername: 'sync@reseller.example',
  });
  return org;
}

/** Creates a row as the sales user and returns it. */
export function make(org: Org, type: string, fields: Readonly<Record<string, unknown>>): Row {
  const object = org.store.schema.object(type);
  if (object === undefined) throw new Error(`no object ${type}`);
  const id = org.dml.create(object, fields, { userId: org.identity.salesUserId });
  return row(org, id);
}

export function change(org: Org, id: string, fields: Readonly<Record<string, unknown>>): Row {
  const object = org.store.schema.objectOfId(id);
  if (object === undefined) throw new Error(`no object of ${id}`);
  org.dml.update(object, id, fields, { userId: org.identity.salesUserId });
  return row(org, id);
}

export function remove(org: Org, id: string): void {
  const object = org.store.schema.objectOfId(id);
  if (object === undefined) throw new Error(`no object of ${id}`);
  org.dml.remove(object, id, { userId: org.identity.salesUserId });
}

export function row(org: Org, id: string): Row {
  const object = org.store.schema.objectOfId(id);
  const found = object && org.store.get(object.name, id);
  if (found === undefined) throw new Error(`no row ${id}`);
  return found;
}

export type RestAnswer = { readonly status: number; readonly headers: Headers; readonly body: never };

export type Rest = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<RestAnswer>;

/** Plain calls of the data API with a token; a path without `/services` is below v67.0. */
export function restClient(simulator: SalesforceSimulator, token = simulator.user.accessToken): Rest {
  return async (method, path, body, headers = {}) => {
    const url = path.startsWith('/services') ? path : `/services/data/v67.0${path}`;
    const answer = await fetch(simulator.url + url, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: (text === '' ? null : JSON.parse(text)) as never,
    };
  };
}

/** Sends a request to the admin API. */
export async function admin(
  simulator: SalesforceSimulator,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly body: never }> {
  const answer = await fetch(`${simulator.adminUrl}/${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as never };
}

type Claims = { iss?: string; sub?: string; aud?: string; lifetimeSeconds?: number; privateKey?: string };

/** A JWT bearer assertion for a sign-in, valid unless `claims` changes it. */
export async function assertionFor(signIn: SignIn, audience: string, claims: Claims = {}): Promise<string> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  return new SignJWT({})
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer(claims.iss ?? signIn.clientId)
    .setSubject(claims.sub ?? signIn.username)
    .setAudience(claims.aud ?? audience)
    .setExpirationTime(nowSeconds + (claims.lifetimeSeconds ?? 120))
    .sign(createPrivateKey(claims.privateKey ?? signIn.privateKey));
}

export type Delivery = {
  readonly at: number;
  readonly body: string;
  readonly headers: Record<string, unknown>;
};

export type Receiver = {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  /** Resolves when at least this many deliveries arrived. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
};

const ACK = (value: string) =>
  `<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body><notificationsResponse xmlns="http://soap.sforce.com/2005/09/outbound"><Ack>${value}</Ack></notificationsResponse></soapenv:Body></soapenv:Envelope>`;

/** A receiver of outbound messages; `answer` returns the response to each delivery, counted from 1. */
export async function startReceiver(
  answer: (count: number) => 'ack' | 'nack' | 'error' = () => 'ack',
): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      deliveries.push({
        at: Date.now(),
        body: Buffer.concat(chunks).toString('utf8'),
        headers: request.headers,
      });
      const said = answer(deliveries.length);
      response.writeHead(said === 'error' ? 500 : 200, { 'content-type': 'text/xml' });
      response.end(ACK(String(said === 'ack')));
      for (const each of waiting) if (deliveries.length >= each.count) each.resolve();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    deliveries,
    received: (count) =>
      new Promise((resolve) => {
        if (deliveries.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

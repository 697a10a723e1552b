import {
  type SalesforceSimulator,
  type SalesforceSimulatorOptions,
  startSalesforceSimulator,
} from 'lockstep-simulators';
import { createCrm } from '../../../src/salesforce/create-crm.ts';
import type { Crm } from '../../../src/salesforce/crm.ts';
import type { CrmOptions } from '../../../src/salesforce/options.ts';

type Fields = Readonly<Record<string, unknown>>;
type Row = Readonly<Record<string, unknown>>;

export type LoggedRequest = { readonly operation: string; readonly status: number };

/** A simulated org, a user of it who works by REST, and the adapter signed in as the integration user. */
export type SalesforceOrg = {
  readonly simulator: SalesforceSimulator;
  readonly crm: Crm;
  /** Another adapter on the same org; the test must close it. */
  open(options?: Partial<CrmOptions>): Crm;
  create(type: string, fields: Fields): Promise<string>;
  update(type: string, id: string, fields: Fields): Promise<void>;
  remove(type: string, id: string): Promise<void>;
  query(soql: string): Promise<readonly Row[]>;
  admin(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Operations of all requests since the last call, including the user's own. */
  drain(): Promise<readonly string[]>;
  close(): Promise<void>;
};

export async function startSalesforceOrg(simulated: SalesforceSimulatorOptions = {}): Promise<SalesforceOrg> {
  const simulator = await startSalesforceSimulator({ seed: 'demo', ...simulated });
  const { clientId, username, privateKey } = simulator.integration;
  const open = (options: Partial<CrmOptions> = {}): Crm =>
    createCrm({
      loginUrl: simulator.loginUrl,
      apiVersion: '67.0',
      auth: { flow: 'jwt', clientId, username, privateKey },
      organizationId: simulator.organizationId,
      ...options,
    });
  const crm = open();
  const { send, data } = clientOf(simulator);
  let seen = 0;
  const log = async (): Promise<readonly LoggedRequest[]> => {
    const answer = (await send(`${simulator.adminUrl}/requests`, 'GET')) as { requests: LoggedRequest[] };
    return answer.requests;
  };
  return {
    simulator,
    crm,
    open,
    create: async (type, fields) => {
      const made = (await data(`/sobjects/${type}`, 'POST', fields)) as { id: string };
      return made.id;
    },
    update: async (type, id, fields) => void (await data(`/sobjects/${type}/${id}`, 'PATCH', fields)),
    remove: async (type, id) => void (await data(`/sobjects/${type}/${id}`, 'DELETE')),
    query: async (soql) => {
      const answer = (await data(`/query?q=${encodeURIComponent(soql)}`, 'GET')) as { records: Row[] };
      return answer.records;
    },
    admin: (method, path, body) => send(`${simulator.adminUrl}/${path}`, method, body),
    drain: async () => {
      const all = await log();
      const fresh = all.slice(seen);
      seen = all.length;
      return fresh.map((request) => request.operation);
    },
    close: async () => {
      await crm.close();
      await simulator.close();
    },
  };
}

function clientOf(simulator: SalesforceSimulator) {
  async function send(url: string, method: string, body?: unknown): Promise<unknown> {
    const headers = {
      authorization: `Bearer ${simulator.user.accessToken}`,
      'content-type': 'application/json',
    };
    const response = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  }
  const data = (path: string, method: string, body?: unknown): Promise<unknown> =>
    send(`${simulator.url}/services/data/v67.0${path}`, method, body);
  return { send, data };
}

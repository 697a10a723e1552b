/** HTTP calls to the vendor simulator, deliberately without the project's own client. */
import type { VendorSimulatorOptions } from '../../src/index.ts';
import { type RunningVendorSimulator, startVendorSimulator } from '../../src/index.ts';

export type JsonBody = { readonly [key: string]: JsonValue };
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonBody;

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown };

export type CallOptions = {
  readonly apiKey?: string | null;
  readonly raw?: string;
  /** Cancels the request; absent: a limit of 10 s. */
  readonly signal?: AbortSignal;
};

/** Starts a simulator and returns calls to its API and admin API, and shortcuts that fail unless the call succeeds. */
export async function startSandbox(options: VendorSimulatorOptions = {}) {
  const simulator = await startVendorSimulator(options);
  const { api, order, admin } = callsTo(simulator);

  /** Creates a record through the API and returns its vendor id. */
  async function create(reference: string, changes: CreateChanges = {}): Promise<string> {
    const answer = await api('POST', 'v1/leads-opportunities', createBody(reference, changes));
    return field(answer.body, 'dsLeadOpportunityId') as string;
  }

  async function read(id: string): Promise<Record<string, unknown>> {
    const answer = await api('GET', `v1/leads-opportunities/${id}`);
    return field(answer.body, 'data', 'leadOpportunity') as Record<string, unknown>;
  }

  async function search(...data: readonly unknown[]): Promise<readonly string[]> {
    const answer = await api('POST', 'v0/leads-opportunities/search', { data });
    return field(answer.body, 'data', '0', 'dsLeadOpportunityId') as readonly string[];
  }

  return { ...simulator, api, order, admin, create, read, search };
}

/** Calls to both domains of a simulator's API, and to its admin API. */
export function callsTo(simulator: Pick<RunningVendorSimulator, 'url' | 'adminUrl' | 'apiKey'>) {
  async function send(url: string, method: string, body: unknown, call: CallOptions): Promise<Answer> {
    const apiKey = call.apiKey === undefined ? simulator.apiKey : call.apiKey;
    const text = call.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(url, {
      method,
      headers: { ...(apiKey !== null && { 'X-API-Key': apiKey }), 'Content-Type': 'application/json' },
      ...(text !== undefined && { body: text }),
      signal: call.signal ?? AbortSignal.timeout(10_000),
    });
    const answer = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: answer === '' ? null : JSON.parse(answer),
    };
  }
  const under =
    (root: string) =>
    (method: string, path: string, body?: unknown, call: CallOptions = {}): Promise<Answer> =>
      send(`${simulator.url}/${root}/api4partners/${path}`, method, body, call);
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> =>
    send(`${simulator.adminUrl}/${path}`, method, body, { apiKey: null });
  return { api: under('sales'), order: under('order'), admin };
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** A value deep in a JSON body; `undefined` if the path does not exist. */
export function field(body: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined | null)?.[key], body);
}

export type CreateChanges = {
  readonly core?: Readonly<Record<string, unknown>>;
  readonly top?: Readonly<Record<string, unknown>>;
};

/** The smallest valid create request (sales spec 4.1) with changes; `undefined` removes a key. */
export function createBody(reference: string, { core = {}, top = {} }: CreateChanges = {}): object {
  return {
    partnerId: 'P000123',
    leadOpportunity: {
      partnerLeadOpportunityId: reference,
      name: 'Turbine housing',
      status: 'OPPY_OPEN',
      closeDate: '2027-03-31T00:00:00.000Z',
      currency: 'EUR',
      ...core,
    },
    offerLines: [{ offerNameId: 'OFR-DES-001' }],
    customerLegalEntity: { name: 'Northwind Turbines', city: 'Lyon', country: 'FR' },
    ...top,
  };
}

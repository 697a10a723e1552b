import { afterEach, beforeEach, expect } from 'vitest';
import {
  type CreateLeadOpportunityInput,
  createPartnerApi,
  type PartnerApi,
  PartnerApiError,
  type PartnerApiOptions,
} from '../../../src/partner-api/index.ts';
import { type ScriptedServer, startScriptedServer } from './scripted-server.ts';

export const KEY = 'k3y-that-must-never-be-seen-0123456789';

export type ApiFixture = {
  readonly server: ScriptedServer;
  readonly api: PartnerApi;
  /** Another client of the same server. */
  connect(options?: Partial<PartnerApiOptions>): PartnerApi;
};

/** A scripted server and a client of it, new for every test; connections end with the server. */
export function usePartnerApi(): ApiFixture {
  let server: ScriptedServer | undefined;
  const started = (): ScriptedServer => {
    if (server === undefined) throw new Error('The scripted server is up during tests only');
    return server;
  };
  const connect = (options: Partial<PartnerApiOptions> = {}): PartnerApi =>
    createPartnerApi({ salesBaseUrl: started().url, apiKey: () => KEY, ...options });
  beforeEach(async () => {
    server = await startScriptedServer();
  });
  afterEach(() => server?.close());
  return {
    get server() {
      return started();
    },
    get api() {
      return connect();
    },
    connect,
  };
}

/** The typed error with which a call rejects. */
export async function failureOf(call: Promise<unknown>): Promise<PartnerApiError> {
  const outcome = await call.then(
    () => 'resolved',
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(PartnerApiError);
  return outcome as PartnerApiError;
}

/** The smallest create that the documents allow (sales spec 4.1). */
export const MINIMAL_CREATE: CreateLeadOpportunityInput = {
  partnerId: 'P000123',
  leadOpportunity: {
    partnerLeadOpportunityId: '006000000000001AAA',
    name: 'New plant',
    status: 'LEAD_OPEN',
    closeDate: '2026-12-31T00:00:00.000Z',
    currency: 'EUR',
  },
  offerLines: [{ offerNameId: 'OFFER-1' }],
  customerLegalEntity: { name: 'Acme', city: null, country: null },
};

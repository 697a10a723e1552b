import type { CrmOptions } from '../../../src/salesforce/options.ts';
import { type HostileAnswer, type HostileRequest, type HostileServer, startHostileServer } from './hostile-server.ts';

export const ORGANIZATION = '00Dxx0000001gPLEAY';
export const TOKEN = 'the-session-token';

export function isSignIn({ path }: HostileRequest): boolean {
  return path === '/services/oauth2/token';
}

/** A sign-in answer of Salesforce with changes. */
export function grant({ origin }: HostileRequest, change: object = {}): HostileAnswer {
  const id = `${origin}/id/${ORGANIZATION}/005xx000001SwiUAAS`;
  return { body: JSON.stringify({ access_token: TOKEN, instance_url: origin, id, ...change }) };
}

/** An org that accepts every sign-in and then gives the configured answers. */
export function startHostileSalesforce(
  answer: (request: HostileRequest, count: number) => HostileAnswer,
): Promise<HostileServer> {
  return startHostileServer((request, count) => (isSignIn(request) ? grant(request) : answer(request, count)));
}

/** Options of a session with such an org. */
export function crmOptions(loginUrl: string, change: Partial<CrmOptions> = {}): CrmOptions {
  return {
    loginUrl,
    apiVersion: '67.0',
    auth: { flow: 'client-credentials', clientId: 'id', clientSecret: 'secret' },
    organizationId: ORGANIZATION,
    ...change,
  };
}

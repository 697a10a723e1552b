import type { CrmOptions } from '../../../src/salesforce/options.ts';
import { type HostileAnswer, type HostileRequest, type HostileServer, startHostileServer } from './hostile-server.ts';

export const ORGANIZATION = '00Dxx0000001gPLEAY';
export const TOKEN = 'the-session-token';

export function isSignIn({ path }: HostileRequest): boolean {
  return path === '/services/oauth2/token';
}

/** A sign-in as Salesforce answers it, with `change` laid over. */
export function grant({ origin }: HostileRequest, change: object = {}): HostileAnswer {
  const id = `${origin}/id/${ORGANIZATION}/005xx000001SwiUAAS`;
  return { body: JSON.stringify({ access_token: TOKEN, instance_url: origin, id, ...change }) };
}

/** An org that lets everybody in, and then answers as it is told. */
export function startHostileSalesforce(
  answer: (request: HostileRequest, count: number) => HostileAnswer,
): Promise<HostileServer> {
  return startHostileServer((request, count) => (isSignIn(request) ? grant(request) : answer(request, count)));
}

/** How a session with such an org is opened. */
export function crmOptions(loginUrl: string, change: Partial<CrmOptions> = {}): CrmOptions {
  return {
    loginUrl,
    apiVersion: '67.0',
    auth: { flow: 'client-credentials', clientId: 'id', clientSecret: 'secret' },
    organizationId: ORGANIZATION,
    ...change,
  };
}

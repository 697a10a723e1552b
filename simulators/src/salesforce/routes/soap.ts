import { type Context, Hono } from 'hono';
import { METADATA_NAMESPACE, METADATA_OPERATIONS } from '../metadata/operations.ts';
import type { Sessions } from '../oauth/sessions.ts';
import type { Org } from '../org.ts';
import { allowingDuplicates } from '../org-rules/duplicate-header.ts';
import { readCall, renderAnswer, renderFault } from '../soap/envelope.ts';
import { SOAP_OPERATIONS } from '../soap/operations.ts';
import { SoapFault } from '../soap/soap-fault.ts';
import { NEWEST_VERSION, OLDEST_VERSION } from './data-url.ts';

/** Namespaces and calls of the SOAP APIs: `u` for the partner WSDL, `c` for the enterprise WSDL, `m` for the Metadata API. */
const DOORS = {
  u: { namespace: 'urn:partner.soap.sforce.com', operations: SOAP_OPERATIONS },
  c: { namespace: 'urn:enterprise.soap.sforce.com', operations: SOAP_OPERATIONS },
  m: { namespace: METADATA_NAMESPACE, operations: METADATA_OPERATIONS },
};
type Door = keyof typeof DOORS;
const PATH = /^\/services\/Soap\/([ucm])\/(\d+)\.0(?:\/00D\w+)?\/?$/;

/** The SOAP API that a path belongs to; undefined for other paths. */
export function soapDoor(path: string): Door | undefined {
  const [, door, version] = PATH.exec(path) ?? [];
  return Number(version) >= OLDEST_VERSION && Number(version) <= NEWEST_VERSION ? (door as Door) : undefined;
}

/**
 * The partner and enterprise SOAP APIs and the Metadata API at `/services/Soap`. Their calls have the session in the envelope, and refusals are faults with
 * status 500.
 */
export function createSoapApp(org: Org, sessions: Sessions): Hono {
  const app = new Hono();
  app.post('/services/Soap/:door{[ucm]}/*', async (c) => {
    try {
      return send(c, 200, answer(org, sessions, soapDoor(c.req.path), await c.req.text()));
    } catch (error) {
      if (!(error instanceof SoapFault)) throw error;
      return send(c, 500, renderFault(error));
    }
  });
  return app;
}

function answer(org: Org, sessions: Sessions, door: Door | undefined, text: string): string {
  if (door === undefined)
    throw new SoapFault('sf:UNSUPPORTED_API_VERSION', 'UNSUPPORTED_API_VERSION: Invalid Api version specified on URL');
  const call = readCall(text);
  const operation = call.namespace === DOORS[door].namespace ? DOORS[door].operations[call.name] : undefined;
  if (operation === undefined) {
    const request = `{${call.namespace}}${call.name}`;
    throw new SoapFault(
      'soapenv:Client',
      `No operation available for request ${request}, please check the WSDL for the service.`,
    );
  }
  const userId = sessions.userOf(call.sessionId);
  if (userId === undefined) {
    throw new SoapFault(
      'sf:INVALID_SESSION_ID',
      'INVALID_SESSION_ID: Invalid Session ID found in SessionHeader: Illegal Session',
    );
  }
  if (!org.quota.take().allowed) {
    throw new SoapFault('sf:REQUEST_LIMIT_EXCEEDED', 'REQUEST_LIMIT_EXCEEDED: TotalRequests Limit exceeded.');
  }
  const own = org.access.seenBy(org, userId);
  const seen = call.allowsDuplicates ? allowingDuplicates(own) : own;
  return org.limits.transaction(() => renderAnswer(call, operation(seen, userId, call.argument)));
}

function send(c: Context, status: 200 | 500, content: string): Response {
  return c.text(content, status, { 'content-type': 'text/xml;charset=UTF-8' });
}

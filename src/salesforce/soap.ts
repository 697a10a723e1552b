import { parseXml, XmlElement, XmlError } from '@rgrove/parse-xml';
import { plainXml } from '../platform/plain-xml.ts';
import { crmError } from './classify.ts';
import { CrmError } from './errors.ts';
import type { OpenSession, RestCall, SignedIn } from './session.ts';
import type { ContextRequest } from './transport.ts';

/** An element in a SOAP answer: its own text, the text of its first child with a given name, and all its children with a given name. */
export type SoapResult = {
  readonly own: string;
  readonly text: (name: string) => string | null;
  readonly all: (name: string) => readonly SoapResult[];
};

/**
 * Sends one call of the SOAP API (partner WSDL), for the few operations that the REST API lacks, and returns its results. If the session
 * has ended, renews it once and repeats the call once.
 * @param body the element of the call; its texts must be escaped
 */
export async function soapCall(
  session: OpenSession,
  body: string,
  { operation, signal }: RestCall,
): Promise<readonly SoapResult[]> {
  const used = await session.signedIn(signal);
  const send = (by: SignedIn) => exchange(by, session, body, { operation, signal });
  try {
    return await send(used);
  } catch (error) {
    if (!(error instanceof CrmError) || error.code !== 'INVALID_SESSION_ID') throw error;
    return await send(await session.renewed(used, error, signal));
  }
}

async function exchange(
  { send, grant }: SignedIn,
  { root, writeHeaders }: OpenSession,
  body: string,
  call: RestCall,
): Promise<readonly SoapResult[]> {
  const request: ContextRequest = {
    method: 'POST',
    url: `${grant.instanceUrl}/services/Soap/u/${root.slice(root.lastIndexOf('v') + 1)}`,
    headers: { accept: 'text/xml', 'content-type': 'text/xml; charset=UTF-8', soapaction: '""' },
    body: envelope(grant.accessToken, allowsDuplicates(writeHeaders), body),
    call: { ...call, accepts: 'xml' },
  };
  const text = await send(request);
  const results = resultOf(rootOf(text ?? ''))
    .all('Body')
    .flatMap((each) => each.all(`${call.operation}Response`))
    .flatMap((each) => each.all('result'));
  if (results.length === 0) throw crmError('transient', 'MALFORMED_ANSWER');
  return results;
}

/**
 * Whether Salesforce executes writes although a duplicate rule of the org warns (setting `salesforce.allowDuplicates`). If so, the
 * session's REST writes have the header `Sforce-Duplicate-Rule-Header`. The header decides here too, so that SOAP and REST calls follow the
 * same setting.
 */
function allowsDuplicates(writeHeaders: OpenSession['writeHeaders']): boolean {
  return 'Sforce-Duplicate-Rule-Header' in writeHeaders;
}

function envelope(token: string, allowDuplicates: boolean, body: string): string {
  const names = 'xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns="urn:partner.soap.sforce.com"';
  const session = `<SessionHeader><sessionId>${escapeXml(token)}</sessionId></SessionHeader>`;
  const duplicates = '<DuplicateRuleHeader><allowSave>true</allowSave></DuplicateRuleHeader>';
  const header = allowDuplicates ? session + duplicates : session;
  return `<soapenv:Envelope ${names}><soapenv:Header>${header}</soapenv:Header><soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`;
}

/** An XML element that contains a text, for the body of a call. */
export function soapElement(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

/**
 * Matches characters that XML cannot contain, not even as a character reference: most control characters, and lone surrogates (halves of
 * characters).
 */
const NOT_OF_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

function escapeXml(text: string): string {
  const clean = text.replaceAll(NOT_OF_XML, ' ');
  return clean.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The longest answer that is parsed, in characters. The answer about one record is a hundred times shorter. */
const LONGEST_ANSWER = 256 * 1024;

function rootOf(text: string): XmlElement {
  try {
    // Carriage returns are replaced first, because the parser needs seconds for many of them. XML takes them for line feeds.
    const { root } = isParsable(text) ? parseXml(text.replaceAll(/\r\n?/g, '\n')) : { root: null };
    if (root !== null) return root;
  } catch (error) {
    if (!(error instanceof XmlError || error instanceof RangeError)) throw error;
  }
  throw crmError('transient', 'MALFORMED_ANSWER');
}

/**
 * Whether the text may be parsed: it is not too long, and has no DOCTYPE, which could declare entities whose parsing takes very long.
 * Salesforce's answers have no DOCTYPE.
 */
function isParsable(text: string): boolean {
  return text.length <= LONGEST_ANSWER && !/<!doctype/i.test(text) && plainXml(text) !== null;
}

function resultOf(element: XmlElement): SoapResult {
  const named = (name: string): readonly XmlElement[] =>
    element.children.filter(
      (each): each is XmlElement => each instanceof XmlElement && each.name.split(':').at(-1) === name,
    );
  return {
    own: element.text.trim(),
    text: (name) => named(name)[0]?.text.trim() || null,
    all: (name) => named(name).map(resultOf),
  };
}

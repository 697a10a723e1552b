import { parseXml, XmlElement } from '@rgrove/parse-xml';

/** What a sales person chooses in the dialog of a conversion. Without an opportunity, a new one is made unless it is not wanted. */
export type Conversion = {
  readonly accountId?: string;
  readonly opportunityId?: string;
  readonly opportunityName?: string;
  readonly doNotCreateOpportunity?: boolean;
};

type Org = {
  readonly loginUrl: string;
  readonly user: { readonly accessToken: string };
  fetch(request: Request): Promise<Response>;
};

const CONVERTED = 'Closed - Converted';

/** Converts a lead by the SOAP API's `convertLead()`. Throws the fault or the error of the refused conversion. */
export async function convertLead(org: Org, leadId: string, wanted: Conversion = {}): Promise<string | null> {
  const fields = Object.entries({ convertedStatus: CONVERTED, leadId, ...wanted });
  const body = fields.map(([name, value]) => `<${name}>${String(value)}</${name}>`).join('');
  const envelope =
    '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns="urn:partner.soap.sforce.com">' +
    `<soapenv:Header><SessionHeader><sessionId>${org.user.accessToken}</sessionId></SessionHeader></soapenv:Header>` +
    `<soapenv:Body><convertLead><leadConverts>${body}</leadConverts></convertLead></soapenv:Body></soapenv:Envelope>`;
  const answer = await org.fetch(
    new Request(`${org.loginUrl}/services/Soap/u/67.0`, {
      method: 'POST',
      headers: { 'content-type': 'text/xml', soapaction: '""' },
      body: envelope,
    }),
  );
  const text = await answer.text();
  const { root } = parseXml(text);
  const shown = (name: string): string => (root === null ? '' : (textOf(root, name) ?? ''));
  if (shown('success') !== 'true') throw new Error(`convertLead: ${answer.status} ${text}`);
  return shown('opportunityId') || null;
}

function textOf(element: XmlElement, name: string): string | undefined {
  if (element.name.split(':').at(-1) === name) return element.text;
  for (const child of element.children) {
    const found = child instanceof XmlElement ? textOf(child, name) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

import { parseXml, XmlElement } from '@rgrove/parse-xml';
import type { Row, Value } from '../store/row.ts';

export type EnvelopeHead = {
  readonly organizationId: string;
  readonly actionId: string;
  /** Origin of the org's API, for the two addresses in the message. */
  readonly origin: string;
  readonly object: string;
  readonly fields: readonly string[];
};

export type EnvelopeItem = { readonly notificationId: string; readonly row: Row };

const API_VERSION = '67.0';

/** The SOAP message with 1 to 100 notifications, byte for byte in the shape that Salesforce sends. */
export function renderEnvelope(head: EnvelopeHead, items: readonly EnvelopeItem[]): string {
  const soapUrl = (kind: 'c' | 'u') =>
    `${head.origin}/services/Soap/${kind}/${API_VERSION}/${head.organizationId.slice(0, 15)}`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
    ' <soapenv:Body>',
    '  <notifications xmlns="http://soap.sforce.com/2005/09/outbound">',
    `   <OrganizationId>${head.organizationId}</OrganizationId>`,
    `   <ActionId>${head.actionId}</ActionId>`,
    '   <SessionId xsi:nil="true"/>',
    `   <EnterpriseUrl>${escapeXml(soapUrl('c'))}</EnterpriseUrl>`,
    `   <PartnerUrl>${escapeXml(soapUrl('u'))}</PartnerUrl>`,
    ...items.map((item) => renderItem(head, item)),
    '  </notifications>',
    ' </soapenv:Body>',
    '</soapenv:Envelope>',
  ].join('\n');
}

function renderItem(head: EnvelopeHead, { notificationId, row }: EnvelopeItem): string {
  const names = ['Id', ...head.fields.filter((name) => name !== 'Id')];
  const values = names.flatMap((name) => renderField(name, row[name] ?? null));
  return [
    '   <Notification>',
    `    <Id>${notificationId}</Id>`,
    `    <sObject xsi:type="sf:${head.object}" xmlns:sf="urn:sobject.enterprise.soap.sforce.com">`,
    ...values,
    '    </sObject>',
    '   </Notification>',
  ].join('\n');
}

/** A field as XML. An empty field is left out, as in Salesforce. Date-times end in Z. */
function renderField(name: string, value: Value): readonly string[] {
  if (value === null) return [];
  const text = String(value).replace(/^(\d{4}-\d{2}-\d{2}T[\d:.]+)\+0000$/, '$1Z');
  return [`     <sf:${name}>${escapeXml(text)}</sf:${name}>`];
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');
}

/** Whether an answer acknowledges the whole message: its `Ack` element is true. */
export function isAcknowledged(body: string): boolean {
  try {
    const { root } = parseXml(body);
    return root !== null && hasAck(root);
  } catch {
    return false;
  }
}

function hasAck(element: XmlElement): boolean {
  const localName = element.name.split(':').at(-1);
  if (localName === 'Ack') return element.text.trim() === 'true';
  return element.children.some((child) => child instanceof XmlElement && hasAck(child));
}

/** Parses Salesforce's Outbound Messages: SOAP envelopes with the ids of changed records. Pure. */
import { parseXml, type XmlDocument, XmlError } from '@rgrove/parse-xml';
import { toDealId, toId18 } from '../domain/record/salesforce-id.ts';
import { REQUEST_OBJECTS } from '../domain/streams/requests.ts';
import type { StreamName } from '../domain/streams/streams.ts';
import { plainXml } from '../platform/plain-xml.ts';
import type { RefusalCode } from './refusals.ts';
import { childrenNamed, enter, isNamed, onlyChild, type Scoped } from './xml-names.ts';

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/';
const OUTBOUND = 'http://soap.sforce.com/2005/09/outbound';
const SOBJECT = 'urn:sobject.enterprise.soap.sforce.com';
const SCHEMA_INSTANCE = 'http://www.w3.org/2001/XMLSchema-instance';
const MAX_NOTIFICATIONS = 100;
/** The first three characters of the ids in an Outbound Message: of the organization, the message's action, and a notification. */
const PREFIXES = { OrganizationId: '00D', ActionId: '04k', Id: '04l' } as const;

/** The Salesforce objects whose records can be deals. */
const DEALS = ['Opportunity', 'Lead'];

export type Notification = {
  /** The id of the notification. If Salesforce repeats the notification, the id is the same. */
  readonly id: string;
  /** The 18-character id of the opportunity or lead. Null for a record of another type. */
  readonly opportunityId: string | null;
  /**
   * Set if the record is a user's request: a user asks Lockstep for something, such as a search for orders, by saving a CRM record. The
   * value is the stream (a source of changes that Lockstep reads) whose workflow handles such requests. Null for other records.
   */
  readonly requests: StreamName | null;
};

export type OutboundMessage = {
  /** Id of the sending org, 18 characters. */
  readonly organizationId: string;
  /** Id of the outbound message action, 18 characters. */
  readonly actionId: string;
  /** The message's 1 to 100 notifications. No two have the same id. */
  readonly notifications: readonly Notification[];
};

/** The SOAP response that acknowledges a whole message. */
export const ACKNOWLEDGEMENT =
  '<?xml version="1.0" encoding="UTF-8"?>' +
  `<soapenv:Envelope xmlns:soapenv="${SOAP}"><soapenv:Body>` +
  `<notificationsResponse xmlns="${OUTBOUND}"><Ack>true</Ack></notificationsResponse>` +
  '</soapenv:Body></soapenv:Envelope>';

/**
 * Reads the record ids in a message. Field values are ignored, because Lockstep reads the records through the API. Parsing is limited: no
 * entities, no DOCTYPE, limited depth and number of elements.
 */
export function parseOutboundMessage(
  text: string,
): { readonly message: OutboundMessage } | { readonly refusal: RefusalCode } {
  if (/<!doctype/i.test(text)) return { refusal: 'doctype-refused' };
  const plain = plainXml(text);
  if (plain === null) return { refusal: 'malformed' };
  try {
    return readEnvelope(parseXml(plain));
  } catch (error) {
    if (error instanceof XmlError || error instanceof RangeError) return { refusal: 'malformed' };
    throw error;
  }
}

function readEnvelope(
  document: XmlDocument,
): { readonly message: OutboundMessage } | { readonly refusal: RefusalCode } {
  const root = document.root === null ? null : enter(document.root, null);
  if (root === null || !isNamed(root.element.name, root.scope, SOAP, 'Envelope')) return { refusal: 'malformed' };
  const body = onlyChild(root, SOAP, 'Body');
  const outbound = body && onlyChild(body, OUTBOUND, 'notifications');
  const organizationId = outbound && idIn(outbound, 'OrganizationId');
  const actionId = outbound && idIn(outbound, 'ActionId');
  if (outbound === null || organizationId === null || actionId === null) return { refusal: 'malformed' };
  const elements = childrenNamed(outbound, OUTBOUND, 'Notification');
  if (elements.length === 0 || elements.length > MAX_NOTIFICATIONS) return { refusal: 'no-notifications' };
  const notifications = new Map<string, Notification>();
  for (const element of elements) {
    const notification = readNotification(element);
    if (notification === null) return { refusal: 'malformed' };
    notifications.set(notification.id, notification);
  }
  return { message: { organizationId, actionId, notifications: [...notifications.values()] } };
}

function readNotification(notification: Scoped): Notification | null {
  const id = idIn(notification, 'Id');
  const record = onlyChild(notification, OUTBOUND, 'sObject');
  const type = record && recordType(record);
  if (id === null || record === null || type === null) return null;
  const isDeal = DEALS.some((object) => isNamed(type, record.scope, SOBJECT, object));
  if (!isDeal) return { id, opportunityId: null, requests: streamRequestedBy(type, record) };
  const field = onlyChild(record, SOBJECT, 'Id');
  const opportunityId = field && toDealId(field.element.text.trim());
  return opportunityId === null ? null : { id, opportunityId, requests: null };
}

function streamRequestedBy(type: string, { scope }: Scoped): StreamName | null {
  const found = Object.entries(REQUEST_OBJECTS).find(([object]) => isNamed(type, scope, SOBJECT, object));
  return found?.[1] ?? null;
}

/** The record's type from `xsi:type`, whatever prefix the document uses for the schema-instance namespace. */
function recordType(record: Scoped): string | null {
  const found = Object.entries(record.element.attributes).find(
    ([name]) => name.includes(':') && isNamed(name, record.scope, SCHEMA_INSTANCE, 'type'),
  );
  return found === undefined ? null : found[1].trim();
}

function idIn(parent: Scoped, local: keyof typeof PREFIXES): string | null {
  const text = onlyChild(parent, OUTBOUND, local)?.element.text.trim();
  return text?.startsWith(PREFIXES[local]) ? toId18(text) : null;
}

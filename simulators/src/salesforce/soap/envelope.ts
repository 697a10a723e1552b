import { parseXml, XmlElement } from '@rgrove/parse-xml';
import type { ApiFailure } from '../store/failure.ts';
import { SoapFault } from './soap-fault.ts';

/** A call of the SOAP API: its name and namespace, its session, and its arguments. */
export type SoapCall = {
  readonly name: string;
  readonly namespace: string;
  readonly sessionId: string;
  /** Whether rows are saved in spite of a duplicate rule that only warns (SOAP guide: "DuplicateRuleHeader"). */
  readonly allowsDuplicates: boolean;
  readonly argument: XmlElement;
};

/** A value of an answer; null is written as `xsi:nil`, and a list as one element each. */
export type SoapValue = string | boolean | null | { readonly [name: string]: SoapValue } | readonly SoapValue[];

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/';

/** Reads an envelope. Throws a client fault if the text is no envelope or has no call. */
export function readCall(text: string): SoapCall {
  const root = rootOf(text);
  const body = root && localName(root) === 'Envelope' ? child(root, 'Body') : undefined;
  const call = body && elements(body)[0];
  if (root === undefined || call === undefined) {
    throw new SoapFault('soapenv:Client', 'The request has no SOAP envelope with a call in its body');
  }
  const header = child(root, 'Header');
  const session = child(header, 'SessionHeader');
  return {
    name: localName(call),
    namespace: namespaceOf(call),
    sessionId: textOf(session, 'sessionId') ?? '',
    allowsDuplicates: textOf(child(header, 'DuplicateRuleHeader'), 'allowSave') === 'true',
    argument: call,
  };
}

function rootOf(text: string): XmlElement | undefined {
  try {
    return parseXml(text).root ?? undefined;
  } catch {
    return undefined;
  }
}

function localName(element: XmlElement): string {
  return element.name.split(':').at(-1) ?? '';
}

function namespaceOf(element: XmlElement): string {
  const prefix = element.name.includes(':') ? `:${element.name.split(':')[0]}` : '';
  for (let here: unknown = element; here instanceof XmlElement; here = here.parent) {
    const found = here.attributes[`xmlns${prefix}`];
    if (found !== undefined) return found;
  }
  return '';
}

function elements(parent: XmlElement): readonly XmlElement[] {
  return parent.children.filter((each): each is XmlElement => each instanceof XmlElement);
}

/** The elements of this name below a parent, whatever their prefix. */
export function childrenNamed(parent: XmlElement | undefined, name: string): readonly XmlElement[] {
  return parent === undefined ? [] : elements(parent).filter((each) => localName(each) === name);
}

function child(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  return childrenNamed(parent, name)[0];
}

/** The names and texts of all elements below a parent. */
export function valuesOf(parent: XmlElement): readonly (readonly [name: string, text: string])[] {
  return elements(parent).map((each) => [localName(each), each.text.trim()]);
}

/** The text of an element below a parent; undefined if it is absent, empty or nil. */
export function textOf(parent: XmlElement | undefined, name: string): string | undefined {
  const text = child(parent, name)?.text.trim();
  return text === '' ? undefined : text;
}

/** The envelope of an answer with one `result` for each of the results. */
export function renderAnswer({ name, namespace }: SoapCall, results: readonly SoapValue[]): string {
  return envelope(` xmlns="${namespace}"`, `<${name}Response>${renderElement('result', results)}</${name}Response>`);
}

export function renderFault({ code, message }: SoapFault): string {
  const text = `<faultcode>${code}</faultcode><faultstring>${escapeXml(message)}</faultstring>`;
  return envelope(' xmlns:sf="urn:fault.partner.soap.sforce.com"', `<soapenv:Fault>${text}</soapenv:Fault>`);
}

function envelope(namespaces: string, body: string): string {
  const names = `xmlns:soapenv="${SOAP}"${namespaces} xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`;
  return `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope ${names}><soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`;
}

function renderElement(name: string, value: SoapValue): string {
  if (value === null) return `<${name} xsi:nil="true"/>`;
  if (Array.isArray(value)) return value.map((each: SoapValue) => renderElement(name, each)).join('');
  if (typeof value !== 'object') return `<${name}>${escapeXml(String(value))}</${name}>`;
  const inner = Object.entries(value).map(([key, each]) => renderElement(key, each));
  return `<${name}>${inner.join('')}</${name}>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The errors of a refused row in the form of SOAP results. */
export function soapErrors({ errors }: ApiFailure): readonly SoapValue[] {
  return errors.map(({ errorCode, message, fields = [] }) => ({ fields, message, statusCode: errorCode }));
}

import { gzipSync } from 'node:zlib';
import { beginning, ENDLESS_HTTP, endless, NO_HTTP, thenTrickle, trickle } from './bodies.ts';
import { grant, isSignIn } from './hostile-salesforce.ts';
import type { HostileAnswer, HostileRequest } from './hostile-server.ts';

/** Answers of every kind that are no costly JSON, for whoever has to be served beside them. Each is made once, and small to keep. */

const MB = 1024 * 1024;
/** Makes it when it is first wanted. */
export const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};
const typed = (type: string, body: HostileAnswer & object) => ({ ...body, headers: { 'content-type': type } });
const buffer = (text: () => string): (() => Buffer) => once(() => Buffer.from(text()));
const LONG = buffer(() => 'x'.repeat(12 * MB));
const PAGE = buffer(() => '<a>b</a>'.repeat(MB));
const CSV = buffer(() => 'a,b\n'.repeat(3 * MB));
const BOMB = once(() => gzipSync(Buffer.alloc(64 * MB, ' ')));

const CHUNKED = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
const ONE_BYTE_CHUNKS = once(() => [CHUNKED, ...Array<Buffer>(400).fill(Buffer.from('1\r\n \r\n'.repeat(10_000)))]);

/** Errors in the forms of both remotes, with long texts. */
const errors = (count: number, text: string) =>
  once(() =>
    Buffer.from(
      JSON.stringify(
        Array.from({ length: count }, () => ({
          errorCode: 'INVALID_FIELD',
          statusCode: 'X',
          message: text,
          fields: ['A'],
        })),
      ),
    ),
  );
const LONG_ERRORS = errors(100, "No such column 'a".repeat(7_000));
const MANY_ERRORS = errors(40_000, 'Too many concurrent');
const VENDOR_ERROR = once(() => {
  const message = 'the-vendor-key '.repeat(60_000);
  const errors = Array.from({ length: 50_000 }, () => ({ pointer: '/a/b' }));
  return Buffer.from(JSON.stringify({ info: { success: false }, error: [{ type: 'X', message, errors }], message }));
});

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, 'b']));
const location = { location: 'http://169.254.169.254/services/' };

/** What a hostile remote answers to a read, by what is costly about it. */
export const COSTLY_ANSWERS: readonly (readonly [string, () => HostileAnswer])[] = [
  ['a large text of XML', () => typed('text/xml', { body: PAGE() })],
  ['rows of another type', () => typed('text/csv', { body: CSV() })],
  ['bytes of no type', () => typed('application/octet-stream', { body: LONG() })],
  ['a page of HTML for an error', () => ({ status: 502, ...typed('text/html', { body: PAGE() }) })],
  ['what is no JSON, under its name', () => ({ body: LONG() })],
  ['a body without an end', () => ({ body: endless(' ') })],
  ['an error without an end', () => ({ status: 503, body: endless('{"a":1},') })],
  ['a body byte by byte', () => ({ body: trickle() })],
  ['much, and then byte by byte', () => ({ body: thenTrickle(15 * MB) })],
  ['silence', () => 'silent'],
  ...ENDLESS_HTTP.map(
    ([name, first, piece]) => [`${name} without an end`, () => ({ raw: beginning(first, piece) })] as const,
  ),
  ...NO_HTTP.map(([name, raw]) => [name, () => ({ raw })] as const),
  ['headers of one letter', () => ({ raw: `HTTP/1.1 200 OK\r\n${'a:\r\n'.repeat(250_000)}` })],
  ['a body in chunks of one byte', () => ({ raw: ONE_BYTE_CHUNKS() })],
  ['as many headers as are read', () => ({ headers: many(900), body: '{}' })],
  ['one long header', () => ({ headers: { 'x-a': 'b'.repeat(15_000), 'retry-after': '9'.repeat(500) }, body: '{}' })],
  ['a compressed body that unpacks to much', () => ({ headers: { 'content-encoding': 'gzip' }, body: BOMB() })],
  ['a redirect with a long body', () => ({ status: 302, headers: location, body: endless('x') })],
  ['a redirect to itself', () => ({ status: 307, headers: location })],
  ['long texts of errors', () => ({ status: 400, body: LONG_ERRORS() })],
  ['many errors', () => ({ status: 400, body: MANY_ERRORS() })],
  ['an error that holds the key many times', () => ({ status: 400, body: VENDOR_ERROR() })],
  ['a lost session each time', () => ({ status: 401, body: '[{"errorCode":"INVALID_SESSION_ID","message":""}]' })],
];

const names = (count: number, more: object) => Array.from({ length: count }, (_, n) => ({ name: `F${n}`, ...more }));
const FIELD = { type: 'string', length: 80, createable: true, updateable: true, nillable: true };
/** A describe as the only part of a composite answer. */
const described = (body: object) =>
  once(() =>
    Buffer.from(JSON.stringify({ compositeResponse: [{ referenceId: 'describe0', httpStatusCode: 200, body }] })),
  );
const MANY_FIELDS = described({ fields: names(30_000, FIELD), recordTypeInfos: [] });
const MANY_CHOICES = described({
  fields: names(1, { ...FIELD, type: 'picklist', picklistValues: names(60_000, { active: true, value: 'x' }) }),
  recordTypeInfos: [],
});
const MANY_TYPES = described({
  fields: names(1, FIELD),
  recordTypeInfos: Array.from({ length: 30_000 }, (_, n) => ({
    ...{ developerName: `T${n}`, recordTypeId: `012${n}`, master: false, active: true, available: true },
  })),
});

/** What a hostile org answers to a description of an object. */
export const COSTLY_DESCRIPTIONS: readonly (readonly [string, () => HostileAnswer])[] = [
  ['a description of many fields', () => ({ body: MANY_FIELDS() })],
  ['a description of many choices', () => ({ body: MANY_CHOICES() })],
  ['a description of many record types', () => ({ body: MANY_TYPES() })],
];

const MANY_NAMES = once(() => Object.fromEntries(names(40_000, {}).map(({ name }) => [name, 1])));
const LONG_TOKEN = 'x'.repeat(900_000);

/** What a hostile org answers to a sign-in. */
export const COSTLY_SIGN_INS: readonly (readonly [string, (request: HostileRequest) => HostileAnswer])[] = [
  ['a sign-in with a long token', (request) => grant(request, { access_token: LONG_TOKEN })],
  ['a sign-in with a long identity', (request) => grant(request, { id: `${'/id/00D'.repeat(100_000)}/` })],
  [
    'a sign-in at a long address',
    (request) => grant(request, { instance_url: `http://127.0.0.1/${'/a'.repeat(MB / 4)}` }),
  ],
  ['a sign-in of many names', (request) => grant(request, MANY_NAMES())],
  ['a sign-in without an end', () => ({ body: endless(' ') })],
  ['a page for a sign-in', () => ({ status: 200, ...typed('text/html', { body: PAGE() }) })],
];

/** Pages of one row, and an address that leads to itself. */
export const COSTLY_PAGES: readonly (readonly [string, (request: HostileRequest, count: number) => HostileAnswer])[] = [
  ['pages of one row', (_, count) => pageOf(20_000, `/services/data/v67.0/query/01g-${count}`)],
  ['an address that leads to itself', () => pageOf(20_000, '/services/data/v67.0/query/01g-1')],
  ['addresses that are long', (_, count) => pageOf(20_000, `/services/data/${count}${'a'.repeat(14_000)}`)],
];

function pageOf(totalSize: number, nextRecordsUrl: string): HostileAnswer {
  const records = [{ Id: '006000000000001AAA' }];
  // A page of both remotes: the vendor's list never ends either.
  return {
    body: JSON.stringify({ totalSize, done: false, nextRecordsUrl, records, info: { success: true }, data: [] }),
  };
}

/** The org lets everybody in, and then answers so. */
export const afterSignIn =
  (answer: (request: HostileRequest, count: number) => HostileAnswer) => (request: HostileRequest, count: number) =>
    isSignIn(request) ? grant(request) : answer(request, count);

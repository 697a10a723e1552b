/** Bodies that no remote should send, for whoever has to read them. */

/** Repeats a piece for as long as the other end reads. */
export function* endless(piece: string): Generator<Uint8Array> {
  const bytes = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
  for (;;) yield bytes;
}

/** Sends a blank every few milliseconds, without an end. */
export async function* trickle(): AsyncGenerator<string> {
  for (;;) {
    yield ' ';
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Sends many blanks at once, and then one after the other without an end. */
export async function* thenTrickle(bytes: number): AsyncGenerator<Uint8Array | string> {
  const piece = Buffer.alloc(65_536, ' ');
  for (let sent = 0; sent < bytes; sent += piece.byteLength) yield piece;
  yield* trickle();
}

const CHUNKED = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';

/** Parts of an HTTP answer before its body that never end: the beginning and the repeated piece. */
export const ENDLESS_HTTP: readonly (readonly [string, string, string])[] = [
  ['early hints', '', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'],
  ['answers that are not yet one', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ['an extension of a chunk', `${CHUNKED}1;`, 'a'.repeat(64)],
  ['the length of a chunk', CHUNKED, '0'.repeat(64)],
  ['blank lines', '', '\r\n'.repeat(32)],
];

/** Sends `first`, and then repeats `piece` forever. */
export function* beginning(first: string, piece: string): Generator<Uint8Array | string> {
  if (first !== '') yield first;
  yield* endless(piece);
}

/** Bytes that are no HTTP answer, by their fault. */
export const NO_HTTP: readonly (readonly [string, string])[] = [
  ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
  ['a length that is none', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}'],
  ['a megabyte of headers', `HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(150_000)}\r\n{}`],
  ['half an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"records":['],
];

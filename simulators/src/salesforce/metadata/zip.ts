import { inflateRawSync } from 'node:zlib';

/** Reads a zip file as deployments have it: stored or deflated entries, no encryption, no split archive. */

/** A deployment's limits (Metadata API Developer Guide, "deploy()"). */
const MOST_BYTES = 400 * 1024 * 1024;
const MOST_FILES = 10_000;

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
const MOST_COMMENT_BYTES = 65_535;

/** The files of a zip by path; folders have no entry. Throws a sentence if the bytes are no zip of this form or exceed the limits. */
export function filesOfZip(zip: Buffer): ReadonlyMap<string, Buffer> {
  const end = endOf(zip);
  const count = zip.readUInt16LE(end + 10);
  if (count > MOST_FILES) throw new Error(`a deployment has at most ${MOST_FILES} files`);
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  let room = MOST_BYTES;
  for (let each = 0; each < count; each += 1) {
    const entry = entryAt(zip, at);
    at = entry.next;
    if (entry.path.endsWith('/')) continue;
    const content = contentOf(zip, entry, room);
    room -= content.length;
    files.set(entry.path, content);
  }
  return files;
}

function endOf(zip: Buffer): number {
  const first = Math.max(0, zip.length - END_BYTES - MOST_COMMENT_BYTES);
  for (let at = zip.length - END_BYTES; at >= first; at -= 1) if (zip.readUInt32LE(at) === END) return at;
  throw new Error('it is no zip file');
}

type Entry = { readonly path: string; readonly method: number; readonly bytes: number; readonly local: number };

function entryAt(zip: Buffer, at: number): Entry & { readonly next: number } {
  if (at + ENTRY_BYTES > zip.length || zip.readUInt32LE(at) !== ENTRY) throw new Error('its list of files is damaged');
  const nameBytes = zip.readUInt16LE(at + 28);
  const next = at + ENTRY_BYTES + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  return {
    path: zip.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes),
    method: zip.readUInt16LE(at + 10),
    bytes: zip.readUInt32LE(at + 20),
    local: zip.readUInt32LE(at + 42),
    next,
  };
}

function contentOf(zip: Buffer, { path, method, bytes, local }: Entry, room: number): Buffer {
  const start = local + LOCAL_BYTES + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const packed = zip.subarray(start, start + bytes);
  if (packed.length !== bytes) throw new Error(`${path} is cut off`);
  if (method !== STORED && method !== DEFLATED) throw new Error(`${path} is packed in an unknown way`);
  if (method === STORED && bytes <= room) return packed;
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, room) });
  } catch {
    throw new Error(`${path} is damaged, or the files have more than ${MOST_BYTES} bytes`);
  }
}

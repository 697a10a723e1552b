import { createHash } from 'node:crypto';
import type { ObjectDef } from '../schema/types.ts';
import { ApiFailure, failure } from '../store/failure.ts';
import type { Row } from '../store/row.ts';

/** The only object with entity tags: "Account records only" (REST guide, "Conditional Request Headers"). */
const WITH_TAGS = 'Account';
const TAG = /^\s*(?:W\/)?"([^"]+)"\s*$/;

/** The entity tag of a row, quoted; null for objects that have none. */
export function etagOf(object: ObjectDef, row: Row): string | null {
  if (object.name !== WITH_TAGS) return null;
  return `"${createHash('sha256').update(JSON.stringify(row)).digest('base64')}--gzip"`;
}

/**
 * Checks `If-Match` and `If-None-Match` of a GET or PATCH. Throws 412, or 304 if a GET's tag still equals the row's. A PATCH with a header
 * without a tag is 400.
 */
export function checkTags(
  method: string,
  object: ObjectDef,
  row: Row,
  headers: Readonly<Record<string, string>>,
): void {
  const tag = etagOf(object, row);
  if (tag === null) return;
  const wanted = tagsIn(method, headers['if-match']);
  if (wanted !== null && !wanted.includes(tag)) throw preconditionFailed();
  const unwanted = tagsIn(method, headers['if-none-match']);
  if (unwanted === null || !unwanted.includes(tag)) return;
  throw method === 'PATCH' ? preconditionFailed() : new ApiFailure(304, []);
}

function tagsIn(method: string, header: string | undefined): readonly string[] | null {
  if (header === undefined) return null;
  const tags = header.split(',').map((each) => TAG.exec(each)?.[1]);
  if (tags.every((tag) => tag !== undefined)) return tags.map((tag) => `"${tag}"`);
  if (method === 'GET' || method === 'HEAD') return null;
  throw failure(400, 'INVALID_HEADER_VALUE', 'The conditional header holds no entity tag.');
}

/** A failed precondition. Status 412, and 400 for a header without a tag, are documented. The error codes are assumed. */
function preconditionFailed(): ApiFailure {
  return failure(412, 'PRECONDITION_FAILED', 'The entity tag of the record does not allow the request.');
}

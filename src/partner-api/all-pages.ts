import { PartnerApiError } from './errors.ts';
import { type ListFailure, readAll } from './paging.ts';
import type { Endpoint } from './request.ts';
import type { CallOptions, Result } from './result.ts';

type ListedBy = Pick<Endpoint, 'operation' | 'domain'>;

type Search<Input, Item> = (input: Input, options?: CallOptions) => Promise<Result<Item[]>>;

/**
 * Returns a function that yields every row of a paged search, each row once. The function sets the paging parameters `skip` and `top` of
 * each request. If rows moved between two pages, it reads the list again, so that no row is missed. It keeps only one page in memory, and
 * the keys by which it recognises rows that it has yielded.
 */
export function allPages<Input extends object, Item>(
  listedBy: ListedBy,
  search: Search<Input, Item>,
  top: number,
  keyOf: (item: Item) => string,
) {
  return (input: Input, options?: CallOptions): AsyncGenerator<Item, void> => {
    const fetchPage = (skip: number, size: number) => search({ ...input, skip, top: size }, options);
    return readAll({ fetchPage, keyOf, top, failure: listFailure(listedBy) }, new Set());
  };
}

/** Returns a function that makes the error for a list that could not be read completely. The function's argument is the reason. */
export function listFailure({ operation, domain }: ListedBy): (code: ListFailure) => PartnerApiError {
  const list = { operation, domain, method: 'LIST', template: operation };
  return (code) => new PartnerApiError({ ...list, kind: 'protocol', sent: 'unknown', code });
}

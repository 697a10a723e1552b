import { PartnerApiError } from './errors.ts';
import { type ListFailure, readAll } from './paging.ts';
import type { Endpoint } from './request.ts';
import type { CallOptions, Result } from './result.ts';

type ListedBy = Pick<Endpoint, 'operation' | 'domain'>;

type Search<Input, Item> = (input: Input, options?: CallOptions) => Promise<Result<Item[]>>;

/**
 * Every row of a search that pages with `skip` and `top`, each once. Reads the list again if rows moved between two pages, so that none is
 * missed. Sets `skip` and `top`. Memory holds one page and the keys of the rows.
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

/** Makes the error of a list that cannot be read completely. */
export function listFailure({ operation, domain }: ListedBy): (code: ListFailure) => PartnerApiError {
  const list = { operation, domain, method: 'LIST', template: operation };
  return (code) => new PartnerApiError({ ...list, kind: 'protocol', sent: 'unknown', code });
}
